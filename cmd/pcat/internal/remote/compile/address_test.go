package compile

import (
	"os"
	"path"
	"path/filepath"
	"testing"
)

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]Address{
		"compile:":                    {},
		"compile:web01":               {Node: "web01"},
		"compile:web01?ref=feature/x": {Node: "web01", Ref: "feature/x"},
		"compile:?ref=main&dir=environments/test":            {Ref: "main", Dir: "environments/test"},
		"compile:?ref=.&repo=../cr&facts=f&environment=test": {Ref: ".", Repo: "../cr", Facts: "f", Environment: "test"},
	} {
		got, err := ParseAddress(text)
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
		if again, err := ParseAddress(got.String()); err != nil || again != got {
			t.Errorf("%s: %s is another address: %+v, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"web01", "compile:Web01", "compile:a/b", "compile:?reff=x", "compile:?ref=", "compile:?ref=a&ref=b", "compile:?environment=a-b"} {
		if got, err := ParseAddress(text); err == nil {
			t.Errorf("%s: got %+v, want an error", text, got)
		}
	}
}

func TestSplitLocation(t *testing.T) {
	for text, want := range map[string]string{
		"Boom (file: /a/b.pp, line: 3, column: 5) on node web01": "Boom",
		"Boom on node web01": "Boom",
		"no parameter named 'x' (file: /a/b.pp, line: 3) on Thing[y] (file: /a/b.pp, line: 3) on node web01": "no parameter named 'x' (file: /a/b.pp, line: 3) on Thing[y]",
		"plain": "plain",
	} {
		if got, _, _, _ := splitLocation(text, "web01"); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestParseFacts(t *testing.T) {
	for name, text := range map[string]string{
		"facter":    `{"os":{"family":"Debian"}}`,
		"puppet":    `{"name":"web01","values":{"os":{"family":"Debian"}}}`,
		"agent":     "--- !ruby/object:Puppet::Node::Facts\nname: web01\nvalues:\n  os:\n    family: Debian\n",
		"factset":   `{"certname":"web01","facts":{"data":[{"name":"os","value":{"family":"Debian"}}]}}`,
		"inventory": `{"certname":"web01","facts":{"os":{"family":"Debian"}},"trusted":{"extensions":{}}}`,
	} {
		_, facts, err := parseFacts([]byte(text))
		if err != nil || facts.Values.String() != "{'os' => {'family' => 'Debian'}}" {
			t.Errorf("%s: got %v, %v", name, facts, err)
		}
	}
	for _, text := range []string{"{}", "[]", "", `{"values":{}}`, "{"} {
		if _, facts, err := parseFacts([]byte(text)); err == nil {
			t.Errorf("%q: got %v, want an error", text, facts)
		}
	}
}

// Each file of a tree has a path in catalogs, from which its path in the tree is known again.
func TestTreePaths(t *testing.T) {
	files := []string{"a.pp", "puppet/site/b.pp", "modules/c.pp", "environments/test/site/d.pp", "environments/e/f.pp", "code/environments/test/g.pp", "code/modules/h.pp", "code/c.pp"}
	dir := t.TempDir()
	for _, name := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, ok := (Tree{}).Below("/etc/motd"); got != "/etc/motd" || ok {
		t.Errorf("without a tree, a path is %s, %v", got, ok)
	}
	for _, environment := range []string{"", "puppet", "environments/test", "code/environments/test", "code"} {
		tree := Tree{Dir: dir, EnvironmentDir: environment, Server: serverCode + "/environments/test"}
		for _, name := range append(files, "not/there.pp") {
			file := tree.Path(name)
			if got, ok := tree.Below(file); name != "not/there.pp" && (got != name || !ok) {
				t.Errorf("%q: %s is %s, which is %s, %v", environment, name, file, got, ok)
			}
			if got, ok := tree.Below(name); got != name || ok != (name != "not/there.pp") {
				t.Errorf("%q: %s is %s, %v", environment, name, got, ok)
			}
		}
		for _, file := range []string{"/etc/motd", serverCode + "/environments/other/x.pp", "../" + filepath.Base(dir) + "/a.pp", ""} {
			if got, ok := tree.Below(file); got != file || ok {
				t.Errorf("%q: %s is %s, %v", environment, file, got, ok)
			}
		}
		if got, ok := tree.Below(tree.Server + "/gone.pp"); got != path.Join(environment, "gone.pp") || !ok {
			t.Errorf("%q: a file that is gone is %s, %v", environment, got, ok)
		}
	}
}
