package roundtrip_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/cmd/pcat/internal/verify/roundtrip"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func format(t testing.TB, name string) serialization.Format {
	t.Helper()
	f, err := formats.Default().ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func document(t testing.TB, data, name string, o roundtrip.Options) *roundtrip.Result {
	t.Helper()
	r, err := roundtrip.Document([]byte(data), format(t, name), formats.Default().Formats(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// status returns the result for a format.
func status(t testing.TB, r *roundtrip.Result, format string) roundtrip.Conversion {
	t.Helper()
	for _, conversion := range r.Formats {
		if conversion.Format == format {
			return conversion
		}
	}
	t.Fatalf("no conversion to %s", format)
	return roundtrip.Conversion{}
}

// TestEqualTypes checks a document that defines a named type twice. The tabulated
// formats, like Puppet's, read both as one type.
func TestEqualTypes(t *testing.T) {
	a := `{"__ptype":"Pcore::ObjectType","_pcore_init_hash":{"name":"A","attributes":{"a":{"__ptype":"Pcore::IntegerType"}}}}`
	r := document(t, "["+a+","+a+"]", "rich-json", roundtrip.Options{})
	for _, name := range []string{"rich-json", "rich-msgpack", "yaml", "tabulated-json", "tabulated-msgpack"} {
		if got := status(t, r, name); got.Status != roundtrip.Same {
			t.Errorf("%s: %s %v", name, got.Status, got.Difference)
		}
	}
}

// TestCatalogs checks that Puppet's catalogs are reproduced byte for byte.
func TestCatalogs(t *testing.T) {
	files, err := filepath.Glob("../../../../../testdata/catalogs/*/rich.*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalogs: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := "rich" + strings.Replace(filepath.Ext(file), ".", "-", 1)
		r := document(t, string(data), name, roundtrip.Options{})
		if !r.Same() {
			t.Errorf("%s: %+v", file, r.Formats)
		}
		for _, rich := range []string{"rich-json", "rich-msgpack", "yaml", "tabulated-json", "tabulated-msgpack"} {
			if s := status(t, r, rich); s.Status != roundtrip.Same {
				t.Errorf("%s: %+v", file, s)
			}
		}
	}
}

func TestWhatCannotBeHeld(t *testing.T) {
	const resource = `{"resources":[{"type":"File","title":"/x","parameters":{"when":{"__ptype":"Timestamp","__pvalue":"1970-01-01T00:00:00.000000000 UTC"}}}]}`
	r := document(t, resource, "rich-json", roundtrip.Options{})
	if s := status(t, r, "json"); s.Status != roundtrip.Lossy || s.Losses != 1 || s.Text != "File[/x]/when" {
		t.Errorf("%+v", s)
	}
	if !r.Same() {
		t.Errorf("%+v", r.Formats)
	}
	r = document(t, `[1,36893488147419103232]`, "rich-json", roundtrip.Options{})
	if s := status(t, r, "rich-msgpack"); s.Status != roundtrip.Lossy || s.Text != "1" || !strings.Contains(s.Reason, "MessagePack integers range") {
		t.Errorf("%+v", s)
	}
	if s := status(t, r, "json"); s.Status != roundtrip.Same {
		t.Errorf("%+v", s)
	}
}

func TestSpelling(t *testing.T) {
	for doc, offset := range map[string]int64{
		`{"a":1.0}`:                    -1,
		"{\n  \"a\": [\n    1\n  ]\n}": -1,
		`{"a":1.0}` + "\n":             -1,
		`{"a": 1.0}`:                   5,
		`{"a":1.50}`:                   8,
		`{"a":"\u0041"}`:               6,
		`[1e2]`:                        2,
	} {
		r := document(t, doc, "rich-json", roundtrip.Options{})
		s := status(t, r, "rich-json")
		switch {
		case offset < 0 && s.Status != roundtrip.Same:
			t.Errorf("%s: %+v", doc, s.Difference)
		case offset >= 0 && (s.Status != roundtrip.Different || s.Difference.Step != roundtrip.StepSpelling || s.Difference.Offset != offset):
			t.Errorf("%s: want offset %d, got %+v", doc, offset, s)
		}
		if r := document(t, doc, "rich-json", roundtrip.Options{ValuesOnly: true}); !r.Same() {
			t.Errorf("%s: %+v", doc, r.Formats)
		}
	}
}

func TestUnreadable(t *testing.T) {
	_, err := roundtrip.Document([]byte(`{"a":`), format(t, "rich-json"), nil, roundtrip.Options{})
	if !errors.Is(err, serialization.ErrTruncated) {
		t.Error(err)
	}
}

// broken returns a format that changes a value.
func broken(t testing.TB, change func(pcore.Value) pcore.Value) serialization.Format {
	f := format(t, "rich-json")
	f.Name, f.Wire = "broken", "broken"
	newDecoder := f.NewDecoder
	f.NewDecoder = func(r io.Reader, o serialization.DecodeOptions) serialization.Decoder {
		return struct{ serialization.Decoder }{newDecoder(r, o)} // not a Recycler, so that Decode is used
	}
	decode := f.Decode
	f.Decode = func(data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
		v, err := decode(data, o)
		if err != nil {
			return nil, err
		}
		return pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) { return change(c.Value()), nil })
	}
	return f
}

// TestDifference checks the location of the first difference, and that it
// reveals no secret.
func TestDifference(t *testing.T) {
	const doc = `{"name":"n","resources":[{"type":"File","title":"/a","parameters":{"x":1}},
	 {"type":"File","title":"/b","parameters":{"list":["canary",{"k":"canary"}],"s":{"__ptype":"Sensitive","__pvalue":{"canary2":"old"}},"content":{"canary3":"listed"}},
	  "sensitive_parameters":["content"]}]}`
	to := func(old, new string) func(pcore.Value) pcore.Value {
		return func(v pcore.Value) pcore.Value {
			if v == pcore.String(old) {
				return pcore.String(new)
			}
			return v
		}
	}
	for _, c := range []struct {
		change func(pcore.Value) pcore.Value
		want   string
	}{
		{to("n", "mm"), "name: a String of 1 bytes is read back as a String of 2 bytes"},
		{to("canary", "kanary"), "File[/b]/list/0: a String of 6 bytes is read back as a different one"},
		{to("old", "new"), "File[/b]/s: a secret is read back as a different one"},
		{to("listed", "x"), "File[/b]/content: a String of 6 bytes is read back as a String of 1 bytes"},
		{func(v pcore.Value) pcore.Value {
			if v == pcore.Integer(1) {
				return pcore.Float(1)
			}
			return v
		}, "File[/a]/x: an Integer is read back as a Float"},
		{func(v pcore.Value) pcore.Value {
			if h, ok := v.(*pcore.Hash); ok && h.Len() == 2 {
				return pcore.NewHash(h.At(1), h.At(0))
			}
			return v
		}, ": the key at index 0 is read back as a different one"},
	} {
		r, err := roundtrip.Document([]byte(doc), format(t, "rich-json"), []serialization.Format{broken(t, c.change)}, roundtrip.Options{})
		if err != nil || r.Same() {
			t.Errorf("want %s, got %+v, %v", c.want, r, err)
			continue
		}
		d := r.Formats[0].Difference
		if got := d.Text + ": " + d.String(); got != c.want || strings.Contains(got, "anary") {
			t.Errorf("want %s, got %s", c.want, got)
		}
	}
}

// TestAnyValue checks that every format that supports a value reproduces it.
func TestAnyValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~]{0,12}`)
		v := pcore.NewHash(
			pcore.Entry{Key: pcore.String(text.Draw(t, "key")), Value: pcore.NewSensitive(pcore.String(text.Draw(t, "secret")))},
			pcore.Entry{Key: pcore.Integer(rapid.Int64().Draw(t, "number")), Value: pcore.Float(rapid.Float64Range(-1e300, 1e300).Draw(t, "float"))},
		)
		f := formats.Default().Formats()[rapid.IntRange(0, 1).Draw(t, "form")]
		doc, err := f.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
		if err != nil {
			t.Fatal(err)
		}
		r, err := roundtrip.Document(doc, f, formats.Default().Formats(), roundtrip.Options{})
		if err != nil || !r.Same() {
			t.Fatalf("%+v, %v", r, err)
		}
	})
}
