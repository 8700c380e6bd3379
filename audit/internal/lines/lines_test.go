package lines_test

import (
	"slices"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/lines"
)

// TestWords checks the words of a line, with and without quotes.
func TestWords(t *testing.T) {
	const line = `user "a b" 'c\'d', e; "f`
	var got []string
	for _, w := range lines.Words(nil, line, 0, len(line)) {
		got = append(got, w.Text)
		if line[w.Start:w.End] != w.Text {
			t.Errorf("%q is at %q", w.Text, line[w.Start:w.End])
		}
	}
	if want := []string{"user", "a b", `c\'d`, "e", "f"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestComments checks lines that look like comments.
func TestComments(t *testing.T) {
	for line, want := range map[string]bool{
		"# a": true, "#define A 1": false, "; a": true, "// a": true, "//server/share": false, "-- a": true, "-a": false, "<!-- a": true, "REM a": true, "a = b": false, "": true,
	} {
		if lines.IsComment(line) != want {
			t.Errorf("%q: got %v", line, !want)
		}
	}
}
