package compile_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
)

// A ref is whatever Git knows: with any name, in any kind of repository.
func TestRefNames(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(emptyRepository(t), "a b") // the path of another one, with a blank
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	write(t, filepath.Join(dir, "facts", "web01.json"), "{}")
	for _, version := range []string{"1", "2", "3"} {
		write(t, filepath.Join(dir, "manifests", "site.pp"), "notify { '"+version+"': }\n")
		write(t, filepath.Join(dir, "data", "ü ñ.yaml"), "version: "+version+"\n")
		commit(t, dir)
		git(t, dir, "tag", "-a", "-m", "a tag", "v"+version)
	}
	second := strings.TrimSpace(git(t, dir, "rev-parse", "HEAD~1"))
	git(t, dir, "branch", "feature/a-b_c.d", "v2")
	git(t, dir, "branch", "both", "v1")
	git(t, dir, "tag", "both", "v2")
	git(t, dir, "branch", "same", "v2")
	git(t, dir, "tag", "same", "v2")
	git(t, dir, "branch", "-f", "origin/x", "v2")
	parent := t.TempDir()
	bare, shallow, worktree := filepath.Join(parent, "bare.git"), filepath.Join(parent, "shallow"), filepath.Join(parent, "work tree")
	git(t, dir, "clone", "-q", "--bare", ".", bare)
	git(t, dir, "clone", "-q", "--depth", "2", "file://"+dir, shallow)
	git(t, dir, "worktree", "add", "-q", worktree, "feature/a-b_c.d")
	before := git(t, dir, "status", "--porcelain") + git(t, dir, "worktree", "list") + git(t, dir, "for-each-ref")
	const ambiguous = "is a branch and a tag"
	for _, tt := range []struct{ repo, ref, want, warning string }{
		{dir, "feature/a-b_c.d", "2", ""},
		{dir, "v2", "2", ""},
		{dir, second[:8], "2", ""},
		{dir, second, "2", ""},
		{dir, "HEAD~1", "2", ""},
		{dir, "HEAD", "3", ""},
		{dir, "main^", "2", ""},
		{dir, "refs/heads/main", "3", ""},
		{dir, "both", "2", ambiguous},
		{dir, "refs/heads/both", "1", ""},
		{dir, "same", "2", ""},
		{dir, "origin/x", "2", ""},
		{dir, "feature/a-b_c.d...main", "2", ""},
		{dir, ".", "3", ""},
		{filepath.Join(dir, "manifests"), "v1", "1", ""},
		{bare, "main", "3", ""},
		{bare, "feature/a-b_c.d", "2", ""},
		{shallow, "main~1", "2", ""},
		{worktree, ".", "2", ""},
		{worktree, "main", "3", ""},
	} {
		var log bytes.Buffer
		c, err := compile.New(t.Context(), compile.Options{
			Repo: tt.repo, Ref: tt.ref, Facts: compile.FilesFacts(filepath.Join(dir, "facts")), Cache: filepath.Join(parent, "cache"),
			Log: slog.New(slog.NewTextHandler(&log, nil)),
		})
		if err != nil {
			t.Errorf("%s in %s: %v", tt.ref, tt.repo, err)
			continue
		}
		got, err := os.ReadFile(filepath.Join(compile.RootOf(c), "data", "ü ñ.yaml"))
		if err != nil || string(got) != "version: "+tt.want+"\n" {
			t.Errorf("%s in %s: got %q, error %v", tt.ref, tt.repo, got, err)
		}
		if tt.warning == "" && log.Len() > 0 || !strings.Contains(log.String(), tt.warning) {
			t.Errorf("%s in %s: got the warning %q", tt.ref, tt.repo, &log)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, tt := range []struct{ repo, ref, want string }{
		{dir, "nope", "no such branch"},
		{dir, "--help", "no such branch"},
		{dir, "main:manifests", "no such branch"},
		{bare, ".", "bare repository"},
		{shallow, "main~2", "no such branch"},
		{parent, "main", "not in a Git repository"},
	} {
		_, err := compile.New(t.Context(), compile.Options{Repo: tt.repo, Ref: tt.ref, Facts: compile.FilesFacts(dir), Cache: filepath.Join(parent, "cache")})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s in %s: got error %v, want %q", tt.ref, tt.repo, err, tt.want)
		}
	}
	if after := git(t, dir, "status", "--porcelain") + git(t, dir, "worktree", "list") + git(t, dir, "for-each-ref"); after != before {
		t.Errorf("the repository changed:\n%s\n%s", before, after)
	}
}

// Files of submodules are not there; a warning says so.
func TestSubmodule(t *testing.T) {
	t.Parallel()
	dir, module, cache := emptyRepository(t), t.TempDir(), t.TempDir()
	git(t, module, "init", "-q", "-b", "main")
	write(t, filepath.Join(module, "manifests", "init.pp"), "class m {}\n")
	commit(t, module)
	write(t, filepath.Join(dir, "facts", "web01.json"), "{}")
	git(t, dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", module, "modules/m")
	commit(t, dir)
	var log bytes.Buffer
	o := compile.Options{
		Repo: dir, Ref: "main", Facts: compile.FilesFacts(filepath.Join(dir, "facts")), Cache: cache, Log: slog.New(slog.NewTextHandler(&log, nil)),
	}
	c, err := compile.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "modules/m") {
		t.Errorf("got the warning %q", &log)
	}
}

// Facts are read as systems write them.
func TestFactFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "facts", "crlf.example.com.json"), "{\r\n  \"os\": {\"family\": \"Debian\"}\r\n}\r\n")
	write(t, filepath.Join(dir, "facts", "bom.example.com.json"), "\ufeff{\"os\": {\"family\": \"Debian\"}}")
	write(t, filepath.Join(dir, "facts", "crlfyaml.example.com.yaml"), "---\r\nos:\r\n  family: Debian\r\n")
	write(t, filepath.Join(dir, "facts", "bomyaml.example.com.yaml"), "\ufeff---\nos:\n  family: Debian\n")
	write(t, filepath.Join(dir, "facts", "README.md"), "# not facts\n")
	write(t, filepath.Join(dir, "facts", ".hidden.json"), "{}")
	facts := compile.FilesFacts(filepath.Join(dir, "facts"))
	nodes, err := facts.Nodes(t.Context())
	if want := "bom.example.com bomyaml.example.com crlf.example.com crlfyaml.example.com"; err != nil || strings.Join(nodes, " ") != want {
		t.Fatalf("got %v, error %v", nodes, err)
	}
	for _, node := range nodes {
		got, err := facts.Facts(t.Context(), node)
		if err != nil {
			t.Errorf("%s: %v", node, err)
			continue
		}
		if text := got.Values.String(); !strings.Contains(text, "'family' => 'Debian'") {
			t.Errorf("%s: got %s", node, text)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := compile.FilesFacts(filepath.Join(dir, "empty")).Nodes(t.Context()); err == nil || !strings.Contains(err.Error(), "contains no file") {
		t.Errorf("got error %v for an empty directory", err)
	}
	write(t, filepath.Join(dir, "upper", "WEB01.Example.com.json"), `{"a": 1}`)
	upper := compile.FilesFacts(filepath.Join(dir, "upper"))
	if got, err := upper.Nodes(t.Context()); err != nil || len(got) != 1 || got[0] != "web01.example.com" {
		t.Errorf("got %v, error %v for a name in upper case", got, err)
	}
	if _, err := upper.Facts(t.Context(), "web01.example.com"); err != nil {
		t.Errorf("a name in upper case: %v", err)
	}
}
