package document

import (
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

func TestFlattenedIn(t *testing.T) {
	text := func(s string) pcore.Value { return pcore.String(s) }
	call := pcore.NewHash(pcore.Entry{Key: pcore.String("__ptype"), Value: pcore.String("My::Thing")})
	for _, tt := range []struct {
		name  string
		value pcore.Value
		path  string // empty when nothing is found
		rich  bool
	}{
		{"a call", text("Deferred({'name' => 'x'})"), "/p", false},
		{"a call with arguments", text("Deferred({'name' => 'x', 'arguments' => [undef, /a\"b/, Instance of Sensitive[String], \"a\nb'\"]})"), "/p", false},
		{"another object", text("My::Thing({'a_1' => 3})"), "/p", false},
		{"a Sensitive", text("#<Sensitive [value redacted]:4320>"), "/p", false},
		{"in a list", pcore.NewArray(text("x"), text("Error({'msg' => 'm'})")), "/p/1", false},
		{"in a secret", pcore.NewSensitive(text("Error({'msg' => 'm'})")), "/p", false},
		{"the first of two", pcore.NewArray(text("A({'a' => 1})"), text("B({'a' => 1})")), "/p/0", false},
		{"before a rich value", pcore.NewArray(text("A({'a' => 1})"), pcore.Default{}), "/p/0", true},
		{"before an object", pcore.NewArray(text("A({'a' => 1})"), call), "/p/0", true},

		{"text around", text("x Deferred({'name' => 'x'})"), "", false},
		{"text behind", text("Deferred({'name' => 'x'}) x"), "", false},
		{"a function", text("new({'a' => 1})"), "", false},
		{"a script", text("$.ajax({'url' => 1})"), "", false},
		{"no attribute", text("Deferred({})"), "", false},
		{"other quotes", text(`Deferred({"name" => 1})`), "", false},
		{"a Sensitive in a text", text("Sensitive [value redacted]"), "", false},
		{"the inspection of one", text("#<Sensitive [value redacted]>"), "", false},
		{"plain data", pcore.NewArray(text("x"), pcore.Integer(1), pcore.Undef{}, pcore.Boolean(true), pcore.Float(1)), "", false},
	} {
		path, found, rich := flattenedIn(tt.value, pcore.Path{}.Key("p"))
		if found != (tt.path != "") || found && path.Pointer() != tt.path || rich != tt.rich {
			t.Errorf("%s: got %q, %v, rich %v", tt.name, path.Pointer(), found, rich)
		}
	}
}

func TestMarks(t *testing.T) {
	for text, want := range map[string]bool{
		`"Deferred({'name' => 'x'})"`:                    true,
		`'Deferred({''name'' => ''x''})'`:                true,
		`"#\u003cSensitive [value redacted]:4320\u003e"`: true,
		`({'a': 1}) ({'b': 2})`:                          false,
		`({'a': 1}) X({'b': 2})`:                         true,
		`"the password is Sensitive [value redacted]"`:   false,
		``: false,
	} {
		if got := isMarked([]byte(text)); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}
