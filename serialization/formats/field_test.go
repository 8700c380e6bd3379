package formats_test

import (
	"bytes"
	"encoding/hex"
	stdjson "encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// A value is marshaled as rich data in any position, and a secret is rejected,
// even if encoding/json cannot take its address.
func TestJSONValueInOthers(t *testing.T) {
	in := func(v pcore.Value) []any {
		w := formats.JSONValue{Value: v}
		return []any{w, &w, struct{ V formats.JSONValue }{w}, []formats.JSONValue{w}, map[string]formats.JSONValue{"v": w}}
	}
	for _, v := range in(pcore.NewBinary([]byte("abc"))) {
		text, err := stdjson.Marshal(v)
		if err != nil || !strings.Contains(string(text), `{"__ptype":"Binary","__pvalue":"YWJj"}`) {
			t.Errorf("%T: %s, %v", v, text, err)
		}
	}
	for _, v := range in(pcore.NewSensitive(pcore.String("s"))) {
		if text, err := stdjson.Marshal(v); !errors.Is(err, serialization.ErrSecret) {
			t.Errorf("a secret in a %T was written: %s, %v", v, text, err)
		}
	}
}

// A MessagePackValue is a field of a struct that msgpack/v5 encodes and decodes.
func TestMessagePackValueInAStruct(t *testing.T) {
	type envelope struct {
		ID   int
		Data *formats.MessagePackValue
		Next string
	}
	in := envelope{1, &formats.MessagePackValue{Value: pcore.NewArray(pcore.Default{}, pcore.NewBinary([]byte("abc")), pcore.Integer(7))}, "n"}
	packed, err := msgpack.Marshal(&in)
	if err != nil {
		t.Fatal(err)
	}
	var out envelope
	if err := msgpack.Unmarshal(packed, &out); err != nil {
		t.Fatal(err)
	}
	if out.ID != 1 || out.Next != "n" || !pcore.Identical(in.Data.Value, out.Data.Value) {
		t.Errorf("got %v", out)
	}
	secret := formats.MessagePackValue{Value: pcore.NewSensitive(pcore.String("s"))}
	for _, v := range []any{secret, &secret, envelope{Data: &secret}, struct{ Data formats.MessagePackValue }{secret}, []formats.MessagePackValue{secret}} {
		if _, err := msgpack.Marshal(v); !errors.Is(err, serialization.ErrSecret) {
			t.Errorf("a secret in a %T was written: %v", v, err)
		}
	}
}

// Broken bytes are refused for the same reason as without msgpack/v5, whatever a header promises.
func TestMessagePackValueRefuses(t *testing.T) {
	for text, kind := range map[string]error{
		"":                               serialization.ErrTruncated,
		"cd01":                           serialization.ErrTruncated,
		"a3" + "6161":                    serialization.ErrTruncated,
		"93" + "0192" + "01":             serialization.ErrTruncated,
		"dbffffffff":                     serialization.ErrTooLarge,
		"91c6ffffffff":                   serialization.ErrTooLarge,
		"db00ffffff":                     serialization.ErrTruncated,
		"ddffffffff":                     serialization.ErrTruncated,
		"dfffffffff":                     serialization.ErrTruncated,
		"c1":                             serialization.ErrSyntax,
		"91c1":                           serialization.ErrSyntax,
		"d501aabb":                       serialization.ErrUnsupported,
		"91c70305aabbcc":                 serialization.ErrUnsupported,
		"cb7ff8000000000000":             serialization.ErrRange,
		"81a16192c0a3" + "61ff61":        serialization.ErrUTF8,
		"82a16101a16102":                 serialization.ErrDuplicateKey,
		"819001":                         serialization.ErrUnsupported,
		strings.Repeat("91", 513) + "c0": serialization.ErrDepth,
		"9181a75f5f7074797065a44e6f7065": serialization.ErrUnknownType,
	} {
		in, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		var v formats.MessagePackValue
		if err := v.DecodeMsgpack(msgpack.NewDecoder(bytes.NewReader(in))); !errors.Is(err, kind) || v.Value != nil {
			t.Errorf("%.40s: want %v, got %v, %v", text, kind, v.Value, err)
		}
	}
}
