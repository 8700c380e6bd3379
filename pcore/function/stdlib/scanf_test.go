package stdlib_test

import (
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// TestScanf does not compare with the reference, where scanf needs a gem that
// Ruby no longer includes.
func TestScanf(t *testing.T) {
	env := &function.Env{Functions: newRegistry(t)}
	for _, tt := range []struct {
		text, format string
		want         *pcore.Array
	}{
		{"12 abc 3.5", "%d %s %f", list(n(12), s("abc"), pcore.Float(3.5))},
		{"-7ff", "%d%x", list(n(-7), n(255))},
		{"010 010 010", "%d %i %o", list(n(10), n(8), n(8))},
		{"12345", "%2d%2d", list(n(12), n(34))},
		{"1 2 3", "%d %*d %d", list(n(1), n(3))},
		{"a1", "%c%d", list(s("a"), n(1))},
		{"héllo", "%3c", list(s("hél"))},
		{"key=value", "%[a-z]=%s", list(s("key"), s("value"))},
		{"key=value", "%[^=]", list(s("key"))},
		{"100%", "%d%%", list(n(100))},
		{"x1", "%d", list()},
		{"1,x", "%d;%s", list(n(1))},
		{"99999999999999999999", "%d", list(mustBig(t, "99999999999999999999"))},
		{"", "%s", list()},
		{"abc", "", list()},
	} {
		got, err := env.Call(t.Context(), "scanf", []pcore.Value{s(tt.text), s(tt.format)}, nil)
		if err != nil || !pcore.Identical(got, tt.want) {
			t.Errorf("scanf(%q, %q) = %v, %v, want %s", tt.text, tt.format, got, err, tt.want)
		}
	}
	for _, format := range []string{"%z", "%", "%["} {
		if got, err := env.Call(t.Context(), "scanf", []pcore.Value{s("1"), s(format)}, nil); err == nil {
			t.Errorf("scanf with %q gives %s, want an error", format, got)
		}
	}
}

func mustBig(t *testing.T, digits string) pcore.Value {
	t.Helper()
	env := &function.Env{Functions: newRegistry(t)}
	v, err := env.Call(t.Context(), "abs", []pcore.Value{s(digits)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
