package auditconfig_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

// The last rule that matches a manifest decides, in each section; lines that are not valid are
// skipped, as code hosts do.
func TestParseCodeOwners(t *testing.T) {
	const github = `# owners
*                       @example/platform
/site/profile/          @example/apps dba@example.com   # two
mysql/                  @dba
*.yaml                  @example/data
/site/profile/manifests/public.pp
bad[pattern]            @nobody
`
	const gitlab = `* @example/group/platform

[Database][2] @dba
modules/mysql/
/site/profile/manifests/db.pp @dbb

^[Security] @security
*.pp
!site/role/
`
	for _, tt := range []struct {
		name, text string
		skipped    int
		want       map[string]string
	}{
		{"github", github, 1, map[string]string{
			"manifests/site.pp":                "@example/platform",
			"site/profile/manifests/web.pp":    "@example/apps dba@example.com",
			"site/profile/manifests/public.pp": "",
			"modules/mysql/manifests/init.pp":  "@dba",
			"data/common.yaml":                 "@example/data",
		}},
		{"gitlab", gitlab, 0, map[string]string{
			"manifests/site.pp":               "@example/group/platform @security",
			"modules/mysql/manifests/init.pp": "@dba @example/group/platform @security",
			"site/profile/manifests/db.pp":    "@dbb @example/group/platform @security",
			"site/role/manifests/a.pp":        "@example/group/platform",
		}},
		{"empty", "\r\n# nothing\r\n", 0, map[string]string{"manifests/site.pp": ""}},
		{"a root", "/ @a\n/site/ @b\n!/\n", 2, map[string]string{"manifests/site.pp": "", "site/a.pp": "@b", "": ""}},
		{"Latin-1", "[Datenb\xe4nke] @db\xe4\n*.pp\n", 0, map[string]string{"manifests/site.pp": "@db\ufffd"}},
		{"a comment", "[One] @a # see [2]\n*.pp\n[C#][2] @b @c#]\n*.pp\n^\n", 1, map[string]string{"manifests/site.pp": "@a @b @c"}},
		{"a byte order mark", "\ufeff# owners\n*.pp @a\n", 0, map[string]string{"manifests/site.pp": "@a"}},
		{"a byte order mark before a rule", "\ufeff*.pp @a\n", 0, map[string]string{"manifests/site.pp": "@a"}},
		{"lines of Windows", "*.pp @a\r\n", 0, map[string]string{"manifests/site.pp": "@a"}},
	} {
		o, skipped := auditconfig.ParseCodeOwners([]byte(tt.text))
		if len(skipped) != tt.skipped {
			t.Errorf("%s: skipped %q", tt.name, skipped)
		}
		for path, want := range tt.want {
			if got := o.Of(path); got != want {
				t.Errorf("%s: %s belongs to %q, want %q", tt.name, path, got, want)
			}
		}
	}
}

func TestOwnersOfConfiguration(t *testing.T) {
	c, err := auditconfig.Parse([]byte("owners:\n  site/: \"@apps\"\n  /site/profile/manifests/my db.pp: dba\n  data/: [\"@apps\", ops]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Owners.Of("site/profile/manifests/my db.pp"); got != "dba" {
		t.Errorf("got %q", got)
	}
	if got := c.Owners.Of("data/common.yaml"); got != "@apps ops" {
		t.Errorf("got %q", got)
	}
	if got := c.Owners.Names(); !slices.Equal(got, []string{"@apps", "dba", "ops"}) {
		t.Errorf("got %q", got)
	}
	for text, want := range map[string]string{
		"owners: [a]":             "line 1: owners must be the name",
		"owners: ''":              "line 1: owners must be the name",
		"owners:\n  a/: ''":       "line 2: owners: the path has no owner",
		"owners:\n  '***': '@a'":  "line 2: owners: pattern cannot contain three",
		"owners:\n  '': '@a'":     "line 2: owners:",
		"owners:\n  a/: []":       "line 2: owners: the path has no owner",
		"owners:\n  a/: {b: c}":   "line 2: owners: the owners of a path must be",
		"owners:\n  /: '@a'":      "line 2: owners: the pattern / matches nothing",
		"owners:\n  a/: '@a, @b'": "line 2: owners: unexpected character ','",
	} {
		if _, err := auditconfig.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	c, err = auditconfig.Parse([]byte("owners: ../CODEOWNERS"))
	if err != nil {
		t.Fatal(err)
	}
	if got := filepath.ToSlash(c.OwnersFile("/etc/pcat/audit.yaml")); got != "/etc/CODEOWNERS" || len(c.Owners.Names()) > 0 {
		t.Errorf("got %s, %q", got, c.Owners.Names())
	}
}

func TestFindCodeOwners(t *testing.T) {
	dir := t.TempDir()
	if _, err := auditconfig.FindCodeOwners(dir); err == nil {
		t.Error("found a file in an empty directory")
	}
	for _, name := range []string{"docs/CODEOWNERS", "CODEOWNERS", ".github/CODEOWNERS"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := auditconfig.FindCodeOwners(dir); got != path || err != nil {
			t.Errorf("got %s, %v, want %s", got, err, path)
		}
	}
}

// Findings have the owners of their manifests, by the paths of the locator, and a filter selects
// them.
func TestAssignOwners(t *testing.T) {
	a, err := audit.New(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	resource := func(title, file string) string {
		return fmt.Sprintf(`{"type":"File","title":%q,"file":%q,"line":3,"parameters":{"content":"password = k9FzQ2mTx8Lw0vR4-%s\n"}}`, title, file, filepath.Base(title))
	}
	r, err := a.Run(context.Background(), []audit.Input{audit.Document("web", []byte(`{"name":"web","edges":[],"resources":[`+strings.Join([]string{
		resource("/a", "/etc/puppetlabs/code/environments/production/site/a.pp"),
		resource("/b", "/home/ann/control/site/b.pp"),
		resource("/c", "/opt/c.pp"),
		`{"type":"File","title":"/d","parameters":{"content":"password = k9FzQ2mTx8Lw0vR4-d\n"}}`,
	}, ",")+`]}`))})
	if err != nil || len(r.Findings) != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
	o, _ := auditconfig.ParseCodeOwners([]byte("/site/ @one\n/site/b.pp @one @two\n/opt/ @three\n"))
	o.Assign(r, manifest.Locator{Checkout: []string{"/home/ann/control"}})
	owners := func() map[string]string {
		got := map[string]string{}
		for i := range r.Findings {
			got[r.Findings[i].Title] = r.Findings[i].Owner
		}
		return got
	}
	if d := cmp.Diff(map[string]string{"/a": "@one", "/b": "@one @two", "/c": "@three", "/d": ""}, owners()); d != "" {
		t.Error(d)
	}
	all := r.Findings
	for _, tt := range []struct {
		patterns []string
		want     []string
	}{
		{[]string{"@ONE"}, []string{"/a", "/b"}},
		{[]string{"@t*"}, []string{"/b", "/c"}},
		{[]string{"!@two"}, []string{"/a", "/c", "/d"}},
		{[]string{"none"}, []string{"/d"}},
	} {
		r.Findings = slices.Clone(all)
		f := auditconfig.Filter{Owners: tt.patterns}
		f.Apply(r)
		var got []string
		for i := range r.Findings {
			got = append(got, r.Findings[i].Title)
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q selects %q, want %q", tt.patterns, got, tt.want)
		}
	}
	f := auditconfig.Filter{Owners: []string{"@one", "none", "!@x", "@oen"}}
	if got := f.UnknownOwners(o); !slices.Equal(got, []string{"@oen"}) {
		t.Errorf("unknown: %q", got)
	}
}
