package terminal_test

import (
	"testing"

	"github.com/pcatdev/pcat/internal/terminal"
)

func TestPaint(t *testing.T) {
	for _, tt := range []struct {
		on                bool
		style, text, want string
	}{
		{true, terminal.BoldRed, "high", "\x1b[1;31mhigh\x1b[0m"},
		{false, terminal.BoldRed, "high", "high"},
		{true, "", "high", "high"},
		{true, terminal.Bold, "", ""},
	} {
		if got := terminal.Paint(tt.on, tt.style, tt.text); got != tt.want {
			t.Errorf("%v, %q: got %q, want %q", tt.on, tt.text, got, tt.want)
		}
	}
}
