package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pcatdev/pcat/internal/compress"
)

// The content of every kind of input can be read twice, and leaves no files behind.
func TestContent(t *testing.T) {
	var all strings.Builder // does not compress as much as refused inputs
	for i := 0; all.Len() < inMemory+1; i++ {
		fmt.Fprintf(&all, "catalog %d ", i)
	}
	for _, size := range []int{0, 10, 64 << 10, 64<<10 + 1, inMemory, inMemory + 1} {
		text := all.String()[:size]
		for _, c := range compress.Methods() {
			packed := compressedText(t, c, text)
			tree(t, map[string]string{"f": packed, "tmp/x": ""})
			t.Setenv("TMPDIR", filepath.Join(".", "tmp"))
			for name, s := range map[string]*IOStreams{
				"f":   Streams(strings.NewReader(""), nil, nil),
				Stdin: Streams(strings.NewReader(packed), nil, nil),
			} {
				content := openContent(t, s, InputFlags{}, name)
				for range 2 {
					if data, err := io.ReadAll(content.Reader()); err != nil || string(data) != text {
						t.Errorf("%s, %v, %d bytes: got %d, %v", name, c, size, len(data), err)
					}
				}
				if data, err := content.ReadAll(); err != nil || string(data) != text || content.Size() != int64(size) {
					t.Errorf("%s, %v, %d bytes: all is %d of %d, %v", name, c, size, len(data), content.Size(), err)
				}
				if held := content.Bytes(); size > inMemory && held != nil || size <= inMemory && string(held) != text {
					t.Errorf("%s, %v, %d bytes: %d in memory", name, c, size, len(held))
				}
				if left, err := os.ReadDir("tmp"); err != nil || len(left) > 1 {
					t.Errorf("%s, %v: visible while it is read: %v, %v", name, c, left, err)
				}
				if err := content.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func openContent(t *testing.T, s *IOStreams, flags InputFlags, name string) *Content {
	t.Helper()
	sources, err := flags.Sources(t.Context(), s, []string{name})
	if err != nil {
		t.Fatal(err)
	}
	content, err := sources[0].Content(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// A file behind standard input is read from where it is.
func TestContentBehindAPosition(t *testing.T) {
	text := strings.Repeat("catalog ", inMemory/4)
	tree(t, map[string]string{"f": "read before" + text})
	f, err := os.Open("f")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := f.Seek(int64(len("read before")), io.SeekStart); err != nil {
		t.Fatal(err)
	}
	s := Streams(f, nil, nil)
	s.files[0] = f
	content := openContent(t, s, InputFlags{}, Stdin)
	if data, err := content.ReadAll(); err != nil || string(data) != text {
		t.Errorf("got %d bytes, want %d, %v", len(data), len(text), err)
	}
}

var errGone = errors.New("the other end is gone")

func TestContentErrors(t *testing.T) {
	tree(t, map[string]string{"f": strings.Repeat("x", inMemory+10), "tmp/x": ""})
	t.Setenv("TMPDIR", filepath.Join(".", "tmp"))
	broken := io.MultiReader(strings.NewReader(strings.Repeat("x", inMemory+10)), iotest.ErrReader(errGone))
	for name, c := range map[string]struct {
		streams *IOStreams
		flags   InputFlags
		source  string
		want    string
	}{
		"too large a file": {Streams(nil, nil, nil), InputFlags{MaxSize: inMemory + 9}, "f", "use --max-size"},
		"too large a pipe": {Streams(strings.NewReader(strings.Repeat("x", inMemory+10)), nil, nil), InputFlags{MaxSize: inMemory + 9}, Stdin, "use --max-size"},
		"broken":           {Streams(broken, nil, nil), InputFlags{}, Stdin, errGone.Error()},
	} {
		sources, err := c.flags.Sources(t.Context(), c.streams, []string{c.source})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sources[0].Content(context.Background()); err == nil || !strings.Contains(err.Error(), c.want) || CodeOf(err) != ExitBadInput {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if left, err := os.ReadDir("tmp"); err != nil || len(left) > 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	sources, err := (&InputFlags{}).Sources(t.Context(), Streams(nil, nil, nil), []string{"f"})
	if err != nil {
		t.Fatal(err)
	}
	content, err := sources[0].Content(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = content.Close() }()
	cancel()
	if _, err := content.ReadAll(); !errors.Is(err, context.Canceled) {
		t.Errorf("after the interrupt: %v", err)
	}
}

// After an interrupt nothing is spooled any more.
func TestSpoolAfterAbort(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := Streams(nil, nil, nil)
	s.Abort()
	if _, err := s.Spool().Write(make([]byte, inMemory+1)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
