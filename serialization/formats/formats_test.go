package formats_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
	"github.com/pcatdev/pcat/serialization/richdata"
)

func TestRegistry(t *testing.T) {
	r := formats.Default()
	for _, f := range r.Formats() {
		if got, err := r.ByName(f.Name); err != nil || got.Name != f.Name {
			t.Errorf("%s is not found by its name: %v", f.Name, err)
		}
		for _, m := range f.MediaTypes {
			if got, ok := r.ByMediaType(m + "; charset=utf-8"); !ok || got.Name != f.Name {
				t.Errorf("%s is not found by %s", f.Name, m)
			}
		}
		for _, e := range f.Extensions {
			if got, ok := r.ByExtension("dir.json/file" + e); !ok || got.Name != f.Name {
				t.Errorf("%s is not found by %s", f.Name, e)
			}
		}
	}
	if _, err := r.ByName("pson"); !errors.Is(err, serialization.ErrFormat) {
		t.Error(err)
	}
	all := r.Formats()
	if _, err := serialization.NewRegistry(all[0], all[0]); err == nil {
		t.Error("a format was registered twice")
	}
	if _, err := serialization.NewRegistry(serialization.Format{Name: "half"}); err == nil {
		t.Error("half a format was registered")
	}
}

func TestDetect(t *testing.T) {
	r := formats.Default()
	for _, c := range []struct{ flag, head, file, want string }{
		{"", `{"a":1}`, "", "rich-json"},
		{"auto", " \n[1]", "x", "rich-json"},
		{"", `{"a":1}`, "x.json", "rich-json"},
		{"", `{"a":1}`, "x.msgpack", "rich-json"},
		{"", "\x82\xa1a", "x.json", "rich-msgpack"},
		{"", "\xde\x00\x10", "", "rich-msgpack"},
		{"", "--- \na: 1\n", "", "yaml"},
		{"", "# facts\nos: 1\n", "facts", "yaml"},
		{"", "- a\n", "", "yaml"},
		{"", "", "x.rich.msgpack", "rich-msgpack"},
		{"", "[[16,1,2]]", "", "rich-json"},
		{"", "[[16,1,2]]", "x.tabulated.json", "tabulated-json"},
		{"", "\xd4\x10\x00", "x.tabulated.msgpack", "tabulated-msgpack"},
		{"", "{}", "x.tabulated.json", "tabulated-json"},
		{"tabulated-json", "{}", "", "tabulated-json"},
		{"", "17", "x.JSON", "json"},
		{"stringified-json", `x`, "x.msgpack", "stringified-json"},
		{"", "hello", "hello.txt", ""},
		{"nope", "{}", "", ""},
	} {
		f, err := r.Detect(c.flag, []byte(c.head), c.file)
		if f.Name != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q %q %q: want %q, got %q, %v", c.flag, c.head, c.file, c.want, f.Name, err)
		}
	}
}

// The ids of Ruby objects differ from run to run.
var objectID = regexp.MustCompile(`#<Sensitive \[value redacted\]:(\d+|OBJECT_ID)>`)

// Every rich catalog is converted to the catalogs that Puppet wrote in each
// format, byte for byte.
func TestCatalogs(t *testing.T) {
	dirs, err := filepath.Glob("../../testdata/catalogs/*/rich.json")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no catalogs: %v", err)
	}
	files := map[string]string{"rich-json": "rich.json", "rich-msgpack": "rich.msgpack", "json": "plain.json", "msgpack": "plain.msgpack", "stringified-json": "stringified.json"}
	types := moduleTypes(t)
	for _, dir := range dirs {
		dir = filepath.Dir(dir)
		for _, from := range []string{"rich-json", "rich-msgpack", "yaml"} {
			for to, file := range files {
				want := read(t, filepath.Join(dir, file))
				got, err := convert(from, to, dir, types)
				if err != nil {
					t.Errorf("%s: %s to %s: %v", dir, from, to, err)
					continue
				}
				if to == "stringified-json" {
					want, got = objectID.ReplaceAll(want, []byte("ID")), objectID.ReplaceAll(got, []byte("ID"))
				}
				if string(got) != string(want) {
					i := 0
					for i < min(len(got), len(want)) && got[i] == want[i] {
						i++
					}
					t.Errorf("%s: %s to %s: differs at %d: want %.100q, got %.100q", dir, from, to, i, want[i:], got[i:])
				}
			}
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// moduleTypes returns the types used by the manifests of the catalogs. The text
// of an object has the attributes in the order of its type.
func moduleTypes(t *testing.T) serialization.Types {
	t.Helper()
	files, err := filepath.Glob("../../testdata/catalogs/modules/*/types/*.pp")
	if err != nil || len(files) == 0 {
		t.Fatalf("no types: %v", err)
	}
	var text []byte
	for _, file := range files {
		text = append(text, read(t, file)...)
	}
	types, err := typeexpr.Define("types.pp", string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return richdata.Types{Resolver: types}
}

func convert(from, to, dir string, types serialization.Types) ([]byte, error) {
	r := formats.Default()
	in, out := map[string]string{"rich-json": "rich.json", "rich-msgpack": "rich.msgpack"}[from], to
	options := serialization.DecodeOptions{AllowUnknownTypes: true, Types: types}
	clear := serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
	source, err := r.ByName(from)
	if err != nil {
		return nil, err
	}
	target, err := r.ByName(out)
	if err != nil {
		return nil, err
	}
	var data []byte
	if in == "" { // by way of rich-json
		rich, err := r.ByName("rich-json")
		if err != nil {
			return nil, err
		}
		if data, err = os.ReadFile(filepath.Join(dir, "rich.json")); err != nil {
			return nil, err
		}
		v, err := rich.Decode(data, options)
		if err != nil {
			return nil, err
		}
		if data, err = source.Append(nil, v, clear); err != nil {
			return nil, err
		}
	} else if data, err = os.ReadFile(filepath.Join(dir, in)); err != nil {
		return nil, err
	}
	v, err := source.Decode(data, options)
	if err != nil {
		return nil, err
	}
	return target.Append(nil, v, clear)
}

func ExampleDefault() {
	r := formats.Default()
	from, err := r.Detect("auto", []byte("\x81\xa1a\x92\x01\x02"), "")
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := from.Decode([]byte("\x81\xa1a\x92\x01\x02"), serialization.DecodeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	to, err := r.ByName("rich-json")
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := to.Append(nil, v, serialization.EncodeOptions{})
	fmt.Println(from.Name, string(text), err)
	// Output: rich-msgpack {"a":[1,2]} <nil>
}
