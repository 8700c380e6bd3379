package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inMind has inputs in memory: "mind:one" and "mind:", which is all of them.
type inMind struct {
	reads map[string]int
	size  int
	err   error
}

// Named implements Remotes.
func (*inMind) Named(arg string) bool { return strings.HasPrefix(arg, "mind:") }

// List implements Remotes.
func (m *inMind) List(_ context.Context, arg string) (inputs []Remote, one bool, err error) {
	names := []string{strings.TrimPrefix(arg, "mind:")}
	if arg == "mind:" {
		names = []string{"one", "two"}
	}
	for _, name := range names {
		inputs = append(inputs, Remote{Name: "mind:" + name, Node: name, Read: func(context.Context, int64) ([]byte, error) {
			m.reads[name]++
			return bytes.Repeat([]byte(name), m.size), m.err
		}})
	}
	return inputs, arg != "mind:", nil
}

// A remote input is read once, however often it is opened, and nothing of it is written to
// a file, even if it is larger than other inputs that are kept in memory.
func TestRemoteStaysInMemory(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	m := &inMind{reads: map[string]int{}, size: inMemory}
	flags := InputFlags{Remotes: m}
	sources, err := flags.Sources(t.Context(), Streams(nil, nil, nil), []string{"mind:one", "mind:"})
	if err != nil || len(sources) != 2 || sources[0].Found || !sources[1].Found {
		t.Fatalf("got %v, %v", sources, err)
	}
	if got := sources[1].Node() + " " + sources[1].FileName() + " " + sources[1].Dir(); got != "two two.json ." {
		t.Errorf("got %s", got)
	}
	for range 3 {
		c, err := sources[0].Content(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(c.Reader())
		if err != nil || len(data) != 3*inMemory || !bytes.HasPrefix(data, []byte("oneone")) {
			t.Errorf("got %d bytes, %v", len(data), err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if m.reads["one"] != 1 {
		t.Errorf("it was read %d times", m.reads["one"])
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("got the files %v, %v", files, err)
	}
}

// Only arguments name remote inputs, and such an input cannot be replaced.
func TestRemoteArguments(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "list")
	if err := os.WriteFile(list, []byte("mind:one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := InputFlags{Remotes: &inMind{}, FilesFrom: list}
	if _, err := flags.Sources(t.Context(), Streams(nil, nil, nil), nil); CodeOf(err) != ExitBadInput || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("got %v", err)
	}
	flags.FilesFrom = ""
	sources, err := flags.Sources(t.Context(), Streams(nil, nil, nil), []string{"mind:one"})
	if err != nil {
		t.Fatal(err)
	}
	out := OutputFlags{InPlace: true}
	if err := out.Check(Streams(nil, nil, nil), sources, true); CodeOf(err) != ExitUsage {
		t.Errorf("got %v", err)
	}
}

// A file with the name of a remote input is another input.
func TestRemoteOrFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("mind:one", []byte("file"), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := InputFlags{Remotes: &inMind{reads: map[string]int{}, size: 1}}
	sources, err := flags.Sources(t.Context(), Streams(nil, nil, nil), []string{"./mind:one", "mind:one", "mind:one"})
	if err != nil || len(sources) != 2 || sources[0].Remote() || !sources[1].Remote() {
		t.Errorf("got %v, %v", sources, err)
	}
}

// A read that fails is made again by the next command that needs it.
func TestRemoteFails(t *testing.T) {
	m := &inMind{reads: map[string]int{}, err: errors.New("no answer")}
	flags := InputFlags{Remotes: m}
	sources, err := flags.Sources(t.Context(), Streams(nil, nil, nil), []string{"mind:one"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := sources[0].ReadAll(t.Context()); CodeOf(err) != ExitBadInput || err.Error() != "mind:one: no answer" {
			t.Errorf("got %v", err)
		}
	}
	if m.reads["one"] != 2 {
		t.Errorf("it was read %d times", m.reads["one"])
	}
}
