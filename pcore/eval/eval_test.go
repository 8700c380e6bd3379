package eval_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// facts are variables outside of a program.
type facts map[string]pcore.Value

func (f facts) Variable(name string) (pcore.Value, bool, error) {
	v, ok := f[name]
	return v, ok, nil
}

func TestVariables(t *testing.T) {
	e := eval.New(function.Env{
		Functions: registry(t),
		Variables: facts{"os": pcore.String("Debian"), "site": pcore.String("a")},
	}, nil, eval.Mode{})
	s := e.Scope(t.Context())
	if err := s.Set("site", pcore.String("b")); err != nil {
		t.Fatal(err)
	}
	if err := s.Set("::site", pcore.String("c")); err == nil {
		t.Error("a variable was set twice")
	}
	v, err := e.Text(s, "", "$x = 1; with($os) |$x| { \"$x $site ${::x} ${getvar('os')}\" }")
	if err != nil {
		t.Fatal(err)
	}
	if want := pcore.String("Debian b 1 Debian"); v != pcore.Value(want) {
		t.Errorf("got %s, want %s", v, want)
	}
	if v, ok, err := s.Variable("x"); v != pcore.Value(pcore.Integer(1)) || !ok || err != nil {
		t.Errorf("$x: got %v, %v, %v", v, ok, err)
	}
}

// TestScopeGoesOn evaluates several programs in the same scope.
func TestScopeGoesOn(t *testing.T) {
	e := newWorld(registry(t), eval.Mode{})
	s := e.Scope(t.Context())
	for _, step := range []struct{ src, want string }{
		{"type Port = Integer[1, 65535]", "undef"},
		{"function twice(Port $x) { $x * 2 } $a = 4", "4"},
		{"twice($a)", "8"},
		{"[70000 =~ Port, 80 =~ Port]", "[false, true]"},
		{"type Ports = Array[Port]", "undef"},
		{"[[80], [0]].filter |$p| { $p =~ Ports }", "[[80]]"},
	} {
		v, err := e.Text(s, "", step.src)
		if err != nil {
			t.Fatalf("%s: %v", step.src, err)
		}
		if v.String() != step.want {
			t.Errorf("%s: got %s, want %s", step.src, v, step.want)
		}
	}
}

// TestLeavingTemplates checks that return and next end the enclosing template,
// with their value as its result.
func TestLeavingTemplates(t *testing.T) {
	functions := registry(t)
	for src, want := range map[string]string{
		`[inline_epp('a<% return([1]) %>b'), 2]`:                        `[[1], 2]`,
		`[inline_epp('a<% return() %>b')]`:                              `[undef]`,
		`[inline_epp('a<% next("q") %>b')]`:                             `['q']`,
		`inline_epp('<% [1, 2].each |$x| { return($x) } %>b')`:          `1`,
		`function f() { [inline_epp('<%= return(1) %>'), 2] } [f(), 3]`: `[[1, 2], 3]`,
		`[1, 2].map |$x| { inline_epp('<% break() %>b') }`:              `[]`,
	} {
		v, err := newWorld(functions, eval.Mode{}).run(t.Context(), src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
		} else if v.String() != want {
			t.Errorf("%s: got %s, want %s", src, v, want)
		}
	}
}

func TestTemplate(t *testing.T) {
	e := newWorld(registry(t), eval.Mode{})
	s := e.Scope(t.Context())
	if err := s.Set("who", pcore.String("you")); err != nil {
		t.Fatal(err)
	}
	epp, err := eval.ParseTemplate("motd.epp", "<%- |String $what, $n = 2| -%>\n<%= $what * 1 %>")
	if err == nil {
		_, err = e.Template(s, epp, pcore.NewHash(pcore.Entry{Key: pcore.String("what"), Value: pcore.String("x")}))
	}
	if want := "motd.epp:2:5: operator not applicable: String is not a number"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	epp, err = eval.ParseTemplate("", "<%- |$n = 2| -%>\nHello <%= $who %> <%= $n %>")
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Template(s, epp, nil)
	if err != nil || v != pcore.Value(pcore.String("Hello you 2")) {
		t.Errorf("got %v, %v", v, err)
	}
}

// TestWarnings checks the warnings of lax mode and of the parser. They include
// the location if the source has a name.
func TestWarnings(t *testing.T) {
	w := newWorld(registry(t), eval.Lax())
	if _, err := w.Text(w.Scope(t.Context()), "a.pp", "$x = \"\\q\"\n[$nope, '1' + 1]"); err != nil {
		t.Fatal(err)
	}
	want := []message{
		{"warning", `Unrecognized escape sequence '\q' (file: a.pp, line: 1, column: 7)`},
		{"warning", "Unknown variable: 'nope'. (file: a.pp, line: 2, column: 2)"},
		{"warning", "A String was automatically coerced to a number (file: a.pp, line: 2, column: 9)"},
	}
	if !slices.Equal(w.logs, want) {
		t.Errorf("got  %q\nwant %q", w.logs, want)
	}
}

// TestDeprecated checks that a deprecation is logged once, or once for each line, as by Puppet in one process.
func TestDeprecated(t *testing.T) {
	w := newWorld(registry(t), eval.Mode{})
	if _, err := w.Text(w.Scope(t.Context()), "a.pp", "['1', '2'].each |$x| { abs($x) $x.size.empty\n$x.size.empty }\nabs('3')"); err != nil {
		t.Fatal(err)
	}
	want := []message{
		{"warning", "The abs() function's auto conversion of String to Numeric is deprecated - change to convert input before calling\n   (file & line not available)"},
		{"warning", "Calling function empty() with Numeric value is deprecated.\n   (file: a.pp, line: 1)"},
		{"warning", "Calling function empty() with Numeric value is deprecated.\n   (file: a.pp, line: 2)"},
	}
	if !slices.Equal(w.logs, want) {
		t.Errorf("got  %q\nwant %q", w.logs, want)
	}
}

// TestWrongPath checks the type that get reports, an Object type with its definition, as by Puppet.
func TestWrongPath(t *testing.T) {
	e := eval.New(function.Env{Functions: registry(t)}, nil, eval.Mode{})
	for value, got := range map[string]string{
		"Pt(1)":      "Object[{name => 'Pt', attributes => {'x' => Integer}}]",
		"Integer[1]": "Type[Integer[1]]",
	} {
		code := "type Pt = Object[{attributes => {x => Integer}}]\nget([1, {2 => " + value + "}], '1.2.3') |$x| { $x.msg }"
		v, err := e.Text(e.Scope(t.Context()), "", code)
		if want := "The given data does not contain a Collection at [1, 2], got '" + got + "'"; err != nil || v != pcore.Value(pcore.String(want)) {
			t.Errorf("%s: got %v, %v, want %s", value, v, err, want)
		}
	}
}

// TestFunction calls a function from outside of the program, in different scopes
// and without a scope.
func TestFunction(t *testing.T) {
	p, err := syntax.ParseProgram("m/functions/f.pp", "function m::f(My::Port $x, *$rest) >> String { \"$who $x $rest\" }")
	if err != nil {
		t.Fatal(err)
	}
	types, err := typeexpr.Define("m/types/port.pp", "type My::Port = Integer[1]", nil)
	if err != nil {
		t.Fatal(err)
	}
	functions := registry(t)
	env := function.Env{Functions: functions}
	def := p.Body.Statements[0].(*syntax.FunctionDefinition)
	f := eval.Declared(eval.New(env, types, eval.Mode{}), def, p.Locator)
	if got, want := f.Signatures()[0].String(), "(My::Port x, Any rest*)"; got != want {
		t.Errorf("the signature is %s, want %s", got, want)
	}
	if err := functions.Add(*f); err != nil {
		t.Fatal(err)
	}
	env.Variables = facts{"who": pcore.String("around")}
	e := eval.New(env, types, eval.Mode{})
	for src, want := range map[string]string{
		"m::f(1)":                         "'around 1 []'",
		"$who = 'me' m::f(1, 2)":          "'me 1 [2]'",
		"[1].map |$who| { m::f($who) }":   "['around 1 []']",
		"call('M::F', 7)":                 "'around 7 []'",
		"function g() { m::f(3, 4) } g()": "'around 3 [4]'",
	} {
		v, err := e.Text(e.Scope(t.Context()), "", src)
		if err != nil || v.String() != want {
			t.Errorf("%s: got %v, %v, want %s", src, v, err, want)
		}
	}
	v, err := env.Call(t.Context(), "m::f", []pcore.Value{pcore.Integer(5)}, nil)
	if err != nil || v.String() != "'around 5 []'" {
		t.Errorf("without a program: got %v, %v", v, err)
	}
	if _, err := env.Call(t.Context(), "m::f", []pcore.Value{pcore.Integer(0)}, nil); err == nil {
		t.Error("the type of the parameter was not looked at")
	}
}

// TestConcurrentUse shares an Evaluator, a program and a template between
// goroutines.
func TestConcurrentUse(t *testing.T) {
	e := eval.New(function.Env{Functions: registry(t)}, nil, eval.Mode{})
	p, err := eval.Parse("", "function f($x) { $x + 1 } type A = Integer; if \"n${n}\" =~ /n(\\d+)/ { [f($n) =~ A, $1] }")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for n := range 16 {
		all.Go(func() {
			s := e.Scope(t.Context())
			if err := s.Set("n", pcore.Integer(n)); err != nil {
				t.Error(err)
			}
			v, err := e.Program(s, p)
			if want := fmt.Sprintf("[true, '%d']", n); err != nil || v.String() != want {
				t.Errorf("got %v, %v, want %s", v, err, want)
			}
		})
	}
	all.Wait()
}

// TestLaxUndef compares operators with undef in the mode for conditions and in that of Puppet.
func TestLaxUndef(t *testing.T) {
	for code, want := range map[string]string{
		"$h = {} $h[a] =~ /x/":      "false",
		"$h = {} $h[a] !~ /x/":      "true",
		"$h = {} $h[a] =~ 'x'":      "false",
		"$h = {} $h[a] < 3":         "false",
		"$h = {} 3 >= $h[a]":        "false",
		"$h = {} $h[a][b][0]":       "undef",
		"$h = {} $h[a] =~ Undef":    "true",
		"$h = {} $h[a] =~ Optional": "true",
	} {
		v, err := newWorld(registry(t), eval.Mode{LaxUndef: true}).run(t.Context(), code)
		if err != nil || v.String() != want {
			t.Errorf("%s: got %v, %v, want %s", code, v, err, want)
		}
		if _, err := newWorld(registry(t), eval.Mode{}).run(t.Context(), code); !strings.HasSuffix(code, "Undef") && !strings.HasSuffix(code, "Optional") && !errors.Is(err, eval.ErrOperand) {
			t.Errorf("%s: got %v", code, err)
		}
	}
	for _, code := range []string{"1 =~ /x/", "Sensitive(a) =~ /x/", "undef + 1", "1 < a"} {
		if v, err := newWorld(registry(t), eval.Mode{LaxUndef: true}).run(t.Context(), code); !errors.Is(err, eval.ErrOperand) {
			t.Errorf("%s: got %v, %v", code, v, err)
		}
	}
}
