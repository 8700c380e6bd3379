package eval_test

import (
	"testing"

	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// TestTypesAsText evaluates assert_type with the types of the evaluator and of the
// program.
func TestTypesAsText(t *testing.T) {
	types, err := typeexpr.Define("", "type My::Port = Integer[1, 65535]", nil)
	if err != nil {
		t.Fatal(err)
	}
	e := eval.New(function.Env{Functions: registry(t)}, types, eval.Mode{})
	for _, tt := range []struct{ text, want string }{
		{"assert_type('Integer', 1)", "1"},
		{"assert_type('My::Port', 80)", "80"},
		{"type P = Integer[1, 5] assert_type('P', 3)", "3"},
		{"type P = Integer[1, 5] assert_type('Array[P]', [3])", "[3]"},
		{"type P = My::Port with(3) |$v| { assert_type('P', $v) }", "3"},
		{"type P = Integer[1, 5] inline_epp('<%= assert_type(\"P\", 3) %>')", "'3'"},
	} {
		v, err := e.Text(e.Scope(t.Context()), "", tt.text)
		if err != nil || v.String() != tt.want {
			t.Errorf("%s: got %v, %v, want %s", tt.text, v, err, tt.want)
		}
	}
	for _, text := range []string{"assert_type('My::Port', 0)", "type P = Integer[1, 5] assert_type('P', 9)"} {
		if v, err := e.Text(e.Scope(t.Context()), "", text); err == nil {
			t.Errorf("%s: got %v for a mismatch", text, v)
		}
	}
}
