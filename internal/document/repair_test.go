package document_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// form returns a form of the default formats, or the zero value.
func format(name string) serialization.Format {
	f, _ := formats.Default().ByName(name)
	return f
}

func decode(name string, data []byte) (pcore.Value, error) {
	return format(name).Decode(data, serialization.DecodeOptions{})
}

func TestRepairJSON(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		fixes          []document.Fix
	}{
		{"nothing", `{"a":"é"}`, `{"a":"é"}`, nil},
		{"latin-1", "{\"a\":\"caf\xe9\"}", `{"a":{"__ptype":"Binary","__pvalue":"Y2Fm6Q=="}}`, []document.Fix{{6, 3, 5}}},
		{"escapes", "[\"\\n\\u00e9\\ud83d\\ude00\\\"\xff\"]", `[{"__ptype":"Binary","__pvalue":"CsOp8J+YgCL/"}]`, []document.Fix{{2, 22, 1}}},
		{"two", "[\"\xff\",\"b\",\"\xfe\"]", `[{"__ptype":"Binary","__pvalue":"/w=="},"b",{"__ptype":"Binary","__pvalue":"/g=="}]`, []document.Fix{{2, 0, 1}, {10, 0, 44}}},
		{"keys stay", "{\"\xff\" :1,\"b\":\"\xff\"}", "{\"\xff\" :1,\"b\":{\"__ptype\":\"Binary\",\"__pvalue\":\"/w==\"}}", []document.Fix{{13, 0, 12}}},
		{"half a pair", "[\"\\ud83d\xff\"]", "[\"\\ud83d\xff\"]", nil},
		{"no escape", "[\"\\x\xff\"]", "[\"\\x\xff\"]", nil},
		{"no end", "[\"\xff", "[\"\xff", nil},
		{"outside of text", "\xff[\"a\"]", "\xff[\"a\"]", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, fixes := document.Repair([]byte(tt.in), format("rich-json"))
			if string(got) != tt.want {
				t.Errorf("got %s", got)
			}
			if diff := cmp.Diff(tt.fixes, fixes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRepairMessagePack(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "81a161a162", "81a161a162"},
		{"short", "81a161a1ff", "81a16182a75f5f7074797065a642696e617279a85f5f7076616c7565a42f773d3d"},
		{"str8", "91d901ff", "9182a75f5f7074797065a642696e617279a85f5f7076616c7565a42f773d3d"},
		{"keys stay", "82a1ff01a162a1ff", "82a1ff01a16282a75f5f7074797065a642696e617279a85f5f7076616c7565a42f773d3d"},
		{"bytes stay", "92c401ffd4ffff", "92c401ffd4ffff"},
		{"too long", "dbffffffff", "dbffffffff"},
		{"many", "ddffffffffa1ff", "ddffffffffa1ff"},
		{"not used", "91c1", "91c1"},
		{"numbers", "9acdffffcfffffffffffffffffd3ffffffffffffffffcaffffffffcbffffffffffffffffa1ff",
			"9acdffffcfffffffffffffffffd3ffffffffffffffffcaffffffffcbffffffffffffffff82a75f5f7074797065a642696e617279a85f5f7076616c7565a42f773d3d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, err := hex.DecodeString(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := document.Repair(in, format("rich-msgpack"))
			if diff := cmp.Diff(tt.want, hex.EncodeToString(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRepairedIsReadable compares both repairs with the decoders: any bytes in a value
// are decoded as a Binary, or as text if they are valid.
func TestRepairedIsReadable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "text")
		raw := bytes.Map(func(r rune) rune {
			if r < ' ' || r == '"' || r == '\\' {
				return -1
			}
			return r
		}, text)
		raw = bytes.ReplaceAll(raw, []byte("\ufffd"), []byte("\xff"))
		want := pcore.Value(pcore.NewBinary(raw))
		if utf8.Valid(raw) {
			want = pcore.String(raw)
		}
		repaired, _ := document.Repair([]byte(`{"a":["`+string(raw)+`"]}`), format("rich-json"))
		packed, _ := document.Repair(append([]byte{0x81, 0xa1, 'a', 0x91, 0xda, byte(len(raw) >> 8), byte(len(raw))}, raw...), format("rich-msgpack"))
		for name, data := range map[string][]byte{"rich-json": repaired, "rich-msgpack": packed} {
			v, err := decode(name, data)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			a, _ := v.(*pcore.Hash).GetString("a")
			if got := a.(*pcore.Array).At(0); !pcore.Identical(got, want) {
				t.Fatalf("%s: got %s, want %s", name, got, want)
			}
		}
	})
}

// FuzzRepair looks for panics, and for a document that was readable and
// changes.
func FuzzRepair(f *testing.F) {
	f.Add([]byte("{\"a\":\"caf\xe9\"}"))
	f.Add([]byte("\x81\xa1a\xa1\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"rich-json", "rich-msgpack"} {
			got, fixes := document.Repair(data, format(name))
			if len(fixes) == 0 && !bytes.Equal(got, data) {
				t.Fatalf("%s: changed without a fix", name)
			}
			for _, x := range fixes {
				if !strings.Contains(string(got[x.At:]), "Binary") {
					t.Fatalf("%s: %+v is wrong", name, x)
				}
			}
			if _, err := decode(name, data); err == nil && len(fixes) > 0 {
				t.Fatalf("%s: what can be read was repaired", name)
			}
		}
	})
}
