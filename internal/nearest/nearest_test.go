package nearest_test

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/nearest"
)

func Test(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"motd", "motd", 0},
		{"mtod", "motd", 1},
		{"/etc/mot", "/etc/motd", 1},
		{"/etc/motd", "/etc/motd.d", 2},
		{"kitten", "sitting", 3},
		{"abc", "", 3},
		{"abc", "acb", 1},
		{"abc", "xabc", 1},
		{"abcd", "badc", 2},
	} {
		if got := nearest.Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q: got %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := nearest.Distance(tt.b, tt.a); got != tt.want {
			t.Errorf("%q and %q: got %d, want %d", tt.b, tt.a, got, tt.want)
		}
		got, ok := nearest.Within(tt.a, tt.b, 2)
		if ok != (tt.want <= 2) || ok && got != tt.want {
			t.Errorf("%q and %q within 2: got %d, %v", tt.a, tt.b, got, ok)
		}
	}
	long := strings.Repeat("x", 1<<20)
	if d, ok := nearest.Within("a"+long+"b", "b"+long+"a", 2); ok {
		t.Errorf("different at both ends: %d", d)
	}
	if d, ok := nearest.Within(long+"b", long+"a", 2); !ok || d != 1 {
		t.Errorf("different at the end: %d, %v", d, ok)
	}
}
