package terminal_test

import (
	"testing"

	"github.com/pcatdev/pcat/internal/terminal"
)

func TestCell(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "a=1": "a=1", "=1+1": "'=1+1", " +1": "' +1", "-1": "'-1", "@x": "'@x", "＝1": "'＝1",
		"\t=1": "·=1", "a\nb": "a·b",
	} {
		if got := terminal.Cell(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
