package terminal_test

import (
	"testing"

	"github.com/pcatdev/pcat/internal/terminal"
)

func Test(t *testing.T) {
	for _, tt := range []struct{ text, line, lines string }{
		{"", "", ""},
		{"é ‹a› 日本 \U0001F600", "é ‹a› 日本 \U0001F600", "é ‹a› 日本 \U0001F600"},
		{"a\x1b[31mb\x1b]0;x\x07", "a·[31mb·]0;x·", "a·[31mb·]0;x·"},
		{"a\nb\tc\rd\n", "a·b·c·d·", "a\nb\tc·d\n"},
		{"\x00\x7f\u0085\u009bm", "····m", "····m"},
		{"a\u202eb\u2066c\u200fd", "a·b·c·d", "a·b·c·d"},
	} {
		if got := terminal.Line(tt.text); got != tt.line {
			t.Errorf("Line(%q) is %q, want %q", tt.text, got, tt.line)
		}
		if got := terminal.Text(tt.text); got != tt.lines {
			t.Errorf("Text(%q) is %q, want %q", tt.text, got, tt.lines)
		}
	}
}
