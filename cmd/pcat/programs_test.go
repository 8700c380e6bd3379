package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/test/workspace"
)

// program matches a program on a page, and its output.
var program = regexp.MustCompile("(?s)```go\n(package main\n.*?)```\n\n```text\n(.*?)```\n")

// TestPrograms compiles and runs the programs of the page on Go, in a module of their
// own. With -update, the test writes their output into the page.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the Go compiler")
	}
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "docs", "go.md")
	page := read(t, file)
	programs := program.FindAllStringSubmatch(page, -1)
	if len(programs) < 10 {
		t.Fatalf("%d programs are found on the page", len(programs))
	}
	dir := t.TempDir()
	put := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env, err := workspace.Create(dir, root)
	if err != nil {
		t.Fatal(err)
	}
	put("webstack.msgpack", read(t, filepath.Join(root, "testdata", "catalogs", "webstack", "rich.msgpack")))
	for i, p := range programs {
		put(fmt.Sprintf("p%d/main.go", i), p[1])
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-mod=readonly", "-o", "bin/", "./...")
	build.Dir, build.Env = dir, append(os.Environ(), env)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, p := range programs {
		cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "bin", fmt.Sprintf("p%d", i)))
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		switch got := string(out); {
		case err != nil:
			t.Errorf("program %d: %v\n%s", i+1, err, got)
		case got != p[2] && updating(t):
			page = strings.Replace(page, p[0], strings.TrimSuffix(p[0], p[2]+"```\n")+got+"```\n", 1)
		case got != p[2]:
			t.Errorf("program %d prints\n%s\nthe page says\n%s", i+1, got, p[2])
		}
	}
	if updating(t) {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
