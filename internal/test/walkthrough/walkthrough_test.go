package walkthrough

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const page = "# A page\n\n    $ mkdir a && cd a\n    $ export NAME=x\n\nWrite `b.txt`:\n\n```text\none\n\n    two\n```\n\n" +
	"    $ cat b.txt\n    one\n\n        two\n    $ echo $NAME \\\n      y; false\n    x y\n    $ echo $?\n    1\n    $ pwd\n    /home/ann/a\n\n" +
	"```yaml\nnot: a file\n```\n"

func TestSteps(t *testing.T) {
	want := []Step{
		{Text: "mkdir a && cd a"},
		{Text: "export NAME=x"},
		{File: "b.txt", Text: "one\n\n    two\n"},
		{Text: "cat b.txt", Printed: "one\n\n    two\n"},
		{Text: "echo $NAME \\\ny; false", Printed: "x y\n"},
		{Text: "echo $?", Printed: "1\n"},
		{Text: "pwd", Printed: "/home/ann/a\n"},
	}
	if diff := cmp.Diff(want, Steps(page), cmpopts.IgnoreUnexported(Step{})); diff != "" {
		t.Error(diff)
	}
	if got := WithOutput(page, Steps(page)); got != page {
		t.Errorf("got\n%s", got)
	}
}

func TestEqual(t *testing.T) {
	for _, tt := range []struct {
		page, printed string
		want          bool
	}{
		{"a\nb\n", "a\nb", true},
		{"a\n…\nd\n", "a\nb\nc\nd\n", true},
		{"a\n…\n", "b\n", false},
		{"done in 3.2s\n", "done in 12ms\n", true},
		{"", "a\n", false},
	} {
		if got := Equal(tt.page, tt.printed); got != tt.want {
			t.Errorf("%q, %q: %t", tt.page, tt.printed, got)
		}
	}
}

func TestTry(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths differ")
	}
	file := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	Reader{}.Try(t, file)
	wrong := []byte("    $ echo a; echo b >&2\n    $ sleep 100 & \n    $ true\n    $ false\n    $ echo $?\n    0\n")
	if err := os.WriteFile(file, wrong, 0o600); err != nil {
		t.Fatal(err)
	}
	Reader{Update: true}.Try(t, file)
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "    $ echo a; echo b >&2\n    a\n    b\n    $ sleep 100 & \n    $ true\n    $ false\n    $ echo $?\n    1\n"
	if string(got) != want {
		t.Errorf("got\n%s", got)
	}
}
