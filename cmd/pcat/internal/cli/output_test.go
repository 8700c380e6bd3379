package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/internal/compress"
)

func writeText(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// content returns the files of a folder by path, without following links.
func content(t *testing.T) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		got[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestWriteFile(t *testing.T) {
	tree(t, map[string]string{"old": "old", "keep/target": "old"})
	for path, m := range map[string]fs.FileMode{"old": 0o640, "keep/target": 0o604} {
		if err := os.Chmod(path, m); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"link": "keep/middle", "keep/middle": "target", "dangling": "keep/new"} {
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	s := Streams(nil, nil, nil)
	for _, file := range []string{"old", "new", "link", "dangling"} {
		out := OutputFlags{File: file}
		if err := out.Write(t.Context(), s, nil, writeText("new "+file)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{"old": "new old", "new": "new new", "keep/target": "new link", "keep/new": "new dangling"}
	if d := cmp.Diff(want, content(t)); d != "" {
		t.Error(d)
	}
	for path, m := range map[string]fs.FileMode{"old": 0o640, "keep/target": 0o604, "new": mode(t, "keep/new")} {
		if got := mode(t, path); got != m {
			t.Errorf("%s: mode %o, want %o", path, got, m)
		}
	}
	if _, err := os.Readlink("link"); err != nil {
		t.Errorf("the link was replaced: %v", err)
	}
}

func TestWritePrivate(t *testing.T) {
	tree(t, map[string]string{"wide": "old", "narrow": "old"})
	if err := os.Chmod("narrow", 0o400); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"wide", "narrow", "new"} {
		out := OutputFlags{File: file}
		err := out.Write(t.Context(), Streams(nil, nil, nil), nil, func(w io.Writer) error {
			out.Private = true // it turned out while writing
			return writeText("secret")(w)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]fs.FileMode{"wide": 0o600, "narrow": 0o400, "new": 0o600} {
		if got := mode(t, path); got != want {
			t.Errorf("%s: mode %o, want %o", path, got, want)
		}
	}
}

// TestWritePrivateFromTheStart checks that other users can never open the file during a
// write. With this many rounds, it usually detects a file that is created with wide
// permissions and narrowed immediately.
func TestWritePrivateFromTheStart(t *testing.T) {
	tree(t, map[string]string{"dir/old": "old"})
	if err := os.Chmod("dir/old", 0o644); err != nil {
		t.Fatal(err)
	}
	done, wide := make(chan struct{}), make(chan string)
	go func() {
		seen := ""
		for {
			select {
			case <-done:
				wide <- seen
				return
			default:
			}
			entries, _ := os.ReadDir("dir")
			for _, e := range entries {
				if info, err := e.Info(); err == nil && strings.Contains(e.Name(), ".pcat-") && info.Mode().Perm()&0o077 != 0 {
					seen = fmt.Sprintf("%s: mode %o", e.Name(), info.Mode().Perm())
				}
			}
		}
	}()
	for i := range 100 {
		for _, file := range []string{"dir/old", fmt.Sprintf("dir/new%d", i)} {
			out := OutputFlags{File: file, Private: true}
			if err := out.Write(t.Context(), Streams(nil, nil, nil), nil, writeText("secret")); err != nil {
				t.Fatal(err)
			}
			if i > 0 {
				_ = os.Remove(fmt.Sprintf("dir/new%d", i-1)) // a short list is read often
			}
		}
	}
	close(done)
	if seen := <-wide; seen != "" {
		t.Error(seen)
	}
}

func TestWriteAllOrNothing(t *testing.T) {
	boom := errors.New("boom")
	fails := func(w io.Writer) error {
		return errors.Join(writeText(strings.Repeat("partial", 100_000))(w), boom)
	}
	for _, tt := range []struct {
		name  string
		done  bool // the context, before anything is written
		write func(s *IOStreams) func(io.Writer) error
		want  error
	}{
		{"error", false, func(*IOStreams) func(io.Writer) error { return fails }, boom},
		{"done context", true, func(*IOStreams) func(io.Writer) error { return writeText("new") }, context.Canceled},
		{"interrupt", false, func(s *IOStreams) func(io.Writer) error {
			return func(w io.Writer) error {
				s.Abort()
				if d := cmp.Diff(map[string]string{"f": "old"}, content(t)); d != "" {
					t.Errorf("the temporary file outlives the interrupt: %s", d)
				}
				return writeText("new")(w)
			}
		}, context.Canceled},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, file := range []string{"f", "g"} {
				tree(t, map[string]string{"f": "old"})
				s := Streams(nil, nil, nil)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.done {
					cancel()
				}
				out := OutputFlags{File: file}
				if err := out.Write(ctx, s, nil, tt.write(s)); !errors.Is(err, tt.want) {
					t.Errorf("got %v, want %v", err, tt.want)
				}
				if d := cmp.Diff(map[string]string{"f": "old"}, content(t)); d != "" {
					t.Error(d)
				}
			}
		})
	}
}

func TestWriteInPlace(t *testing.T) {
	for _, c := range compress.Methods() {
		t.Run(c.String(), func(t *testing.T) {
			tree(t, map[string]string{"f": compressedText(t, c, "old")})
			in := open(t, InputFlags{}, "f")
			out := OutputFlags{InPlace: true}
			if err := out.Write(t.Context(), Streams(nil, nil, nil), in, writeText("new")); err != nil {
				t.Fatal(err)
			}
			if _, err := in.raw.Read(make([]byte, 1)); !errors.Is(err, os.ErrClosed) {
				t.Errorf("the file was replaced while it was open: %v", err)
			}
			again := open(t, InputFlags{}, "f")
			if data, err := io.ReadAll(again); err != nil || string(data) != "new" || again.Compression() != c {
				t.Errorf("got %q, %v, compressed with %v", data, err, again.Compression())
			}
		})
	}
}

func TestWriteStdout(t *testing.T) {
	for _, file := range []string{"", Stdin} {
		var out bytes.Buffer
		o := OutputFlags{File: file}
		if err := o.Write(t.Context(), Streams(nil, &out, nil), nil, writeText("data")); err != nil || out.String() != "data" {
			t.Errorf("got %q, %v", &out, err)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	tree(t, map[string]string{"f": ""})
	if err := os.Symlink("loop", "loop"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ file, want string }{
		{"no/file", "no/file: cannot write: no such file or directory"},
		{"loop", "loop: cannot write: more than 40 levels of symbolic links"},
		{"f/file", "f/file: cannot write: not a directory"},
		{".", ".: cannot write: is a directory"},
	} {
		out := OutputFlags{File: tt.file}
		err := out.Write(t.Context(), Streams(nil, nil, nil), nil, writeText("x"))
		if err == nil || err.Error() != tt.want || CodeOf(err) != ExitInternal {
			t.Errorf("got %v (%d), want %s", err, CodeOf(err), tt.want)
		}
	}
	null := OutputFlags{File: os.DevNull}
	if err := null.Write(t.Context(), Streams(nil, nil, nil), nil, writeText("x")); err != nil {
		t.Errorf("a device is written to: %v", err)
	}
}

func TestCheck(t *testing.T) {
	tree(t, map[string]string{"a": "1", "b": "2"})
	if err := os.Symlink("a", "link"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		out    OutputFlags
		args   []string
		single bool
		want   string // part of the error; empty for none
	}{
		{"stdout", OutputFlags{}, []string{"a", "b"}, false, ""},
		{"another file", OutputFlags{File: "b"}, []string{"a"}, true, ""},
		{"a new file", OutputFlags{File: "c"}, []string{"a"}, true, ""},
		{"in place", OutputFlags{InPlace: true}, []string{"a", "b"}, true, ""},
		{"both flags", OutputFlags{InPlace: true, File: "c"}, []string{"a"}, true, "cannot be used together"},
		{"standard input in place", OutputFlags{InPlace: true}, []string{"-"}, true, "cannot be replaced"},
		{"the input", OutputFlags{File: "a"}, []string{"b", "a"}, false, "a is both input and output"},
		{"the input by another name", OutputFlags{File: "link"}, []string{"a"}, true, "link is both input and output"},
		{"two into one", OutputFlags{File: "c"}, []string{"a", "b"}, true, "2 inputs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := Streams(strings.NewReader(""), nil, nil)
			sources, err := new(InputFlags).Sources(t.Context(), s, tt.args)
			if err != nil {
				t.Fatal(err)
			}
			err = tt.out.Check(s, sources, tt.single)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("got %v", err)
			case tt.want != "" && (err == nil || CodeOf(err) != ExitUsage || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// TestCheckStandardOutput is "pcat convert f >> f".
func TestCheckStandardOutput(t *testing.T) {
	tree(t, map[string]string{"f": "1"})
	f, err := os.OpenFile("f", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	s := Streams(nil, f, nil)
	s.files[1] = f
	sources, err := new(InputFlags).Sources(t.Context(), s, []string{"f"})
	if err != nil {
		t.Fatal(err)
	}
	if err := new(OutputFlags).Check(s, sources, true); CodeOf(err) != ExitUsage {
		t.Errorf("got %v", err)
	}
}

func TestCheckWritable(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"dir"} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("dir/new", "link"); err != nil {
		t.Skip(err)
	}
	s := Streams(strings.NewReader(""), io.Discard, io.Discard)
	for file, want := range map[string]string{
		"": "", "-": "", "new": "", "dir/new": "", "link": "", os.DevNull: "", "dir": "dir: cannot write: is a directory", "nowhere/new": "nowhere/new: cannot write: no such file or directory",
	} {
		o := OutputFlags{File: file}
		err := o.CheckWritable(s)
		if got := fmt.Sprint(err); (want != "" || err != nil) && got != want || want != "" && CodeOf(err) != ExitInternal {
			t.Errorf("%q: got %s, want %s", file, got, want)
		}
	}
	if entries, err := os.ReadDir("dir"); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}

// A shell names a pipe to another command /dev/fd/3, a link to no path.
func TestWriteToPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("/dev/fd/%d", w.Fd())
	if _, err := os.Stat(name); err != nil {
		t.Skip(err)
	}
	o := OutputFlags{File: name}
	s := Streams(strings.NewReader(""), io.Discard, io.Discard)
	if err := o.CheckWritable(s); err != nil {
		t.Error(err)
	}
	if err := o.Write(t.Context(), s, nil, writeText("data")); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); string(got) != "data" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}
