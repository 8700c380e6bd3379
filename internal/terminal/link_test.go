package terminal_test

import (
	"testing"

	"github.com/pcatdev/pcat/internal/terminal"
)

func TestLink(t *testing.T) {
	for _, tt := range []struct{ address, text, want string }{
		{"https://h/a", "a", "\x1b]8;;https://h/a\x1b\\a\x1b]8;;\x1b\\"},
		{"", "a", "a"},
		{"https://h/a", "", ""},
		{"https://h/\x1b\\", "a", "a"}, // no address ends the sequence
	} {
		if got := terminal.Link(tt.address, tt.text); got != tt.want {
			t.Errorf("%q, %q: got %q", tt.address, tt.text, got)
		}
	}
}
