package eval_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

func TestErrors(t *testing.T) {
	functions := registry(t)
	for _, tt := range []struct {
		src          string
		line, column int
		is           error  // nil for any error
		message      string // contained in the message
	}{
		{"$x", 1, 1, eval.ErrUnknownVariable, "$x"},
		{"1 +\n  $nope", 2, 3, eval.ErrUnknownVariable, "$nope"},
		{"\"é ${y}\"", 1, 6, eval.ErrUnknownVariable, "$y"},
		{"$a = 1\n$a = 2", 2, 1, eval.ErrAssignment, "$a has a value already"},
		{"[TypeReference]", 1, 2, typeexpr.ErrUnknownType, "UnresolvedReference"},
		{"$facts = 1", 1, 1, eval.ErrAssignment, "reserved"},
		{"with(1) |$facts| { }", 1, 10, eval.ErrAssignment, "reserved"},
		{"function f($trusted) { } f(1)", 1, 12, eval.ErrAssignment, "reserved"},
		{"inline_epp('x', {facts => 1})", 1, 1, eval.ErrAssignment, "reserved"},
		{"inline_epp('<%| $facts = 1 |%>x')", 1, 5, eval.ErrAssignment, "reserved"},
		{"inline_epp('x', {'1' => 1})", 1, 1, eval.ErrAssignment, "the last match"},
		{"inline_epp('a<% next() %>b')", 1, 1, nil, "a template is a text"},
		{"inline_epp('a<% break() %>b')", 1, 5, nil, "break() from context"},
		{"[$a, $b] = [1]", 1, 1, eval.ErrAssignment, "2 variables and 1 values"},
		{"[$a] = {b => 1}", 1, 1, eval.ErrAssignment, "'a'"},
		{"1 + 'a'", 1, 5, eval.ErrOperand, "String is not a number"},
		{"'1' + 1", 1, 1, eval.ErrOperand, "not coerced"},
		{"{} << 1", 1, 1, eval.ErrOperand, "needs an Array"},
		{"true < 1", 1, 6, nil, "Boolean < Integer"},
		{"1 / 0", 1, 3, nil, "division by 0"},
		{"9223372036854775807 + 1", 1, 21, eval.ErrOverflow, "64 bit"},
		{"true[0]", 1, 1, eval.ErrOperand, "'[]' with Boolean"},
		{"[1][0,1,2]", 1, 1, eval.ErrOperand, "got 3"},
		{"Integer['a']", 1, 1, nil, "Integer"},
		{"1 ? { 2 => 3 }", 1, 1, nil, "no matching entry"},
		{"1 =~ 'a'", 1, 1, eval.ErrOperand, "must be a String"},
		{"'a' =~ '('", 1, 8, nil, "regular expression"},
		{"nope(1)", 1, 1, nil, "Unknown function 'nope'"},
		{"1.nope", 1, 2, nil, "Unknown function 'nope'"},
		{"[1].map |$x| {\n  $x.map |$y| { $z } }", 2, 17, eval.ErrUnknownVariable, "$z"},
		{"with('a') |Integer $x| { }", 1, 1, eval.ErrParameter, "block parameter 'x' expects an Integer value, got String"},
		{"with() |$x| { }", 1, 9, eval.ErrParameter, "$x is required"},
		{"with(1) |$a, $b = $c, $c = 1| { }", 1, 19, eval.ErrParameter, "not yet evaluated $c"},
		{"with(1) |$x| >> String { $x }", 1, 1, nil, "value returned from lambda has wrong type, expects a String value, got Integer"},
		{"function f(Integer $x) { $x }\nf('a')", 2, 1, nil, "'f' parameter 'x' expects an Integer value, got String"},
		{"function f($a = 1, $b) { }\nf(1, 2)", 1, 20, eval.ErrParameter, "$b is required but appears after optional"},
		{"function f() { 1 }\nfunction f() { 2 }", 2, 1, eval.ErrDefinition, "f is there already"},
		{"type Integer = String", 1, 6, eval.ErrDefinition, "Integer is there already"},
		{"break()", 1, 1, nil, "break() from context where this is illegal"},
		{"[1].map |$x| { return($x) }", 1, 16, nil, "return() from context where this is illegal"},
		{"inline_epp('<%- |$x| -%>')", 1, 1, eval.ErrParameter, "expects a value for parameter 'x'"},
		{"inline_epp('<%= $nope %>')", 1, 5, eval.ErrUnknownVariable, "$nope"},
		{"Foo", 1, 1, nil, "unknown type"},
	} {
		_, err := newWorld(functions, eval.Mode{}).run(t.Context(), tt.src)
		e, ok := errors.AsType[*eval.Error](err)
		if !ok {
			t.Errorf("%q: the error is %v", tt.src, err)
			continue
		}
		if e.Line != tt.line || e.Column != tt.column {
			t.Errorf("%q: %v: want it at %d:%d", tt.src, err, tt.line, tt.column)
		}
		if tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%q: %v is not %v", tt.src, err, tt.is)
		}
		if !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%q: %v does not say %q", tt.src, err, tt.message)
		}
	}
}

func TestErrorDetail(t *testing.T) {
	e := newWorld(registry(t), eval.Mode{})
	_, err := e.Text(e.Scope(t.Context()), "site.pp", "$a = 1\n$b = $a +\t$c\n")
	failure, ok := errors.AsType[*eval.Error](err)
	if !ok {
		t.Fatal(err)
	}
	want := "site.pp:2:11: unknown variable: $c\n  $b = $a +\t$c\n           \t^"
	if got := failure.Detail(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSyntaxErrors(t *testing.T) {
	_, err := newWorld(registry(t), eval.Mode{}).run(t.Context(), "$a = ")
	if !errors.Is(err, eval.ErrSyntax) {
		t.Errorf("the error is %v", err)
	}
}

// TestLimits runs programs that would run forever or exhaust the memory.
func TestLimits(t *testing.T) {
	functions := registry(t)
	const many = "Integer[1, 9000000000000000000]"
	const list = "$b = Integer[0, 10000].map |$x| { $x } "
	for name, tt := range map[string]struct {
		src string
		is  error
	}{
		"calls":             {"function f($n) { f($n + 1) } f(0)", eval.ErrCallDepth},
		"calls in a lambda": {"function f($n) { [$n].map |$x| { f($x) } } f(0)", eval.ErrCallDepth},
		"templates":         {"function f($n) { inline_epp('<%= f($n) %>', {n => $n}) } f(0)", eval.ErrCallDepth},
		"loop":              {many + ".each |$x| { }", function.ErrBudget},
		"splat":             {"[*" + many + ".step(2)]", function.ErrBudget},
		"nested arrays":     {many + ".reduce([]) |$m, $x| { [$m] }", eval.ErrHeight},
		"nested hashes":     {many + ".reduce({}) |$m, $x| { {a => $m} }", eval.ErrHeight},
		"nested secrets":    {many + ".reduce(1) |$m, $x| { Sensitive([$m]) }", eval.ErrHeight},
		"nested by map":     {many + ".reduce(1) |$m, $x| { [1].map |$y| { $m } }", eval.ErrHeight},
		"nested types":      {many + ".reduce(Integer) |$m, $x| { Array[$m] }", function.ErrBudget},
		"shared arrays":     {many + ".reduce([1]) |$m, $x| { [$m, $m] }", function.ErrBudget},
		"doubled text":      {many + ".reduce('x') |$m, $x| { \"$m$m\" }", function.ErrBudget},
		"doubled array":     {many + ".reduce([1]) |$m, $x| { $m + $m }", function.ErrBudget},
		"long comments":     {"$c = ['<', '%# ', '" + strings.Repeat("c", 5000) + "', ' %>'].join " + many + ".each |$x| { inline_epp(\"${c}${x}\") }", function.ErrBudget},
		"same template":     {"$c = ['<', '%# ', '" + strings.Repeat("c", 5000) + "', ' %>'].join " + many + ".each |$x| { inline_epp($c) }", function.ErrBudget},
		"texts of calls":    {list + "$t = $b.join('é') " + many + ".map |$x| { upcase($t) }", function.ErrBudget},
		"texts read":        {list + "$t = $b.join('é') " + many + ".each |$x| { length($t) }", function.ErrBudget},
		"bytes":             {list + "$t = $b.join('é') " + many + ".map |$x| { Binary($t, '%s') }", function.ErrBudget},
		"regexps":           {list + "$t = $b.join('é') " + many + ".map |$x| { Regexp($t) }", function.ErrBudget},
		"parts":             {list + "$t = $b.join('é') " + many + ".map |$x| { split($t, '') }", function.ErrBudget},
		"equality":          {list + many + ".each |$x| { $b == $b }", function.ErrBudget},
		"instance":          {list + many + ".each |$x| { $b =~ Array[Integer] }", function.ErrBudget},
		"case":              {list + many + ".each |$x| { case $b { [1]: { } } }", function.ErrBudget},
		"difference":        {list + many + ".each |$x| { $b - $b }", function.ErrBudget},
		"sets":              {list + many + ".each |$x| { intersection($b, $b) }", function.ErrBudget},
		"members":           {list + many + ".each |$x| { member($b, 1) }", function.ErrBudget},
		"distinct":          {"Integer[1, 9223372036854775807].unique", function.ErrBudget},
		"portions":          {"Integer[1, 9223372036854775807].slice(1000)", function.ErrBudget},
		"nothing found":     {"Integer[1, 9223372036854775807].filter |$x| { false }", function.ErrBudget},
		"any":               {"any(Integer[1, 9223372036854775807]) |$x| { false }", function.ErrBudget},
		"steps":             {"Integer[1, 9223372036854775807].step(3).each |$x| { }", function.ErrBudget},
		"branches":          {"function f($x) { if $x == 0 { 1 } else { f($x - 1) + f($x - 1) } } f(60)", function.ErrBudget},
		"passwords":         {many + ".each |$x| { pw_hash('a', 'SHA-512', 'salt') }", function.ErrBudget},
		"cost of bcrypt":    {"pw_hash('a', 'bcrypt', '16$abcdefghijklmnopqrstuv')", function.ErrBudget},
		"iterations":        {"str2saltedpbkdf2('a', 'salt and more', 69999)", function.ErrBudget},
		"documents":         {list + "$t = to_yaml($b) " + many + ".each |$x| { parseyaml($t) }", function.ErrBudget},
		"character":         {list + "$t = $b.join('é') " + many + ".each |$x| { $t[5] }", function.ErrBudget},
		"template":          {"inline_epp('<% " + many + ".each |$x| { %>xxxxxxxxxx<% } %>')", function.ErrBudget},
	} {
		t.Run(name, func(t *testing.T) {
			units := int64(budget)
			if errors.Is(tt.is, eval.ErrHeight) {
				units *= 10 // nested values are counted repeatedly
			}
			_, err := newWorldOf(functions, eval.Mode{}, units).run(t.Context(), tt.src)
			if !errors.Is(err, tt.is) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	_, err := newWorld(registry(t), eval.Mode{}).run(ctx, "[1, 2]")
	if !errors.Is(err, enough) {
		t.Errorf("the error is %v", err)
	}
}

// TestErrorsHideSecrets makes operations on a secret fail.
func TestErrorsHideSecrets(t *testing.T) {
	const canary = "hunter2"
	functions := registry(t)
	for _, src := range []string{
		"$s + 1", "$s < 1", "-$s", "$s[0]", "$s =~ 'a'", "'a' =~ $s", "$s ? { 1 => 2 }", "[$a, $b] = $s",
		"with($s) |Integer $x| { }", "with($s) |Sensitive[Integer] $x| { }", "with($s) |$x| >> Integer { $x }",
		"function f(Integer $x) { } f($s)", "upcase($s)", "Integer($s)", "inline_epp('<%- |Integer $x| -%>', {x => $s})",
		"$s.nope", "nope($s)", "Integer[$s]", "{$s => 1} + 1", "1 / { a => $s }", "assert_type(Integer, $s)",
		"with([$s]) |Array[Enum[a]] $x| { }", "with($s) |Sensitive[Enum[a]] $x| { }",
	} {
		w := newWorld(functions, eval.Lax())
		_, err := w.run(t.Context(), "$s = Sensitive('"+canary+"') "+src)
		if err == nil {
			t.Errorf("%s: no error", src)
			continue
		}
		text := err.Error()
		if e, ok := errors.AsType[*eval.Error](err); ok {
			text += e.Err.Error()
		}
		if strings.Contains(text, canary) {
			t.Errorf("%s: the error tells the secret: %s", src, text)
		}
	}
}
