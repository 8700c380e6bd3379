package deferred_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// TestCatalogs resolves catalogs that Puppet compiled, in both wire formats, and
// compares each resource with the result of Puppet.
func TestCatalogs(t *testing.T) {
	files, err := filepath.Glob("../testdata/catalogs/*/rich.*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir)+filepath.Ext(file), func(t *testing.T) {
			format := map[string]string{".json": "rich-json", ".msgpack": "rich-msgpack"}[filepath.Ext(file)]
			want := make(map[string]*catalog.Resource)
			for _, res := range read(t, filepath.Join(dir, "resolved.json"), "rich-json").Resources() {
				want[strings.ToLower(res.Ref().String())] = res
			}
			r := resolver(t)
			r.Faithful = true
			facts, err := os.ReadFile(filepath.Join(dir, "facts.json"))
			if err != nil {
				t.Fatal(err)
			}
			r.Facts = decode(t, string(facts)).(*pcore.Hash)
			run := r.Run()
			for _, res := range read(t, file, format).Resources() {
				got, err := run.Resource(t.Context(), res)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, got, want[strings.ToLower(res.Ref().String())])
			}
			if err := run.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

func read(t *testing.T, file, format string) *catalog.Catalog {
	t.Helper()
	form, err := formats.Default().ByName(format)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	options := serialization.DecodeOptions{Types: richdata.Types{}, AllowUnknownTypes: true}
	for c, err := range catalog.NewReaderBytes(data, form, options).Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	t.Fatalf("%s holds no catalog", file)
	return nil
}

// compare compares the parts of a resource that resolving may change. The
// reference decodes the whole catalog, which drops the parameter name of classes
// and stages.
func compare(t *testing.T, got, want *catalog.Resource) {
	t.Helper()
	if want == nil {
		t.Errorf("%s is not among the resolved resources", got.Ref())
		return
	}
	if strings.Join(got.SensitiveParameters(), " ") != strings.Join(want.SensitiveParameters(), " ") {
		t.Errorf("%s: sensitive are %v, want %v", got.Ref(), got.SensitiveParameters(), want.SensitiveParameters())
	}
	for _, name := range got.ParameterNames() {
		v, _, err := got.Parameter(name)
		if err != nil {
			t.Fatal(err)
		}
		w, ok, err := want.Parameter(name)
		if err != nil {
			t.Fatal(err)
		}
		if !ok && name == "name" {
			continue
		}
		if !ok || !bytes.Equal(encode(t, v), encode(t, w)) {
			t.Errorf("%s/%s is %s, want %s", got.Ref(), name, encode(t, v), encode(t, w))
		}
	}
}
