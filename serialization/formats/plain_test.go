package formats_test

import (
	"bytes"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// plainDocs have a meaning, or are invalid, as rich data.
var plainDocs = []string{
	`{"__ptype":"Default"}`,
	`[{"__ptype":"Sensitive","__pvalue":"s"},{"__ptype":"Timestamp","__pvalue":"not one"}]`,
	`{"a":{"__ptype":"Hash","__pvalue":[1,2]},"b":{"__pvalue":1,"__ptype":"Binary"}}`,
	`{"__ptype":"LocalRef","__pvalue":"$['nowhere']"}`,
	`{"__ptype":"No::Such","x":[{"__ptype":""}]}`,
	`{"__ptype":{"__ptype":"Pcore::IntegerType"},"__pvalue":1}`,
}

// Plain data read with the option Plain is unchanged after conversion between
// all pairs of formats for it, and converting back returns the same bytes.
func TestPlainStaysPlain(t *testing.T) {
	plain := serialization.DecodeOptions{Plain: true}
	inJSON := formats.JSON()
	for _, from := range plainFormats() {
		for _, to := range plainFormats() {
			for _, doc := range plainDocs {
				v, err := inJSON.Decode([]byte(doc), plain)
				if err != nil {
					t.Fatalf("%s: %v", doc, err)
				}
				in, out := recode(t, from, v), []byte(nil)
				if v, err = from.Decode(in, plain); err == nil {
					out = recode(t, to, v)
				}
				back, err := to.Decode(out, plain)
				if err != nil || !pcore.Identical(v, back) {
					t.Errorf("%s to %s: %s came back as %v, %v", from.Name, to.Name, doc, back, err)
				}
				if again := recode(t, from, back); !bytes.Equal(in, again) {
					t.Errorf("%s to %s and back: want %q, got %q", from.Name, to.Name, in, again)
				}
			}
		}
	}
}

// Cursors read plain data like decoders.
func TestPlainCursor(t *testing.T) {
	plain := serialization.DecodeOptions{Plain: true}
	for _, f := range plainFormats() {
		for _, doc := range plainDocs {
			if f.Wire != "json" {
				continue
			}
			want, err := f.Decode([]byte(doc), plain)
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.NewReader(bytes.NewReader([]byte(doc)), plain).Value()
			if err != nil || !pcore.Identical(want, got) {
				t.Errorf("%s: %s: want %s, got %v, %v", f.Name, doc, want, got, err)
			}
		}
	}
}

// plainFormats are the formats that write a Hash with `__ptype` unchanged.
func plainFormats() []serialization.Format {
	var all []serialization.Format
	for _, f := range formats.Default().Formats() {
		if !f.Rich && f.Name != "stringified-json" {
			all = append(all, f)
		}
	}
	return all
}

func recode(t *testing.T, f serialization.Format, v pcore.Value) []byte {
	t.Helper()
	out, err := f.Append(nil, v, serialization.EncodeOptions{})
	if err != nil {
		t.Fatalf("%s: %s: %v", f.Name, v, err)
	}
	return out
}
