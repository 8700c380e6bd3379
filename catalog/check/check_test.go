package check_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/check"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Each graph that Puppet refuses has one finding with its message; the others
// have no faults.
func TestPuppet(t *testing.T) {
	f, err := os.Open("../../testdata/graphs/truth.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for s := bufio.NewScanner(f); s.Scan(); {
		var truth struct {
			Graph   string
			Cycles  [][]string
			Printed []string
			Error   string
		}
		if err := json.Unmarshal(s.Bytes(), &truth); err != nil {
			t.Fatal(err)
		}
		t.Run(truth.Graph, func(t *testing.T) {
			faults := faultsOf(t, filepath.Join("../../testdata/graphs", truth.Graph+".json"))
			cycles := [][]string{}
			for _, f := range faults {
				if f.Kind == check.Cycle {
					var members []string
					for _, m := range f.Members {
						members = append(members, m.String())
					}
					slices.Sort(members)
					cycles = append(cycles, members)
					if !slices.ContainsFunc(truth.Printed, func(p string) bool { return strings.Contains(f.Puppet[0], "("+p+")") }) {
						t.Errorf("%s\nPuppet: %s", f.Puppet, truth.Printed)
					}
				}
			}
			switch {
			case truth.Error == "":
				if diff := cmp.Diff(truth.Cycles, cycles); diff != "" {
					t.Errorf("cycles (-puppet +pcat)\n%s", diff)
				}
				if n := len(faults) - len(cycles); n != 0 && truth.Graph != "edited-uncontained" {
					t.Errorf("%d other faults: %+v", n, faults)
				}
			case len(faults) == 0:
				t.Errorf("no fault; Puppet says\n%s", truth.Error)
			case !slices.ContainsFunc(faults[0].Puppet, func(p string) bool { return strings.Contains(truth.Error, p) }):
				// Puppet knows the default provider of a package, and keeps the spelling of an edge.
				if truth.Graph != "pkg-dup-prov" && truth.Graph != "edited-edgetarget" {
					t.Errorf("%s\nPuppet: %s", faults[0].Puppet, truth.Error)
				}
			}
		})
	}
}

// Catalogs that Puppet compiled from correct manifests have no faults, in any
// form.
func TestSilent(t *testing.T) {
	files, err := filepath.Glob("../../testdata/catalogs/*/*")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		switch base := filepath.Base(file); {
		case base == "facts.json", strings.HasSuffix(base, ".dot"), strings.HasSuffix(base, ".pp"), strings.Contains(file, "modules"):
			continue
		case strings.HasSuffix(file, "rich/plain.json"), strings.HasSuffix(file, "rich/plain.msgpack"):
			continue // of lost types
		}
		n++
		for _, f := range faultsOf(t, file) {
			t.Errorf("%s: %s: %s", file, f.Kind, f.Message)
		}
	}
	if n < 40 {
		t.Errorf("%d catalogs", n)
	}
}

func faultsOf(t *testing.T, file string) []check.Finding {
	t.Helper()
	f, err := catalog.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []check.Finding
	for c, err := range f.Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		list, err := check.Catalog(c, check.Options{NoHints: true})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	return all
}

func parse(t *testing.T, text string) *catalog.Catalog {
	t.Helper()
	for c, err := range reader(t, text).Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	t.Fatal("no catalog")
	return nil
}

func reader(t *testing.T, text string) *catalog.Reader {
	t.Helper()
	form, err := formats.Default().ByName("rich-json")
	if err != nil {
		t.Fatal(err)
	}
	return catalog.NewReaderBytes([]byte(text), form, serialization.DecodeOptions{})
}

const contained = `{"name":"n","resources":[{"type":"Stage","title":"main"},{"type":"Class","title":"main","kind":"class"},`

func TestHints(t *testing.T) {
	for _, tt := range []struct{ name, resources, want string }{
		{"a service after its package", `{"type":"Package","title":"x"},{"type":"Service","title":"x","parameters":{"require":"Package[x]"}}`, ""},
		{"a service without a relation", `{"type":"Package","title":"x"},{"type":"Service","title":"x"}`, "missing-order Service[x] Package[x]"},
		{"a service before its package", `{"type":"Package","title":"x"},{"type":"Service","title":"x","parameters":{"before":"Package[x]"}}`, ""},
		{"a service of a package by name", `{"type":"Package","title":"web","parameters":{"name":"x"}},{"type":"Service","title":"x"}`, "missing-order Service[x] Package[web]"},
		{"a removed package", `{"type":"Package","title":"x","parameters":{"ensure":"absent"}},{"type":"Service","title":"x"}`, ""},
		{"a file of a package", `{"type":"Package","title":"x"},{"type":"File","title":"/etc/x/y.conf"}`, "missing-order File[/etc/x/y.conf] Package[x]"},
		{"a file in a directory that requires it", `{"type":"Package","title":"x"},{"type":"File","title":"/etc/x","parameters":{"require":"Package[x]"}},{"type":"File","title":"/etc/x/y"}`, ""},
		{"a notified file", `{"type":"File","title":"/a","parameters":{"notify":"File[/b]"}},{"type":"File","title":"/b"}`, "orphan-notify File[/b] File[/a]"},
		{"a notified resource of a module", `{"type":"File","title":"/a","parameters":{"notify":"Thing[b]"}},{"type":"Thing","title":"b"}`, ""},
		{"a package that reinstalls", `{"type":"File","title":"/a","parameters":{"notify":"Package[b]"}},{"type":"Package","title":"b","parameters":{"reinstall_on_refresh":true}}`, ""},
		{"a file before its directory", `{"type":"File","title":"/a/b","parameters":{"before":"File[/a]"}},{"type":"File","title":"/a"}`, "late-parent File[/a/b] File[/a]"},
		{"two files before their directory", `{"type":"File","title":"/a/b","parameters":{"before":"File[/a]"}},{"type":"File","title":"/a"},{"type":"File","title":"/a/c","parameters":{"before":"File[/a]"}}`, "late-parent File[/a/b] File[/a]"},
		{"a file before a directory that is purged", `{"type":"File","title":"/a/b","parameters":{"before":"File[/a]"}},{"type":"File","title":"/a","parameters":{"recurse":true,"purge":true}}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			findings, err := check.Catalog(parse(t, contained+tt.resources+`],"edges":[]}`), check.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range findings {
				got = append(got, string(f.Kind)+" "+f.Ref.String()+" "+f.Other.String())
			}
			if s := strings.Join(got, "\n"); s != tt.want {
				t.Errorf("got %s, want %s", s, tt.want)
			}
		})
	}
}

// A fault is found once, whichever way the catalog spells it.
func TestFaults(t *testing.T) {
	for _, tt := range []struct{ name, resources, want string }{
		{"a missing resource twice", `{"type":"Notify","title":"a","parameters":{"require":["Notify[b]","Notify[b]"]}}`, "dangling Notify[a] Notify[b]"},
		{
			"a missing resource in two parameters",
			`{"type":"Notify","title":"a","parameters":{"require":"Notify[b]","subscribe":"Notify[b]"}}`, "dangling Notify[a] Notify[b]",
		},
		{
			"two missing resources", `{"type":"Notify","title":"a","parameters":{"require":["Notify[b]","Notify[c]"]}}`,
			"dangling Notify[a] Notify[b]\ndangling Notify[a] Notify[c]",
		},
		{"a mount point with a slash", `{"type":"Mount","title":"/d"},{"type":"Mount","title":"/d/"}`, "duplicate Mount[/d/] "},
		{"a mount below one with a slash", `{"type":"Mount","title":"/d/"},{"type":"Mount","title":"/d/e","parameters":{"before":"Mount[/d/]"}}`, ""},
		{"a name that is a number", `{"type":"Notify","title":"1"},{"type":"Notify","title":"a","parameters":{"name":1}}`, ""},
		{
			"an instance of a define with the name of another", `{"type":"D","title":"a","kind":"defined_type"},{"type":"D","title":"b","kind":"defined_type","parameters":{"name":"a"}}`,
			"duplicate D[b] ",
		},
		{
			"a reference to an instance of a define by name",
			`{"type":"D","title":"b","kind":"defined_type","parameters":{"name":"a"}},{"type":"Notify","title":"n","parameters":{"require":"D[a]"}}`, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			findings, err := check.Catalog(parse(t, contained+tt.resources+`],"edges":[]}`), check.Options{NoHints: true})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range findings {
				got = append(got, string(f.Kind)+" "+f.Ref.String()+" "+f.Target)
			}
			if s := strings.Join(got, "\n"); s != tt.want {
				t.Errorf("got %s, want %s", s, tt.want)
			}
		})
	}
}

func TestTypes(t *testing.T) {
	c := parse(t, contained+`{"type":"Concat_file","title":"a","kind":"compilable_type"},{"type":"Frobnicate","title":"b","kind":"compilable_type"},
		{"type":"Frobnicate","title":"c","kind":"compilable_type"},{"type":"My::Define","title":"d","kind":"defined_type"}],"edges":[]}`)
	modules := t.TempDir()
	dir := filepath.Join(modules, "m", "lib", "puppet", "type")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "frobnicate.rb"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		has      func(string) bool
		want     string
		severity check.Severity
		members  int
	}{
		{"without modules", nil, "Frobnicate[b]", check.Warning, 2},
		{"with modules", check.ModuleTypes(modules), "Concat_file[a]", check.Error, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			findings, err := check.Catalog(c, check.Options{HasType: tt.has})
			if err != nil {
				t.Fatal(err)
			}
			if len(findings) != 1 || findings[0].Kind != check.UnknownType || findings[0].Ref.String() != tt.want || findings[0].Severity != tt.severity || len(findings[0].Members) != tt.members {
				t.Errorf("%+v", findings)
			}
		})
	}
}

// Titles with a declared secret, or a copy of one, are masked in all texts.
func TestMask(t *testing.T) {
	const secret = "Tr0ub4dor-and-3"
	text := contained + `{"type":"Notify","title":"` + secret + `","file":"/` + secret + `.pp","line":1,"parameters":{"require":"Notify[x ` + secret + `]","alias":"` + secret + ` again"}},
		{"type":"Notify","title":"x ` + secret + `","parameters":{"require":["Notify[` + secret + `]","Notify[no ` + secret + `]"],"alias":"` + secret + ` again"}},
		{"type":"Notify","title":"x ` + secret + `"},
		{"type":"Odd","title":"` + secret + `","kind":"compilable_type"},
		{"type":"User","title":"u","parameters":{"password":"` + secret + `"},"sensitive_parameters":["password"]}],
		"edges":[{"source":"Class[main]","target":"Notify[e ` + secret + `]"},{"source":"Class[main]","target":"User[u]"}]}`
	collector := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := collector.Collect(reader(t, text)); err != nil {
		t.Fatal(err)
	}
	findings, err := check.Catalog(parse(t, text), check.Options{Mask: collector.Secrets().Redactor(nil)})
	if err != nil {
		t.Fatal(err)
	}
	if len(findings) < 6 {
		t.Errorf("%d findings", len(findings))
	}
	data, err := json.Marshal(findings)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.ToLower(string(data)), strings.ToLower(secret)) {
		t.Errorf("a secret is printed: %s", data)
	}
}
