package native_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the output of the program")

// TestAnotherModule compiles and runs a program in a module of its own, with
// fields of all kinds, which go through rich JSON and MessagePack.
func TestAnotherModule(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the Go compiler")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, err := os.ReadFile(filepath.Join("testdata", "program.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	module := "module example.com/program\n\ngo 1.26.0\n\nrequire github.com/pcatdev/pcat v0.0.0\n\nreplace github.com/pcatdev/pcat => " + root + "\n"
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"main.go": program, "go.mod": []byte(module), "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", "-mod=mod", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
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
