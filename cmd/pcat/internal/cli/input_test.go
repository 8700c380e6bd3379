package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/internal/compress"
)

// tree makes files, by path and content, in a folder of their own and goes there.
func tree(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for path, content := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func compressedText(t *testing.T, c compress.Method, text string) string {
	t.Helper()
	var buf bytes.Buffer
	z, err := compress.NewWriter(c, &buf)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func TestSources(t *testing.T) {
	tree(t, map[string]string{
		"a.json": "1", "b.json": "2", "d/c.json": "3", "d/e/f.json": "4", "d/.hidden": "5", "d/.git/x": "6",
		"odd[1].json": "7",
		"names":       "b.json\r\n\nd\n",
		"names0":      "a.json\x00odd\n.json\x00",
		"odd\n.json":  "8",
	})
	if err := os.Symlink("../a.json", "d/link.json"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("..", "d/e/up"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		flags InputFlags
		args  []string
		in    string
		want  []string
	}{
		{"none", InputFlags{}, nil, "", []string{"-"}},
		{"files in the order given, each once", InputFlags{}, []string{"b.json", "a.json", "./b.json"}, "", []string{"b.json", "a.json"}},
		{"directory", InputFlags{}, []string{"d"}, "", []string{"d/c.json", "d/e/f.json", "d/link.json"}},
		{"pattern", InputFlags{}, []string{"*.json"}, "", []string{"a.json", "b.json", "odd\n.json", "odd[1].json"}},
		{"a file that looks like a pattern", InputFlags{}, []string{"odd[1].json"}, "", []string{"odd[1].json"}},
		{"a pattern leaves hidden files out", InputFlags{}, []string{"d/*"}, "", []string{"d/c.json", "d/e/f.json", "d/link.json"}},
		{"a pattern for hidden files", InputFlags{}, []string{"d/.h*"}, "", []string{"d/.hidden"}},
		{"a hidden file that is named", InputFlags{}, []string{"d/.hidden"}, "", []string{"d/.hidden"}},
		{"standard input among files", InputFlags{}, []string{"a.json", "-"}, "", []string{"a.json", "-"}},
		{"list", InputFlags{FilesFrom: "names"}, []string{"a.json"}, "", []string{"a.json", "b.json", "d/c.json", "d/e/f.json"}},
		{"list ended by NUL", InputFlags{FilesFrom: "names0"}, nil, "", []string{"a.json", "odd\n.json"}},
		{"list from standard input", InputFlags{FilesFrom: "-"}, nil, "b.json", []string{"b.json"}},
		{"empty list", InputFlags{FilesFrom: "-", AllowEmpty: true}, nil, "", nil},
		{"nothing in a pattern", InputFlags{AllowEmpty: true}, []string{"no*", "a.json"}, "", []string{"a.json"}},
		{"empty standard input", InputFlags{AllowEmpty: true}, []string{"-", "a.json"}, "", []string{"a.json"}},
		{"standard input that is not empty", InputFlags{AllowEmpty: true}, []string{"-"}, "x", []string{"-"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sources, err := tt.flags.Sources(t.Context(), Streams(strings.NewReader(tt.in), nil, nil), tt.args)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, src := range sources {
				got = append(got, src.Name)
			}
			if tt.name == "list" { // the link's target was named already, under another name
				tt.want = append(tt.want, "d/link.json")
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestSourcesErrors(t *testing.T) {
	tree(t, map[string]string{"a.json": "1", "list": "-\n"})
	for _, tt := range []struct {
		name  string
		flags InputFlags
		args  []string
		code  ExitCode
		text  string
	}{
		{"missing", InputFlags{}, []string{"no.json"}, ExitBadInput, "no.json: no such file or directory"},
		{"no match", InputFlags{}, []string{"*.yaml"}, ExitBadInput, "*.yaml: no file matches"},
		{"a pattern of all folders", InputFlags{}, []string{"d/**/*.json"}, ExitUsage, "name the directory"},
		{"bad pattern", InputFlags{}, []string{"[a"}, ExitUsage, "syntax error in pattern"},
		{"standard input twice", InputFlags{}, []string{"-", "-"}, ExitUsage, "only once"},
		{"standard input as list and file", InputFlags{FilesFrom: "-"}, []string{"-"}, ExitUsage, "both"},
		{"missing list", InputFlags{FilesFrom: "no"}, nil, ExitBadInput, "no: no such file or directory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.flags.Sources(t.Context(), Streams(strings.NewReader(""), nil, nil), tt.args)
			if err == nil || CodeOf(err) != tt.code || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("got %v (%d), want %q (%d)", err, CodeOf(err), tt.text, tt.code)
			}
		})
	}
	s := Streams(strings.NewReader(""), nil, nil)
	s.InTerminal = true
	if _, err := new(InputFlags).Sources(t.Context(), s, nil); !errors.Is(err, ErrNoInput) {
		t.Errorf("a terminal and no file: got %v", err)
	}
}

// An unreadable subdirectory does not prevent reading the rest.
func TestFolderThatCannotBeRead(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can read every folder")
	}
	tree(t, map[string]string{"d/a.json": "1", "d/locked/b.json": "2", "d/z.json": "3"})
	if err := os.Chmod("d/locked", 0); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod("d/locked", 0o700) }() // for it to be removed
	sources, err := new(InputFlags).Sources(t.Context(), &IOStreams{}, []string{"d"})
	if err != nil || len(sources) != 3 {
		t.Fatalf("%d sources, %v", len(sources), err)
	}
	for _, src := range sources {
		_, err := src.ReadAll(t.Context())
		if locked := src.Name == filepath.Join("d", "locked"); locked != errors.Is(err, fs.ErrPermission) || !locked && err != nil {
			t.Errorf("%s: %v", src.Name, err)
		}
	}
	if _, err := new(InputFlags).Sources(t.Context(), &IOStreams{}, []string{filepath.Join("d", "locked")}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a folder that is named: %v", err)
	}
}

func TestOpen(t *testing.T) {
	const text = `{"name":"web01"}`
	for _, c := range compress.Methods() {
		t.Run(c.String(), func(t *testing.T) {
			content := compressedText(t, c, text)
			tree(t, map[string]string{"f": content})
			for _, name := range []string{"f", Stdin} {
				sources, err := new(InputFlags).Sources(t.Context(), Streams(strings.NewReader(content), nil, nil), []string{name})
				if err != nil {
					t.Fatal(err)
				}
				data, err := sources[0].ReadAll(t.Context())
				if err != nil || string(data) != text {
					t.Errorf("%s: got %q, %v", name, data, err)
				}
			}
		})
	}
}

func open(t *testing.T, flags InputFlags, name string) *Input {
	t.Helper()
	sources, err := flags.Sources(t.Context(), Streams(strings.NewReader("x"), nil, nil), []string{name})
	if err != nil {
		t.Fatal(err)
	}
	in, err := sources[0].Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	})
	return in
}

func TestReadErrors(t *testing.T) {
	zeros := strings.Repeat("\x00", compress.FreeExpansion+1<<20)
	for _, tt := range []struct {
		name    string
		content string
		max     Size
		text    string
	}{
		{"too large", "12345", 4, "f: larger than 4; use --max-size"},
		{"too large when decompressed", compressedText(t, compress.Gzip, strings.Repeat("1", 5000)), 4 << 10, "f: larger than 4KiB"},
		{"gzip bomb", compressedText(t, compress.Gzip, zeros), 0, "f: decompresses to more than 200 times its size"},
		{"zstd bomb", compressedText(t, compress.Zstd, zeros), 0, "f: decompresses to more than 200 times its size"},
		{"zstd window", "\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", 0, "needs a window larger than 32MiB"},
		{"gzip cut short", compressedText(t, compress.Gzip, "text")[:12], 0, "f: truncated compressed data: unexpected EOF"},
		{"zstd cut short", compressedText(t, compress.Zstd, strings.Repeat("text", 99))[:12], 0, "f: truncated compressed data: unexpected EOF"},
		{"gzip header only", "\x1f\x8b", 0, "f: truncated compressed data: unexpected EOF"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree(t, map[string]string{"f": tt.content})
			flags := InputFlags{MaxSize: tt.max}
			sources, err := flags.Sources(t.Context(), Streams(nil, nil, nil), []string{"f"})
			if err != nil {
				t.Fatal(err)
			}
			if _, err = sources[0].ReadAll(t.Context()); err == nil || CodeOf(err) != ExitBadInput || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("got %v (%d), want %q", err, CodeOf(err), tt.text)
			}
		})
	}
}

func TestReadStopsWithContext(t *testing.T) {
	tree(t, map[string]string{"f": "text"})
	sources, err := new(InputFlags).Sources(t.Context(), Streams(nil, nil, nil), []string{"f"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sources[0].ReadAll(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
