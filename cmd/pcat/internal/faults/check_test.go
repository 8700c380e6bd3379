package faults_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/internal/test/catalogtest"
	"github.com/pcatdev/pcat/sensitive"
)

// Each graph that Puppet refuses has one finding with its message; the others
// have no faults.
func TestPuppet(t *testing.T) {
	f, err := os.Open("../../../../testdata/graphs/truth.jsonl")
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
			found := faultsOf(t, filepath.Join("../../../../testdata/graphs", truth.Graph+".json"))
			cycles := [][]string{}
			for _, f := range found {
				if f.Kind == faults.Cycle {
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
				if n := len(found) - len(cycles); n != 0 && truth.Graph != "edited-uncontained" {
					t.Errorf("%d other faults: %+v", n, found)
				}
			case len(found) == 0:
				t.Errorf("no fault; Puppet says\n%s", truth.Error)
			case !slices.ContainsFunc(found[0].Puppet, func(p string) bool { return strings.Contains(truth.Error, p) }):
				// Puppet knows the default provider of a package, and keeps the spelling of an edge.
				if truth.Graph != "pkg-dup-prov" && truth.Graph != "edited-edgetarget" {
					t.Errorf("%s\nPuppet: %s", found[0].Puppet, truth.Error)
				}
			}
		})
	}
}

// Catalogs that Puppet compiled from correct manifests have no faults, in any
// form.
func TestSilent(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/catalogs/*/*")
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

func faultsOf(t *testing.T, file string) []faults.Finding {
	t.Helper()
	f, err := catalog.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []faults.Finding
	for c, err := range f.Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		list, err := faults.Catalog(c, new(sensitive.Redactor), faults.Options{NoHints: true})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	return all
}

func parse(t *testing.T, text string) *catalog.Catalog {
	t.Helper()
	return catalogtest.Only(t, catalogtest.JSON(text)())
}

const contained = `{"name":"n","resources":[{"type":"Stage","title":"main"},{"type":"Class","title":"main","kind":"class"},`

func TestHints(t *testing.T) {
	for _, tt := range []struct{ name, resources, want string }{
		{"a service after its package", `{"type":"Package","title":"x"},{"type":"Service","title":"x","parameters":{"require":"Package[x]"}}`, ""},
		{"a service without a relationship", `{"type":"Package","title":"x"},{"type":"Service","title":"x"}`, "missing-order Service[x] Package[x]"},
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
		{"an exec of a script in its arguments", `{"type":"Exec","title":"e","parameters":{"command":"/bin/sh '/opt/run.sh' -v"}},{"type":"File","title":"/opt/run.sh","parameters":{"content":"x"}}`, "missing-order Exec[e] File[/opt/run.sh]"},
		{"an exec of a script in a list", `{"type":"Exec","title":"e","parameters":{"command":["/bin/sh","/opt/run.sh"]}},{"type":"File","title":"/opt/run.sh","parameters":{"source":"puppet:///x"}}`, "missing-order Exec[e] File[/opt/run.sh]"},
		{"an exec of a script by autorequire", `{"type":"Exec","title":"/opt/run.sh"},{"type":"File","title":"/opt/run.sh","parameters":{"content":"x"}}`, ""},
		{"an exec after its script", `{"type":"Exec","title":"/bin/sh /opt/run.sh"},{"type":"File","title":"/opt/run.sh","parameters":{"content":"x","notify":"Exec[/bin/sh /opt/run.sh]"}}`, ""},
		{"an exec that writes a file", `{"type":"Exec","title":"/bin/gen > /opt/x"},{"type":"Exec","title":"/bin/mk /opt/x","parameters":{"creates":"/opt/x"}},{"type":"File","title":"/opt/x","parameters":{"content":"x"}}`, ""},
		{"an exec of a directory", `{"type":"Exec","title":"/bin/chown -R a /opt/x"},{"type":"File","title":"/opt/x","parameters":{"ensure":"directory"}}`, ""},
		{"an exec with a group", `{"type":"Exec","title":"/bin/x","parameters":{"group":"g"}},{"type":"Group","title":"g"}`, "missing-order Exec[/bin/x] Group[g]"},
		{"an exec with a user", `{"type":"Exec","title":"/bin/x","parameters":{"user":"u"}},{"type":"User","title":"u"}`, ""},
		{"a file of a number", `{"type":"File","title":"/a","parameters":{"owner":4711}},{"type":"User","title":"u","parameters":{"uid":"4711"}}`, "missing-order File[/a] User[u]"},
		{"a file of root", `{"type":"File","title":"/a","parameters":{"owner":0,"group":"0"}},{"type":"User","title":"root","parameters":{"uid":0}},{"type":"Group","title":"root","parameters":{"gid":0}}`, ""},
		{"a file in a home directory", `{"type":"File","title":"/home/u/.x"},{"type":"User","title":"u","parameters":{"home":"/home/u","managehome":true}}`, "missing-order File[/home/u/.x] User[u]"},
		{"a file of a user in its home directory", `{"type":"File","title":"/home/u/.x","parameters":{"owner":"u"}},{"type":"User","title":"u","parameters":{"home":"/home/u","managehome":true}}`, ""},
		{"a home directory that exists", `{"type":"File","title":"/srv/u/.x"},{"type":"User","title":"u","parameters":{"home":"/srv"}}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			findings, err := faults.Catalog(parse(t, contained+tt.resources+`],"edges":[]}`), new(sensitive.Redactor), faults.Options{})
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

// The remedy for a cycle names all relations that say the same: without one of them, it remains.
func TestRemedy(t *testing.T) {
	c := parse(t, contained+`{"type":"Notify","title":"a","file":"/m.pp","line":1,"parameters":{"notify":"Notify[b]"}},
		{"type":"Notify","title":"b","file":"/m.pp","line":2,"parameters":{"subscribe":"Notify[a]","before":"Notify[c]"}},
		{"type":"Notify","title":"c","parameters":{"before":"Notify[a]","require":"Notify[d]"}},
		{"type":"Notify","title":"d","parameters":{"require":"Notify[b]","before":"Notify[a]"}}],"edges":[]}`)
	findings, err := faults.Catalog(c, new(sensitive.Redactor), faults.Options{NoHints: true})
	if err != nil || len(findings) != 1 {
		t.Fatal(findings, err)
	}
	want := "remove notify => Notify[b] from Notify[a] (/m.pp:1) and subscribe => Notify[a] from Notify[b] (/m.pp:2), which breaks the cycle"
	if got := findings[0].Fix; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Hints about containers: classes, stages, and the collectors that catalogs contain only as
// their relations.
func TestHintsOfContainers(t *testing.T) {
	const (
		web    = `{"type":"Class","title":"Web","kind":"class"},{"type":"File","title":"/a","parameters":{"notify":"Class[Web]"}},{"type":"Service","title":"s"}`
		inWeb  = `{"source":"Class[Web]","target":"Service[s]"}`
		stages = `{"type":"Notify","title":"n"},{"type":"Notify","title":"p","parameters":{"before":"Notify[n]"}},{"type":"Stage","title":"pre"`
		inPre  = `{"source":"Stage[main]","target":"Notify[n]"},{"source":"Stage[pre]","target":"Notify[p]"}`
	)
	collected := func(from, to int) string {
		var list, refs []string
		for i := range to {
			list = append(list, fmt.Sprintf(`{"type":"Package","title":"p%d"}`, i))
			refs = append(refs, fmt.Sprintf(`"Package[p%d]"`, i))
		}
		for i := range from {
			list = append(list, fmt.Sprintf(`{"type":"Yumrepo","title":"y%d","parameters":{"before":[%s]}}`, i, strings.Join(refs, ",")))
		}
		return strings.Join(list, ",")
	}
	for _, tt := range []struct{ name, resources, edges, want string }{
		{"a class with one service", web, inWeb, ""},
		{
			"a class with a service and an exec", web + `,{"type":"Exec","title":"/e"}`, inWeb + `,{"source":"Class[Web]","target":"Exec[/e]"}`,
			"a change of File[/a] refreshes all of Class[Web]: Service[s], Exec[/e]",
		},
		{
			"a class with a service and an exec for refreshes", web + `,{"type":"Exec","title":"/e","parameters":{"refreshonly":true}}`,
			inWeb + `,{"source":"Class[Web]","target":"Exec[/e]"}`, "",
		},
		{
			"stages in order", stages + `,"parameters":{"before":"Stage[main]"}}`, inPre,
			"Notify[n] is after Notify[p] without their relationship: Stage[pre] is before Stage[main]",
		},
		{"stages without order", stages + `}`, inPre, "Notify[n] is after Notify[p], although Stage[pre] and Stage[main] have no order"},
		{"a refresh of another stage", strings.Replace(stages, "before", "notify", 1) + `,"parameters":{"before":"Stage[main]"}}`, inPre, ""},
		{"an arrow of few", collected(2, 20), "", ""},
		{"an arrow of many", collected(10, 60), "", "600 relationships put each of 10 Yumrepo resources before each of 60 Package resources"},
		{"an arrow of one", collected(1, 600), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			findings, err := faults.Catalog(parse(t, contained+tt.resources+`],"edges":[`+tt.edges+`]}`), new(sensitive.Redactor), faults.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, f := range findings {
				if f.Severity == faults.Hint && f.Kind != faults.OrphanNotify {
					got += f.Message
				}
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// Redundant relations are found on request only, and never all of a pair.
func TestRedundant(t *testing.T) {
	c := parse(t, contained+`{"type":"Notify","title":"a"},{"type":"Notify","title":"b","parameters":{"require":"Notify[a]"}},
		{"type":"Notify","title":"c","parameters":{"require":["Notify[a]","Notify[b]"]}},
		{"type":"Notify","title":"d","parameters":{"require":"Notify[e]"}},{"type":"Notify","title":"e","parameters":{"before":"Notify[d]"}},
		{"type":"Notify","title":"f","parameters":{"require":["Class[X]","Notify[g]"]}},{"type":"Notify","title":"g"},{"type":"Class","title":"X","kind":"class"}],
		"edges":[{"source":"Class[X]","target":"Notify[g]"}]}`)
	for all, want := range map[bool]string{
		false: "",
		true: "Notify[c] is after Notify[a] without its require, because of Notify[b] in between\n" +
			"Notify[d] is after Notify[e] without its require, because of another relationship between them\n" +
			"Notify[f] is after Notify[g] without its require, because of Class[X] in between\n",
	} {
		findings, err := faults.Catalog(c, new(sensitive.Redactor), faults.Options{AllHints: all})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range findings {
			if f.Severity == faults.Hint {
				got += f.Message + "\n"
			}
		}
		if got != want {
			t.Errorf("all %v:\n%swant\n%s", all, got, want)
		}
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
		{
			"a path that is an alias, too", `{"type":"File","title":"/a"},{"type":"File","title":"b","parameters":{"path":"/a","alias":["/a"]}}`,
			"duplicate File[b] ",
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
			findings, err := faults.Catalog(parse(t, contained+tt.resources+`],"edges":[]}`), new(sensitive.Redactor), faults.Options{NoHints: true})
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
		severity faults.Severity
		members  int
	}{
		{"without modules", nil, "Frobnicate[b]", faults.Hint, 2},
		{"with modules", faults.ModuleTypes(modules), "Concat_file[a]", faults.Error, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			findings, err := faults.Catalog(c, new(sensitive.Redactor), faults.Options{HasType: tt.has})
			if err != nil {
				t.Fatal(err)
			}
			if len(findings) != 1 || findings[0].Kind != faults.UnknownType || findings[0].Ref.String() != tt.want || findings[0].Severity != tt.severity || len(findings[0].Members) != tt.members {
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
		{"type":"Odd","title":"` + secret + `","kind":"compilable_type"},{"type":"Odd","title":"o ` + secret + `","kind":"compilable_type"},
		{"type":"Exec","title":"/bin/sh /opt/` + secret + `"},{"type":"File","title":"/opt/` + secret + `","parameters":{"content":"x","notify":"Class[` + secret + `]"}},
		{"type":"Class","title":"` + secret + `","kind":"class"},{"type":"Service","title":"` + secret + `"},{"type":"Exec","title":"` + secret + `"},
		{"type":"Stage","title":"` + secret + `"},{"type":"Notify","title":"n ` + secret + `","parameters":{"before":["User[u]","User[u]"]}},
		{"type":"User","title":"u","parameters":{"password":"` + secret + `"},"sensitive_parameters":["password"]}],
		"edges":[{"source":"Class[main]","target":"Notify[e ` + secret + `]"},{"source":"Class[main]","target":"User[u]"},{"source":"Stage[main]","target":"Class[main]"},
		{"source":"Class[` + secret + `]","target":"Service[` + secret + `]"},{"source":"Class[` + secret + `]","target":"Exec[` + secret + `]"},
		{"source":"Stage[` + secret + `]","target":"Notify[n ` + secret + `]"}]}`
	collector := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := collector.Collect(catalogtest.JSON(text)()); err != nil {
		t.Fatal(err)
	}
	findings, err := faults.Catalog(parse(t, text), collector.Secrets().Redactor(nil), faults.Options{AllHints: true})
	if err != nil {
		t.Fatal(err)
	}
	kinds := make(map[faults.Kind]bool)
	for _, f := range findings {
		kinds[f.Kind] = true
	}
	for _, kind := range []faults.Kind{
		faults.Cycle, faults.Dangling, faults.DanglingEdge, faults.Duplicate, faults.UnknownType, faults.Uncontained,
		faults.MissingOrder, faults.NotifyClass, faults.CrossesStage,
	} {
		if !kinds[kind] {
			t.Errorf("no %s", kind)
		}
	}
	data, err := json.Marshal(findings)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.ToLower(string(data)), strings.ToLower(secret)) {
		t.Errorf("a secret is printed: %s", data)
	}
}
