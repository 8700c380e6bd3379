package terminal_test

import (
	"testing"

	"github.com/pcatdev/pcat/internal/terminal"
)

func TestWrapLines(t *testing.T) {
	const text = "one two three\n  four five six\nseven\n\nend"
	for columns, want := range map[int]string{
		0:  text,
		80: text,
		10: "one two\n    three\n  four\n      five\n      six\nseven\n\nend",
	} {
		if got := terminal.WrapLines(text, columns); got != want {
			t.Errorf("in %d columns: got %q, want %q", columns, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		text    string
		columns int
		want    string
	}{
		{"one two three", 0, "one two three"},
		{"one two three", 9, "one two\n  three"},
		{"one two three", 10, "one two\n  three"},
		{"one two three", 15, "one two three"},
		{"", 9, ""},
		{"a-long-word-alone two", 9, "a-long-word-alone\n  two"},
		{"a  b", 0, "a  b"},
		{"a  b", 80, "a  b"},
		{terminal.Link("https://git.example.com/a", terminal.Paint(true, terminal.Bold, "one")) + " two three", 10, terminal.Link("https://git.example.com/a", terminal.Paint(true, terminal.Bold, "one")) + " two\n  three"},
		{"für alle Fälle", 10, "für alle\n  Fälle"},
	} {
		if got := terminal.Wrap(tt.text, "  ", tt.columns); got != tt.want {
			t.Errorf("%q in %d columns: got %q, want %q", tt.text, tt.columns, got, tt.want)
		}
	}
}
