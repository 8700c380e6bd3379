package formats_test

import (
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
