package eval_test

import (
	"testing"

	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// TestTypesAsText evaluates assert_type without an Env.ParseType: the types of
// the evaluator are the default.
func TestTypesAsText(t *testing.T) {
	types, err := typeexpr.Define("", "type My::Port = Integer[1, 65535]", nil)
	if err != nil {
		t.Fatal(err)
	}
	e := eval.New(function.Env{Functions: registry(t)}, types, eval.Mode{})
	for _, tt := range []struct{ text, want string }{
		{"assert_type('Integer', 1)", "1"},
		{"assert_type('My::Port', 80)", "80"},
	} {
		v, err := e.Text(e.Scope(t.Context()), "", tt.text)
		if err != nil || v.String() != tt.want {
			t.Errorf("%s: got %v, %v, want %s", tt.text, v, err, tt.want)
		}
	}
	if v, err := e.Text(e.Scope(t.Context()), "", "assert_type('My::Port', 0)"); err == nil {
		t.Errorf("got %v for a mismatch", v)
	}
}
