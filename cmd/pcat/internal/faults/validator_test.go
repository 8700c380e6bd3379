package faults_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// modules writes a module m and loads it.
func modules(t testing.TB, files map[string]string) *eval.Loader {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, "m", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return eval.NewLoader(function.Tree{ModulePath: []string{dir}}, nil, eval.Lax())
}

// faultsIn returns the faults in a catalog and the errors, as text.
func faultsIn(t testing.TB, v *faults.Validator, data []byte) (found, failed []string) {
	t.Helper()
	format := formats.RichJSON()
	for r, err := range catalog.NewReaderBytes(data, format, serialization.DecodeOptions{}).Resources() {
		if err != nil {
			t.Fatal(err)
		}
		findings, err := v.Resource(r)
		if err != nil {
			failed = append(failed, err.Error())
		}
		for _, f := range findings {
			found = append(found, f.At.String()+": "+f.Message)
		}
	}
	return found, failed
}

var module = map[string]string{
	"manifests/thing.pp": `define m::thing(
  Integer[1, 65535] $port,
  Optional[Enum[a, b]] $mode,
  Sensitive[String] $password = Sensitive('x'),
  Optional[Sensitive[Integer]] $pin = undef,
  $anything = 1,
  Hash[String, Array[Integer]] $tree = {},
  Optional[M::Point] $at = undef,
) { file { $name: } }`,
	"manifests/init.pp":   `class m($x = 1) { }`,
	"manifests/broken.pp": `define m::broken(Nope::Nope $x) { }`,
	"types/line.pp":       `type M::Line = Object[{attributes => {from => M::Point, to => M::Point}}]`,
	"types/point.pp":      `type M::Point = Object[{attributes => {x => Integer, y => {type => Enum[up, down], value => up}}}]`,
}

// one returns a catalog with one resource.
func one(typ, title, parameters string, sensitive ...string) []byte {
	listed := ""
	if len(sensitive) > 0 {
		listed = fmt.Sprintf(`,"sensitive_parameters":[%q]`, sensitive[0])
	}
	return fmt.Appendf(nil, `{"name":"n","resources":[{"type":%q,"title":%q,"parameters":%s%s}],"edges":[]}`, typ, title, parameters, listed)
}

func TestValidator(t *testing.T) {
	for _, tt := range []struct {
		name string
		data []byte
		want []string
	}{
		{"as declared", one("M::Thing", "t", `{"port":80,"mode":"a","password":"long enough","name":"t","require":"File[/x]"}`, "password"), nil},
		{"undef is left out", one("M::Thing", "t", `{"port":80}`), nil},
		{"a class", one("Class", "M", `{"x":[1]}`), nil},
		{"a call", one("M::Thing", "t", `{"port":{"__ptype":"Deferred","name":"f"}}`), nil},
		{"of Puppet", one("File", "/x", `{"mode":1}`), nil},
		{"out of range", one("M::Thing", "t", `{"port":0}`), []string{"M::Thing[t]/port: parameter 'port' expects an Integer[1, 65535] value, got Integer[0, 0]"}},
		{"a word", one("M::Thing", "t", `{"port":1,"mode":"c"}`), []string{"M::Thing[t]/mode: parameter 'mode' expects an undef value or a match for Enum['a', 'b'], got 'c'"}},
		{"inside", one("M::Thing", "t", `{"port":1,"tree":{"a":[1,"x"],"b":"y"}}`), []string{
			"M::Thing[t]/tree: parameter 'tree' entry 'a' index 1 expects an Integer value, got String",
			"M::Thing[t]/tree: parameter 'tree' entry 'b' expects an Array value, got String",
		}},
		{"not Sensitive", one("M::Thing", "t", `{"port":1,"password":"hunter2hunter2"}`), []string{"M::Thing[t]/password: parameter 'password' expects a Sensitive[String] value, got String"}},
		{"Sensitive in place of text", one("M::Thing", "t", `{"port":1,"mode":"a"}`, "mode"), []string{"M::Thing[t]/mode: parameter 'mode' expects an undef value or a match for Enum['a', 'b'], got Sensitive[String]"}},
		{"missing", one("M::Thing", "t", `{}`), []string{"M::Thing[t]: expects a value for parameter 'port'"}},
		{"unknown", one("M::Thing", "t", `{"port":1,"prot":2}`), []string{"M::Thing[t]/prot: has no parameter named 'prot'"}},
		{"an object", one("M::Thing", "t", `{"port":1,"at":{"__ptype":"M::Point","x":1}}`), nil},
		{"objects anywhere", one("Notify", "t", `{"message":[{"__ptype":"M::Point","x":"1","z":2}]}`), []string{
			"Notify[t]/message/0: M::Point initializer entry 'x' expects an Integer value, got String",
			"Notify[t]/message/0: M::Point initializer unrecognized key 'z'",
		}},
		{"an object that lacks something", one("Notify", "t", `{"message":{"__ptype":"M::Point","y":"up"}}`), []string{"Notify[t]/message: M::Point initializer expects a value for key 'x'"}},
		{"an object in an object", one("Notify", "t", `{"message":{"__ptype":"M::Line","from":{"__ptype":"M::Point","x":1},"to":{"__ptype":"M::Point","x":true}}}`), []string{"Notify[t]/message/to: M::Point initializer entry 'x' expects an Integer value, got Boolean"}},
		{"another object", one("M::Thing", "t", `{"port":1,"at":{"__ptype":"M::Other","x":1}}`), []string{"M::Thing[t]/at: parameter 'at' expects a value of type Undef or M::Point, got TypeReference"}},
		{"an unknown object", one("Notify", "t", `{"message":{"__ptype":"M::Other","y":"up"}}`), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, failed := faultsIn(t, faults.NewValidator(modules(t, module)), tt.data)
			if diff := cmp.Diff(tt.want, found); diff != "" || failed != nil {
				t.Error(diff, failed)
			}
		})
	}
}

// TestNoSecrets checks attributes inside a secret, and secrets of the wrong
// type.
func TestValidatorNoSecrets(t *testing.T) {
	point := `{"__ptype":"M::Point","x":1,"y":"hunter2"}`
	for _, data := range [][]byte{
		one("M::Thing", "t", `{"port":1,"pin":"hunter2"}`, "pin"),
		one("M::Thing", "t", `{"port":1,"mode":"hunter2"}`, "mode"),
		one("M::Thing", "t", `{"port":1,"mode":{"__ptype":"Sensitive","__pvalue":"hunter2"}}`),
		one("Notify", "t", `{"message":{"__ptype":"Sensitive","__pvalue":{"__ptype":"M::Point","x":1,"hunter2":1}}}`),
		one("Notify", "t", `{"message":`+point+`}`, "message"),
		one("Notify", "t", `{"message":[{"__ptype":"Sensitive","__pvalue":`+point+`}]}`),
	} {
		found, _ := faultsIn(t, faults.NewValidator(modules(t, module)), data)
		if text := strings.Join(found, "\n"); text == "" || strings.Contains(text, "hunter2") {
			t.Errorf("%s\n%s", data, text)
		}
	}
}

// TestBrokenModule checks that an error in a module is reported once, and does
// not prevent other checks.
func TestValidatorBrokenModule(t *testing.T) {
	data := []byte(`{"name":"n","resources":[
		{"type":"M::Broken","title":"a","parameters":{"x":1}},
		{"type":"M::Broken","title":"b","parameters":{"x":1}},
		{"type":"M::Thing","title":"t","parameters":{"port":0}}],"edges":[]}`)
	v := faults.NewValidator(modules(t, module))
	found, failed := faultsIn(t, v, data)
	if len(found) != 1 || len(failed) != 1 || !strings.Contains(failed[0], "broken.pp") {
		t.Errorf("found %q, failed %q", found, failed)
	}
	if v.Checked != 1 || v.Passed != 0 {
		t.Errorf("checked %d, passed %d", v.Checked, v.Passed)
	}
}

// TestRealCatalogs checks that catalogs compiled by Puppet with these modules
// are valid.
func TestValidatorRealCatalogs(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/catalogs/*/rich.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no catalogs", err)
	}
	l := eval.NewLoader(function.Tree{ModulePath: []string{"../../../../testdata/catalogs/modules"}}, nil, eval.Lax())
	v := faults.NewValidator(l)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found, failed := faultsIn(t, v, data); found != nil || failed != nil {
			t.Errorf("%s:\n%s\n%s", file, strings.Join(found, "\n"), strings.Join(failed, "\n"))
		}
	}
	if v.Checked < 20 {
		t.Errorf("only %d resources were checked", v.Checked)
	}
}
