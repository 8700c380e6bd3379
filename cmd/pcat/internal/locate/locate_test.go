package locate_test

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func partsOf(data []byte) locate.Parts {
	return func() iter.Seq2[catalog.Part, error] {
		return catalog.NewReaderBytes(data, formats.RichJSON(), serialization.DecodeOptions{}).Parts()
	}
}

func relations(t testing.TB) locate.Parts {
	t.Helper()
	data, err := os.ReadFile("../../../../testdata/catalogs/relations/rich.json")
	if err != nil {
		t.Fatal(err)
	}
	return partsOf(data)
}

func target(t testing.TB, text string) locate.Target {
	t.Helper()
	found, ok := locate.Parse(text)
	if !ok {
		t.Fatalf("%s is no reference", text)
	}
	return found
}

// find returns the only resource that a target names, or nil.
func find(t testing.TB, parts locate.Parts, text string) *locate.Found {
	t.Helper()
	all, err := locate.Find(parts, target(t, text))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 || len(all[0].Found) > 1 {
		t.Fatalf("%s: %d catalogs, %d resources", text, len(all), len(all[0].Found))
	}
	if len(all[0].Found) == 0 {
		return nil
	}
	return all[0].Found[0]
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ text, ref, path string }{
		{"File[/etc/motd]", "File[/etc/motd]", ""},
		{"file[/etc/motd]", "File[/etc/motd]", ""},
		{"::ssh::KEY[a]", "Ssh::Key[a]", ""},
		{"File['/etc/motd']", "File[/etc/motd]", ""},
		{`Exec["a"]/command`, "Exec[a]", "command"},
		{"File[/etc/motd]/content", "File[/etc/motd]", "content"},
		{"File[/etc/motd]/content/", "File[/etc/motd]", "content"},
		{"Class[X]/options/key/0", "Class[X]", "options key 0"},
		{"Class[X]/files/File[/a]/mode", "Class[X]", "files File[ a] mode"},
		{"Exec[test [a]/b]/command", "Exec[test [a]/b]", "command"},
		{"Exec[a ]]", "Exec[a ]]", ""},
		{"Exec[a [b]", "Exec[a [b]", ""},
		{"Exec['a' 'b']", "Exec['a' 'b']", ""},
	} {
		got := target(t, tt.text)
		if got.Ref().String() != tt.ref || strings.Join(got.Path(), " ") != tt.path || got.String() != tt.text {
			t.Errorf("%s: got %s and %q", tt.text, got.Ref(), got.Path())
		}
	}
	for _, text := range []string{"", "File", "File[]", "File[/etc/motd", "/etc/[a]", "catalog.json", "a-b[c]", "[x]", "File::[x]", "9p[x]", "File[a]b"} {
		if got, ok := locate.Parse(text); ok {
			t.Errorf("%q is the reference %v", text, got)
		}
	}
}

// TestMatching finds resources of a compiled catalog by titles, names and aliases.
func TestMatching(t *testing.T) {
	parts := relations(t)
	for text, want := range map[string]string{
		"File[app dir]":                 "File[app dir]",
		"file['app dir']":               "File[app dir]",
		"File[/srv/app]":                "File[app dir]", // its path is /srv/app/
		"File[/srv/app/conf.d]":         "File[/srv/app/conf.d/]",
		"Package[app-server]":           "Package[app]",
		"Exec[zeta]":                    "Exec[build cache]",
		"Exec[/usr/bin/app-cache warm]": "", // a command is no name
		"User[owner]":                   "User[app owner]",
		"Class[site::app]":              "Class[Site::App]",
		"Class[Main]":                   "Class[main]",
		"site::vhost[www]":              "Site::Vhost[www]",
		"Site::Vhost[WWW]":              "",
		"Service[app]/subscribe/1":      "Service[app]",
	} {
		got := ""
		if f := find(t, parts, text); f != nil {
			got = f.Resource.Ref().String()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestTitleBeforeName(t *testing.T) {
	parts := partsOf([]byte(`{"resources":[
 {"type":"User","title":"a","parameters":{"name":"b"}},
 {"type":"User","title":"b","parameters":{"name":"c"}}]}`))
	for text, want := range map[string]string{"User[a]": "User[a]", "User[b]": "User[b]", "User[c]": "User[b]"} {
		if got := find(t, parts, text).Resource.Ref().String(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestSurroundings(t *testing.T) {
	parts := relations(t)
	for _, tt := range []struct{ text, containers, contents, relations string }{
		{"File[/srv/app/app.conf]", "Class[Site::App] Class[Site] Stage[main]", "", `
requires File[/srv/app/conf.d/] by File[/srv/app/app.conf]/require
requires Package[app] by File[/srv/app/app.conf]/require
notifies Service[app] by File[/srv/app/app.conf]/notify`},
		{"Service[app]", "Class[Site::App] Class[Site] Stage[main]", "", `
notified by Package[app] by Service[app]/subscribe
notified by Exec[build cache] by Service[app]/subscribe
notified by Exec[warm up] by Service[app]/subscribe
notified by File[/srv/app/app.conf] by File[/srv/app/app.conf]/notify`},
		{"Exec[build cache]", "Class[Site::App] Class[Site] Stage[main]", "", `
required by Exec[warm up] by Exec[warm up]/require
notifies Service[app] by Service[app]/subscribe`},
		{"File[/etc/vhosts/a]", "Site::Vhost[a] Class[main] Stage[main]", "", ""},
		{"Site::Vhost[www]", "Class[main] Stage[main]", "File[/etc/vhosts/www]", `
requires Class[Site] by Site::Vhost[www]/require
requires Site::Vhost[a] by Site::Vhost[a]/before
requires Site::Vhost[b] by Site::Vhost[b]/before`},
	} {
		f := find(t, parts, tt.text)
		containers, contents := fmt.Sprint(f.Containers), fmt.Sprint(f.Contents)
		if containers != "["+tt.containers+"]" || contents != "["+tt.contents+"]" {
			t.Errorf("%s: containers %s, contents %s", tt.text, containers, contents)
		}
		var b strings.Builder
		for _, r := range f.Relations {
			fmt.Fprintf(&b, "\n%s %s", r.Kind, r.Ref)
			for _, by := range r.By {
				fmt.Fprintf(&b, " by %s", by)
			}
		}
		if b.String() != tt.relations {
			t.Errorf("%s: relations%s\nwant%s", tt.text, b.String(), tt.relations)
		}
	}
}

// TestPuppetDB reads the same catalog as PuppetDB has it, with edges for relations.
func TestPuppetDB(t *testing.T) {
	data, err := os.ReadFile("../../../../testdata/catalogs/relations/puppetdb.json")
	if err != nil {
		t.Fatal(err)
	}
	brief := func(parts locate.Parts) string {
		f := find(t, parts, "Service[app]")
		var refs []string
		for _, r := range f.Relations {
			refs = append(refs, string(r.Kind)+" "+r.Ref.String())
		}
		slices.Sort(refs)
		return fmt.Sprint(f.Containers, refs)
	}
	if got, want := brief(partsOf(data)), brief(relations(t)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRelationToNothing(t *testing.T) {
	parts := partsOf([]byte(`{"resources":[
 {"type":"File","title":"/a","parameters":{"require":["File[/b]","Package[x]"],"subscribe":"no reference"}},
 {"type":"Package","title":"x"}]}`))
	got := find(t, parts, "File[/a]").Relations
	if len(got) != 2 || !got[0].Absent || got[0].Ref.Title != "/b" || got[1].Absent {
		t.Errorf("got %v", got)
	}
}

// TestCycle checks that containers which contain themselves do no harm.
func TestCycle(t *testing.T) {
	parts := partsOf([]byte(`{"resources":[{"type":"Class","title":"A"},{"type":"Class","title":"B"}],
"edges":[{"source":"Class[A]","target":"Class[B]"},{"source":"Class[B]","target":"Class[A]"}]}`))
	if got := fmt.Sprint(find(t, parts, "Class[A]").Containers); got != "[Class[B]]" {
		t.Errorf("got %s", got)
	}
}

// TestSeveralCatalogs checks that the resources of catalogs in one document stay apart.
func TestSeveralCatalogs(t *testing.T) {
	all, err := locate.Find(partsOf([]byte(`[
{"name":"a","environment":"test","resources":[{"type":"Notify","title":"x"}],"edges":[{"source":"Class[A]","target":"Notify[x]"}]},
{"name":"b","resources":[{"type":"Notify","title":"y"}],"edges":[{"source":"Class[B]","target":"Notify[x]"}]},
{"certname":"c","resources":[{"type":"Notify","title":"x"},{"type":"Notify","title":"y","parameters":{"require":"Notify[x]"}}],"edges":[]}]`)),
		target(t, "Notify[x]"), target(t, "Notify[y]"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%s:", c.Node)
		for _, f := range c.Found {
			fmt.Fprint(&b, " ", f.Resource.Ref(), f.Containers, len(f.Relations))
		}
		fmt.Fprintln(&b, " missing", c.Missing)
	}
	if want := `a: Notify[x] [Class[A]] 0 missing [1]
b: Notify[y] [] 0 missing [0]
c: Notify[x] [] 1 Notify[y] [] 1 missing []
`; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestValue(t *testing.T) {
	parts := partsOf([]byte(`{"resources":[{"type":"My","title":"x","tags":["t"],"parameters":{
 "list":[1,{"a":"b"}],"files":{"/etc/x":{"mode":"0644"},"/etc":{"x":5}},"text":"t","run as root":7,"secret":"s",
 "call":{"__ptype":"Deferred","name":"join","arguments":[["a","b"],"-"]},
 "nested":{"k":{"__ptype":"Sensitive","__pvalue":{"inner":"s"}}},
 "a/b":"slash","a/b/c":{"d":"deep"},"a":{"b":{"x":"short"}},"/":"root",
 "keys":{"__ptype":"Hash","__pvalue":[1,"one"]}},"sensitive_parameters":["secret"]}]}`))
	for path, want := range map[string]string{
		"list":              "[1, {'a' => 'b'}]",
		"list/1/a":          "'b'",
		"files//etc/x/mode": "'0644'",
		"files//etc/x":      "{'mode' => '0644'}",
		"files//etc":        "{'x' => 5}",
		"keys/1":            "'one'",
		"call/arguments/0":  "['a', 'b']",
		"call/name":         "'join'",
		"secret":            "Sensitive [value redacted]",
		"nested/k/inner":    "Sensitive [value redacted]",
		"tags/0":            "'t'",
		"text as password":  "'t'",
		"run as root":       "7",
		"lst":               `My[x] has no parameter "lst": [list files text run as root secret call nested a/b a/b/c a / keys]`,
		"a/b":               "'slash'", // the longest name first
		"a/b/c/d":           "'deep'",
		"a/b/x":             "'short'",
		"a/b/c/e":           `My[x]/a/b/c has no key "e": [d]`,
		"list/2":            `My[x]/list has no key "2": [0 1]`,
		"list/1/b":          `My[x]/list/1 has no key "b": [a]`,
		"files//etc/y":      `My[x]/files//etc has no key "y": [x]`,
		"text/0":            `My[x]/text has no parts, so there is no "0": []`,
	} {
		v, err := find(t, parts, "My[x]/"+path).Value()
		var location *locate.LocationError
		got := ""
		switch {
		case errors.As(err, &location):
			got = fmt.Sprint(err, ": ", location.Known)
		case err != nil:
			t.Fatal(err)
		default:
			got = v.String()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestNear(t *testing.T) {
	parts := relations(t)
	for text, want := range map[string]string{
		"File[/srv/app/ap.conf]":   "[File[/srv/app/app.conf]] true []",
		"File[app.conf]":           "[File[/srv/app/app.conf]] true []",
		"Fil[/srv/app/app.conf]":   "[File[/srv/app/app.conf]] false [File]",
		"Vhost[www]":               "[Site::Vhost[www]] false [Site::Vhost]",
		"Vhost[nothing like it]":   "[] false [Site::Vhost]",
		"Group[deploy]":            "[User[deploy]] true []",
		"Package[ap]":              "[Package[app]] true []",
		"Class[app]":               "[Class[Site::App]] true []",
		"Service[ap]":              "[Service[app]] true []",
		"Zpool[tank]":              "[] false []",
		"File[/etc/vhosts/c]/mode": "[File[/etc/vhosts/a] File[/etc/vhosts/b]] true []",
	} {
		s, err := locate.Near(parts, target(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.Refs, s.HasType, s.Types); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestSelector(t *testing.T) {
	parts := relations(t)
	for text, want := range map[string]string{
		"stage":               "Stage[main]",
		"Site::*":             "Site::Vhost[www] Site::Vhost[a] Site::Vhost[b]",
		"File[/srv/app/*]":    "File[/srv/app/conf.d/] File[/srv/app/app.conf]",
		"File[/srv/app]":      "File[app dir]",
		"File['/etc/*/?']":    "File[/etc/vhosts/a] File[/etc/vhosts/b]",
		"*[a]":                "Site::Vhost[a]",
		"site::vhost[*w*]":    "Site::Vhost[www]",
		"Class[site*]":        "",
		"Class[Site*]":        "Class[Site] Class[Site::App] Class[Site::Done]",
		"Notify[*\nlines]":    "Notify[two\nlines]",
		"Exec[alpha]":         "Exec[build cache]",
		"Exec[alph?]":         "Exec[build cache]",
		"Exec[/usr/bin/*]":    "",
		"Zpool":               "",
		"File[/srv/app/*/**]": "File[/srv/app/conf.d/]",
	} {
		s, ok := locate.ParseSelector(text)
		if !ok {
			t.Errorf("%s is no selector", text)
			continue
		}
		var refs []string
		for p, err := range parts() {
			if err != nil {
				t.Fatal(err)
			}
			if p.Kind == catalog.PartResource && s.Match(p.Resource) {
				refs = append(refs, p.Resource.Ref().String())
			}
		}
		if got := strings.Join(refs, " "); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"", "File[", "File[]", "a.json", "File[/a]/content", "catalogs/*", "a b"} {
		if _, ok := locate.ParseSelector(text); ok {
			t.Errorf("%q is a selector", text)
		}
	}
}

// TestErrors checks that an unreadable document is an error of each function.
func TestErrors(t *testing.T) {
	parts := partsOf([]byte(`{"resources":[{"type":"File","title":"/a"},`))
	if _, err := locate.Find(parts, target(t, "File[/a]")); err == nil {
		t.Error("Find: no error")
	}
	if _, err := locate.Near(parts, target(t, "File[/a]")); err == nil {
		t.Error("Near: no error")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("Exec[test [a]/b]/command/0")
	f.Add("File['*']")
	f.Add("[[[[]]]]")
	f.Fuzz(func(t *testing.T, text string) {
		if got, ok := locate.Parse(text); ok && (got.Ref().Title == "" || got.String() != text) {
			t.Errorf("%q: %v", text, got.Ref())
		}
		locate.ParseSelector(text)
	})
}

// TestBare finds resources by a title or a name without a type.
func TestBare(t *testing.T) {
	parts := partsOf([]byte(`{"resources":[{"type":"File","title":"motd","parameters":{"path":"/etc/motd"}},{"type":"Class","title":"Site::Web"},
{"type":"Package","title":"nginx"},{"type":"Service","title":"nginx"},{"type":"User","title":"/etc/motd2"}],"edges":[]}`))
	for title, want := range map[string]string{
		"motd":      "[File[motd]]",
		"/etc/motd": "[File[motd]]",
		"site::web": "[Class[Site::Web]]",
		"nginx":     "[Package[nginx] Service[nginx]]",
		"apache":    "[]",
	} {
		all, err := locate.Find(parts, locate.Bare(title))
		if err != nil {
			t.Fatal(err)
		}
		refs := []catalog.Ref{}
		for _, f := range all[0].Found {
			refs = append(refs, f.Resource.Ref())
		}
		if got := fmt.Sprint(refs); got != want {
			t.Errorf("%s: got %s, want %s", title, got, want)
		}
		if ambiguous := all[0].Ambiguous(0); (len(ambiguous) > 0) != (len(refs) > 1) {
			t.Errorf("%s: ambiguous: %v", title, ambiguous)
		}
	}
	if got := fmt.Sprint(locate.Bare("nginx").Refs(slices.Values([]string{"Package", "Class"}))); got != "[Package[nginx] Class[Nginx]]" {
		t.Errorf("got %s", got)
	}
	if near, err := locate.Near(parts, locate.Bare("ngins")); err != nil || fmt.Sprint(near.Refs) != "[Package[nginx] Service[nginx]]" {
		t.Errorf("got %v, %v", near.Refs, err)
	}
}
