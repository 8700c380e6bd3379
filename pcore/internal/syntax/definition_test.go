package syntax

import (
	"strings"
	"testing"
)

// TestDefinitions parses heads of classes and defines among other contents of a
// module.
func TestDefinitions(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"", nil},
		{"$x = 1\nnotify { 'class': }", nil},
		{"define a { }", []string{"define a()"}},
		{"define a::b($x, Integer[1, 2] $y = 3, Optional[String] $z = undef,) { file { $title: ensure => $x } }",
			[]string{"define a::b($x, Integer[1, 2] $y = 3, Optional[String] $z = undef)"}},
		{"class a inherits b::c { }", []string{"class a() inherits b::c"}},
		{"class a(Hash $h = {a => [1, {}]}) inherits default { if $x { } }",
			[]string{"class a(Hash $h = {a => [1, {}]}) inherits default"}},
		{"class { 'x': class => 1 }\nclass a { include b\n class c($x) { define d($y) { \"${z}\" } } }\ndefine e { @(X) }\n class f { }\nX\n",
			[]string{"class a()", "class a::c($x)", "define a::c::d($y)", "define e()"}},
		{"node default { class { 'a': } }\nFoo <| x == 1 |> -> Bar['b']\ndefine g() { }", []string{"define g()"}},
	} {
		list, err := Config{}.ParseDefinitions("m.pp", c.src)
		if err != nil {
			t.Errorf("%q: %v", c.src, err)
		}
		got := make([]string, len(list))
		for i, d := range list {
			got[i] = head(c.src, d)
			checkSpans(t, d, len(c.src))
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%q\n got %q\nwant %q", c.src, got, c.want)
		}
	}
}

// head returns the head of a definition, its parameters as they are written in the source.
func head(src string, d *Definition) string {
	parameters := make([]string, len(d.Parameters))
	for i, p := range d.Parameters {
		parameters[i] = src[p.Pos():p.End()]
	}
	text := d.Kind + " " + d.Name + "(" + strings.Join(parameters, ", ") + ")"
	if d.Inherits != "" {
		text += " inherits " + d.Inherits
	}
	return text
}

// TestDefinitionErrors checks that well-formed heads are returned despite
// errors.
func TestDefinitionErrors(t *testing.T) {
	for _, c := range []struct {
		src, want string
		heads     int
	}{
		{"define a($x, $x) { }", "1:14: The parameter 'x' is declared more than once in the parameter list", 1},
		{"define a($name) { }", "1:10: The parameter $name redefines a built in parameter in the 'define' expression", 1},
		{"class a(*$x) { }", "1:10: Parameter $x has 'captures rest' - not supported in a Host Class Definition", 1},
		{"define A { }", "1:1: Unacceptable name. The name 'A' is unacceptable as the name of a 'define' expression", 1},
		{"define a($x = ) { }\ndefine b { }", "1:15: Syntax error at ')'", 1},
		{"define a { ", "1:12: Syntax error at end of input", 1},
		{"define a($x", "1:12: Syntax error at end of input", 0},
		{"class a { 08 }", "1:11: Not a valid octal number 08", 1},
	} {
		list, err := Config{}.ParseDefinitions("", c.src)
		if got := strings.Join(messages(err), "; "); got != c.want || len(list) != c.heads {
			t.Errorf("%q\n got %q with %d heads\nwant %q with %d", c.src, got, len(list), c.want, c.heads)
		}
	}
}
