package catalog_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/pcatdev/pcat/catalog"
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

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../testdata/catalogs", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// convert copies a catalog from one form to another.
func convert(t testing.TB, data []byte, from, to string, ts ...catalog.Transform) []byte {
	t.Helper()
	var out bytes.Buffer
	r := catalog.NewReader(bytes.NewReader(data), format(t, from), serialization.DecodeOptions{})
	w := catalog.NewWriter(&out, format(t, to), catalog.WriteOptions{
		Secrets: serialization.PlainSecrets, Indent: r.Layout().Indent,
	})
	if err := catalog.Copy(t.Context(), w, r, ts...); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

var names = []string{"binary_crlf", "empty", "relations", "rich", "secrets", "tiny", "webstack"}

func TestConvertAsPuppetServes(t *testing.T) {
	for _, name := range names {
		for _, c := range []struct{ from, source, to, want string }{
			{"rich-json", "rich.json", "rich-json", "rich.json"},
			{"rich-json", "rich.json", "rich-msgpack", "rich.msgpack"},
			{"rich-msgpack", "rich.msgpack", "rich-json", "rich.json"},
			{"rich-msgpack", "rich.msgpack", "rich-msgpack", "rich.msgpack"},
			{"rich-json", "rich.json", "json", "plain.json"},
			{"rich-json", "rich.json", "msgpack", "plain.msgpack"},
			{"rich-msgpack", "rich.msgpack", "msgpack", "plain.msgpack"},
			{"json", "plain.json", "json", "plain.json"},
			{"msgpack", "plain.msgpack", "msgpack", "plain.msgpack"},
			{"rich-json", "rich.json", "stringified-json", "stringified.json"},
			{"rich-msgpack", "rich.msgpack", "stringified-json", "stringified.json"},
			{"rich-json", "roundtrip.json", "rich-json", "roundtrip.json"},
			{"rich-json", "resolved.json", "rich-json", "resolved.json"},
		} {
			t.Run(name+"/"+c.source+" to "+c.to, func(t *testing.T) {
				want := alike(read(t, filepath.Join(name, c.want)))
				got := alike(convert(t, read(t, filepath.Join(name, c.source)), c.from, c.to))
				if !bytes.Equal(got, want) {
					t.Errorf("differs at %s", firstDifference(got, want))
				}
			})
		}
	}
}

// alike removes the parts that cannot be identical: the object id in a
// stringified Sensitive, which differs in each process, and the attributes in
// the text of a Rich::Window, which Puppet writes in the order of its type,
// known only to the module.
func alike(data []byte) []byte {
	data = regexp.MustCompile(`#<Sensitive \[value redacted\]:\d+>`).ReplaceAll(data, []byte("#<Sensitive [value redacted]:OBJECT_ID>"))
	return regexp.MustCompile(`Rich::Window\(\{.*?\}\)`).ReplaceAll(data, []byte("Rich::Window"))
}

func firstDifference(got, want []byte) string {
	n := 0
	for n < len(got) && n < len(want) && got[n] == want[n] {
		n++
	}
	from := max(0, n-60)
	return "got …" + string(got[from:min(len(got), n+60)]) + "…\nwant …" + string(want[from:min(len(want), n+60)]) + "…"
}
