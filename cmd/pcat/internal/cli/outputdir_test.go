package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// planned returns the flags for an output directory after Check, and the sources for args.
func planned(t *testing.T, out OutputFlags, args ...string) (*OutputFlags, []Source) {
	t.Helper()
	s := Streams(nil, nil, io.Discard)
	sources, err := (&InputFlags{Skip: out.Dir}).Sources(t.Context(), s, args)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Check(s, sources, true); err != nil {
		t.Fatal(err)
	}
	return &out, sources
}

func TestOutputDirNames(t *testing.T) {
	tree(t, map[string]string{
		"in/a.json": "", "in/b/c.json.gz": "", "in/b/.hidden": "", "in/.d/e": "", "in/out/a.json": "", ".dot.json.zst": "", "f": "",
	})
	if err := os.Symlink("in", "link"); err != nil {
		t.Fatal(err)
	}
	yaml := func(name string) string { return strings.TrimSuffix(name, ".json") + ".yaml" }
	for _, tt := range []struct {
		name string
		out  OutputFlags
		args []string
		want map[string]string
	}{
		{"a directory", OutputFlags{Dir: "out"}, []string{"in"}, map[string]string{
			"in/a.json": "out/a.json", "in/b/c.json.gz": "out/b/c.json.gz", "in/out/a.json": "out/out/a.json",
		}},
		{"a directory inside", OutputFlags{Dir: "in/out"}, []string{"in/"}, map[string]string{
			"in/a.json": "in/out/a.json", "in/b/c.json.gz": "in/out/b/c.json.gz",
		}},
		{"a link to a directory", OutputFlags{Dir: "link/out"}, []string{"link"}, map[string]string{
			"link/a.json": "link/out/a.json", "link/b/c.json.gz": "link/out/b/c.json.gz",
		}},
		{"files", OutputFlags{Dir: "./out"}, []string{"./in/b/c.json.gz", ".dot.json.zst", "f"}, map[string]string{
			"./in/b/c.json.gz": "out/c.json.gz", ".dot.json.zst": "out/.dot.json.zst", "f": "out/f",
		}},
		{"a pattern", OutputFlags{Dir: "out"}, []string{"i?/*"}, map[string]string{
			"in/a.json": "out/a.json", "in/b/c.json.gz": "out/c.json.gz",
		}},
		{"renamed", OutputFlags{Dir: "out", Rename: yaml}, []string{"in/b", "in/a.json"}, map[string]string{
			"in/b/c.json.gz": "out/c.yaml.gz", "in/a.json": "out/a.yaml",
		}},
		{"compressed", OutputFlags{Dir: "out", Compress: "zstd"}, []string{"in/b", "f"}, map[string]string{
			"in/b/c.json.gz": "out/c.json.zst", "f": "out/f.zst",
		}},
		{"decompressed", OutputFlags{Dir: "out", Compress: "none"}, []string{"in/b", "f"}, map[string]string{
			"in/b/c.json.gz": "out/c.json", "f": "out/f",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "a pattern" { // whose second match is skipped below in/out
				if err := os.RemoveAll("in/out"); err != nil {
					t.Fatal(err)
				}
			}
			out, sources := planned(t, tt.out, tt.args...)
			got := map[string]string{}
			for _, src := range sources {
				got[src.Name] = filepath.ToSlash(out.Target(src.Name))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// writeAll writes the outputs for all sources. An output with the name of a secret is
// private; one with the name of an error fails.
func writeAll(t *testing.T, s *IOStreams, out *OutputFlags, sources []Source) (errs []error) {
	t.Helper()
	for _, src := range sources {
		in, err := src.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		one := *out
		errs = append(errs, one.Write(t.Context(), s, in, func(w io.Writer) error {
			one.Private = strings.Contains(src.Name, "secret")
			if strings.Contains(src.Name, "error") {
				return errors.New("fails")
			}
			return writeText("new " + src.Name)(w)
		}))
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return errs
}

func TestOutputDirModes(t *testing.T) {
	tree(t, map[string]string{"in/a/open": "", "in/a/secret": "", "in/b/c/open": "", "in/d/e/error": "", "in/f/g/secret": ""})
	out, sources := planned(t, OutputFlags{Dir: "x/out"}, "in")
	s := Streams(nil, nil, io.Discard)
	err := errors.Join(writeAll(t, s, out, sources)...)
	if err == nil {
		t.Fatal("nothing failed")
	}
	for _, dir := range []string{"x/out", "x/out/b/c", "x/out/d/e"} {
		if got := mode(t, dir); got != private {
			t.Errorf("%s can be opened by others before the end: %o", dir, got)
		}
	}
	if err := out.Finish(s, 0, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("other", fs.ModePerm); err != nil {
		t.Fatal(err)
	}
	other := mode(t, "other")
	for dir, want := range map[string]fs.FileMode{
		"x": other, "x/out": private, "x/out/a": private, "x/out/b": other, "x/out/b/c": other, "x/out/f/g": private,
	} {
		if got := mode(t, dir); got != want {
			t.Errorf("%s: mode %o, want %o", dir, got, want)
		}
	}
	if _, err := os.Stat("x/out/d"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a directory without outputs is left")
	}
}

// Directories that exist keep their modes.
func TestOutputDirExists(t *testing.T) {
	tree(t, map[string]string{"in/a/secret": "", "in/b": "", "out/a/secret": "old", "out/b": "old"})
	if err := errors.Join(os.Chmod("out/a", 0o750), os.Chmod("out/b", 0o604)); err != nil {
		t.Fatal(err)
	}
	out, sources := planned(t, OutputFlags{Dir: "out"}, "in")
	s := Streams(nil, nil, io.Discard)
	if err := out.Finish(s, 0, errors.Join(writeAll(t, s, out, sources)...)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{"out/a": 0o750, "out/a/secret": 0o600, "out/b": 0o604} {
		if got := mode(t, path); got != want {
			t.Errorf("%s: mode %o, want %o", path, got, want)
		}
	}
}

// An interrupt leaves complete outputs, and neither temporary files nor empty directories.
func TestOutputDirAborted(t *testing.T) {
	tree(t, map[string]string{"in/a": "", "in/b/c/d": ""})
	out, sources := planned(t, OutputFlags{Dir: "out"}, "in")
	s := Streams(nil, nil, io.Discard)
	if errs := writeAll(t, s, out, sources[:1]); errs[0] != nil {
		t.Fatal(errs)
	}
	in, err := sources[1].Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close() //nolint:errcheck // was read
	err = out.Write(t.Context(), s, in, func(w io.Writer) error {
		s.Abort()
		return writeText("new")(w)
	})
	if err == nil {
		t.Error("the output was finished after the interrupt")
	}
	want := map[string]string{"in/a": "", "in/b/c/d": "", "out/a": "new in/a"}
	if d := cmp.Diff(want, content(t)); d != "" {
		t.Error(d)
	}
	if _, err := os.Stat("out/b"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("an empty directory is left")
	}
}

// A mask cannot lead out of the directory, and two names can become one.
func TestMaskNames(t *testing.T) {
	tree(t, map[string]string{"in/a": "", "in/b": ""})
	for _, tt := range []struct {
		mask func(string) string
		code ExitCode
	}{
		{func(name string) string { return "masked/" + name }, ExitDone},
		{func(name string) string { return "../" + name }, ExitInternal},
		{func(string) string { return "" }, ExitInternal},
		{func(string) string { return "same" }, ExitUsage},
	} {
		out, sources := planned(t, OutputFlags{Dir: "out"}, "in")
		err := out.MaskNames(tt.mask)
		if code := CodeOf(err); code != tt.code {
			t.Errorf("got %v", err)
		}
		if err == nil && filepath.ToSlash(out.Target(sources[0].Name)) != "out/masked/a" {
			t.Errorf("got %s", out.Target(sources[0].Name))
		}
	}
	if err := new(OutputFlags).MaskNames(nil); err != nil {
		t.Error(err)
	}
}
