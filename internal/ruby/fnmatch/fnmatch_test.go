package fnmatch_test

import (
	"testing"

	"github.com/pcatdev/pcat/internal/ruby/fnmatch"
)

// The results are those of File.fnmatch?(pattern, name) of Ruby 3.1.
func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"*", "a", true}, {"*", ".a", false}, {".*", ".a", true}, {"*.swp", "x.swp", true}, {"*.swp", ".x.swp", false},
		{"?", "a", true}, {"?", ".", false}, {"a?c", "abc", true}, {"[a-c]x", "bx", true}, {"[^a-c]x", "bx", false},
		{"[!a]", "b", true}, {`\*`, "*", true}, {`\*`, "a", false}, {`\.a`, ".a", true}, {"CVS", "CVS", true}, {"CVS", "cvs", false},
		{"a*b*c", "a-b-b-c", true}, {"a*b", "a-c", false}, {"[a", "[a", false}, {"ä?", "äö", true}, {"", "", true}, {"", "a", false},
	} {
		if got := fnmatch.Match(tt.pattern, tt.name); got != tt.want {
			t.Errorf("%q, %q: got %v", tt.pattern, tt.name, got)
		}
	}
}
