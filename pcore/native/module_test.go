package native_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/pcatdev/pcat/internal/test/workspace"
)

var update = flag.Bool("update", false, "write the output of the program")

// TestAnotherModule compiles and runs a program in a module of its own, with
// fields of all kinds, which go through rich JSON and MessagePack.
func TestAnotherModule(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the Go compiler")
	}
	dir := t.TempDir()
	env, err := workspace.Create(dir, filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(filepath.Join("testdata", "program.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), program, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", "-mod=readonly", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if *update {
		if err := os.WriteFile(filepath.Join("testdata", "program.txt"), out, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.Join("testdata", "program.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", out, want)
	}
}
