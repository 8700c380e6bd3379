package condition_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/condition"
	"github.com/pcatdev/pcat/pcore"
)

// files reads files that are in memory.
func files(list map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if text, ok := list[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
}

const (
	conditions = "rules:\n- {id: root, when: \"$type == 'Exec' and $parameters['user'] =~ /root/\", title: t}\n"
	texts      = "[[rules]]\nid = \"token\"\nregex = '''acme_[0-9]+'''\n"
)

// Rules are the same after they were stored.
func TestRules(t *testing.T) {
	c, err := auditconfig.Parse([]byte(conditions + "rule_files: [a.toml, /etc/b.yaml]\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := condition.Read(c, "/srv/.pcat-audit.yaml", []string{"more.toml"}, files(map[string]string{
		"/srv/a.toml": texts, "/etc/b.yaml": strings.ReplaceAll(conditions, "root", "other"), "more.toml": strings.ReplaceAll(texts, "token", "more"),
	}))
	if err != nil {
		t.Fatal(err)
	}
	stored, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	again := new(condition.Rules)
	if err := json.Unmarshal(stored, again); err != nil {
		t.Fatal(err)
	}
	parameters := pcore.NewHash(pcore.Entry{Key: pcore.String("user"), Value: pcore.String("root")})
	for _, r := range []*condition.Rules{r, again} {
		set, err := r.Compile(true)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, one := range set.Rules() {
			ids = append(ids, one.ID)
		}
		if want := []string{"own/root", "own/other", "own/more", "own/token"}; !slices.Equal(ids, want) {
			t.Errorf("got %s, want %s", ids, want)
		}
		var found []string
		set.Resource(&audit.Resource{Ref: catalog.Ref{Type: "Exec", Title: "x"}, Parameters: parameters}, func(id, _ string) { found = append(found, id) }, func(id string, err error) { t.Error(id, err) })
		if !slices.Equal(found, []string{"own/root"}) {
			t.Errorf("got %s", found)
		}
	}
}

// A file that the configuration and the command line name is read once.
func TestFileNamedTwice(t *testing.T) {
	c, err := auditconfig.Parse([]byte("rule_files: [sub/../a.toml]\n"))
	if err != nil {
		t.Fatal(err)
	}
	read := files(map[string]string{"/srv/a.toml": texts})
	r, err := condition.Read(c, "/srv/.pcat-audit.yaml", []string{"/srv//a.toml"}, func(name string) ([]byte, error) { return read(filepath.Clean(name)) })
	if err != nil {
		t.Fatal(err)
	}
	if set, err := r.Compile(false); err != nil || len(set.Rules()) != 1 {
		t.Errorf("%v", err)
	}
}

// An error names the file, and a strict condition refuses undef.
func TestRulesThatFail(t *testing.T) {
	for name, text := range map[string]string{"missing.toml": "", "bad.toml": "[[rules]]\nid = 3\n", "bad.yaml": "allow: []\nnames: {secret: [x]}\n"} {
		list := map[string]string{name: text}
		if text == "" {
			delete(list, name)
		}
		_, err := condition.Read(&auditconfig.Config{}, "", []string{name}, files(list))
		if broken, ok := errors.AsType[*condition.FileError](err); !ok || broken.File != name || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, err := auditconfig.Parse([]byte(conditions))
	if err != nil {
		t.Fatal(err)
	}
	r, err := condition.Read(c, "f", nil, files(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, strict := range []bool{false, true} {
		set, err := r.Compile(strict)
		if err != nil {
			t.Fatal(err)
		}
		failed := false
		set.Resource(&audit.Resource{Ref: catalog.Ref{Type: "Exec", Title: "x"}, Parameters: pcore.NewHash()}, func(string, string) {}, func(string, error) { failed = true })
		if failed != strict {
			t.Errorf("strict %t: it fails: %t", strict, failed)
		}
	}
}
