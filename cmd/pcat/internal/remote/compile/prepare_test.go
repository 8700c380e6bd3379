package compile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
)

// A command whose files are equal runs once for several trees, unless it does more than add files. Its own
// failure, and a tree that has one of the files already, do not harm.
func TestPrepareKey(t *testing.T) {
	const install = `mkdir -p more/m/manifests && cat Puppetfile > more/m/manifests/init.pp && ln -s init.pp more/m/manifests/link.pp && mkdir more/empty`
	for _, tt := range []struct {
		name, command string
		key           []string
		runs          int // for three trees, of which the last one has another Puppetfile
	}{
		{"the whole tree", install, nil, 3},
		{"a key", install, []string{"Puppetfile"}, 2},
		{"no key", install, []string{}, 3},
		{"a key that is never there", install, []string{"none"}, 1},
		{"another file is changed", install + " && echo >> README.md", []string{"Puppetfile"}, 3},
		{"a file is removed", install + " && rm README.md", []string{"Puppetfile"}, 3},
		{"a link to the tree", install + ` && ln -s "$PWD/README.md" link`, []string{"Puppetfile"}, 3},
		{"an installer", "r10k puppetfile install", nil, 2},
		{"an installer that reads metadata.json", "librarian-puppet install", nil, 3},
		{"an installer with another command", "r10k puppetfile install; true", nil, 3},
		{"an installer with a path", "r10k puppetfile install --moduledir /x", nil, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, programs := emptyRepository(t), t.TempDir()
			for _, name := range []string{"r10k", "librarian-puppet"} {
				write(t, filepath.Join(programs, name), "#!/bin/sh\necho >> "+filepath.Join(programs, "runs")+"\n"+install+"\n")
				if err := os.Chmod(filepath.Join(programs, name), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
			command := tt.command
			if !strings.HasPrefix(command, "r10k") && !strings.HasPrefix(command, "librarian-puppet") {
				command = "echo >> " + filepath.Join(programs, "runs") + " && " + command
			}
			write(t, filepath.Join(dir, "facts", "web01.json"), "{}")
			for i, puppetfile := range []string{"# one\n", "# one\n", "# two\n"} {
				write(t, filepath.Join(dir, "Puppetfile"), puppetfile)
				write(t, filepath.Join(dir, "README.md"), strings.Repeat("x", i))
				write(t, filepath.Join(dir, "metadata.json"), strings.Repeat("x", i))
				commit(t, dir)
				for range 2 { // the second one finds the tree
					o := compile.Options{
						Repo: dir, Ref: "main", Facts: compile.FilesFacts(filepath.Join(dir, "facts")), Cache: filepath.Join(programs, "cache"),
						Prepare: command, PrepareKey: tt.key,
					}
					c, err := compile.New(t.Context(), o)
					if err != nil {
						t.Fatal(err)
					}
					if err := c.Close(); err != nil {
						t.Fatal(err)
					}
				}
				trees, _ := filepath.Glob(filepath.Join(programs, "cache", "trees", "*", "tree"))
				if len(trees) != i+1 {
					t.Fatalf("got %d trees, want %d", len(trees), i+1)
				}
				for _, tree := range trees {
					if link, err := os.Readlink(filepath.Join(tree, "more", "m", "manifests", "link.pp")); err != nil || link != "init.pp" {
						t.Errorf("a tree has no modules: %q, error %v", link, err)
					}
					got, _ := os.ReadFile(filepath.Join(tree, "more", "m", "manifests", "init.pp"))
					if want, _ := os.ReadFile(filepath.Join(tree, "Puppetfile")); tt.runs > 1 && string(got) != string(want) {
						t.Errorf("a tree with %q has the modules of %q", want, got)
					}
					if info, err := os.Stat(filepath.Join(tree, "more", "empty")); err != nil || !info.IsDir() {
						t.Errorf("an empty folder is missing: %v", err)
					}
				}
			}
			runs, _ := os.ReadFile(filepath.Join(programs, "runs"))
			if len(runs) != tt.runs {
				t.Errorf("it ran %d times, want %d", len(runs), tt.runs)
			}
		})
	}
}

// A script with an absolute path runs again when it was edited, for a tree that is there already.
func TestPrepareScriptEdited(t *testing.T) {
	dir, outside := emptyRepository(t), t.TempDir()
	write(t, filepath.Join(dir, "facts", "web01.json"), "{}")
	commit(t, dir)
	script := filepath.Join(outside, "prepare.sh")
	for _, key := range [][]string{nil, {"Puppetfile"}} {
		for _, text := range []string{"one", "one", "two"} {
			write(t, script, "mkdir modules && echo "+text+" > modules/x")
			if err := os.Chmod(script, 0o700); err != nil {
				t.Fatal(err)
			}
			c, err := compile.New(t.Context(), compile.Options{
				Repo: dir, Ref: "main", Facts: compile.FilesFacts(filepath.Join(dir, "facts")), Cache: filepath.Join(outside, "cache"),
				Prepare: script, PrepareKey: key,
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			found := false
			files, _ := filepath.Glob(filepath.Join(outside, "cache", "trees", "*", "tree", "modules", "x"))
			for _, file := range files {
				data, _ := os.ReadFile(file)
				found = found || string(data) == text+"\n"
			}
			if !found {
				t.Errorf("key %q: no tree has the file of %q", key, text)
			}
		}
	}
}

// A tree that has one of the files already is prepared by the command.
func TestPrepareKeyTaken(t *testing.T) {
	dir, cache := emptyRepository(t), t.TempDir()
	write(t, filepath.Join(dir, "facts", "web01.json"), "{}")
	for _, module := range []string{"", "modules/b/x"} {
		if module != "" {
			write(t, filepath.Join(dir, module), "of the commit")
		}
		commit(t, dir)
		c, err := compile.New(t.Context(), compile.Options{
			Repo: dir, Ref: "main", Facts: compile.FilesFacts(filepath.Join(dir, "facts")), Cache: cache,
			Prepare: "mkdir -p modules/a modules/b && echo >> modules/a/x && [ -e modules/b/x ] || echo >> modules/b/x", PrepareKey: []string{"Puppetfile"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]int{"a": 2, "b": 1} { // without a file of a copy that failed
		all, _ := filepath.Glob(filepath.Join(cache, "trees", "*", "tree", "modules", name, "x"))
		if len(all) != 2 {
			t.Errorf("%s: got %v", name, all)
		}
		blank := 0
		for _, file := range all {
			if data, _ := os.ReadFile(file); string(data) == "\n" {
				blank++
			}
		}
		if blank != want {
			t.Errorf("%s: got %d files of the command, want %d", name, blank, want)
		}
	}
	if _, err := compile.New(t.Context(), compile.Options{Repo: dir, Facts: compile.FilesFacts(dir), Cache: cache, PrepareKey: []string{"../x"}}); err == nil {
		t.Error("a key outside of the repository is accepted")
	}
}
