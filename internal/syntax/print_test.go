package syntax

import "testing"

// TestPrint compares the canonical text of programs.
func TestPrint(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", ""},
		{"undef", "undef\n"},
		{"0X1F+017 - 1.50", "0x1f + 017 - 1.5\n"},
		{"1e20", "1e20\n"},
		{"2.0", "2.0\n"},
		{`"it's"`, "'it\\'s'\n"},
		{`'a\b'`, "'a\\\\b'\n"},
		{`"a\nb\u{7}\$"`, "\"a\\nb\\u{7}\\$\"\n"},
		{"a-word", "'a-word'\n"},
		{`"$x ${x} ${x[0]} ${1 + 2}\$"`, "\"${$x} ${$x} ${$x[0]} ${1 + 2}\\$\"\n"},
		{`$x=~/a\/b/`, "$x =~ /a\\/b/\n"},
		{"-1.abs", "-1.abs()\n"},
		{"(1+2)*3", "(1 + 2) * 3\n"},
		{"!$a and *$b", "!$a and *$b\n"},
		{"[1,a=>2,b=>3,]", "[1, {a => 2, b => 3}]\n"},
		{"{type=>function}", "{'type' => 'function'}\n"},
		{"Hash[String,Integer[1]]", "Hash[String, Integer[1]]\n"},
		{"notice 1,2", "notice(1, 2)\n"},
		{"notice {a => 1}", "notice({'a' => 1})\n"},
		{"$x.foo", "$x.foo()\n"},
		{"$x.map|Integer $y,*$z| >>String{$y}", "$x.map |Integer $y, *$z| >> String {\n  $y\n}\n"},
		{"f()|$x=g(),|{}", "f() |$x = g(),| { }\n"},
		{"$x?a=>1", "$x ? { a => 1 }\n"},
		{"if $x {1} elsif $y {2} else {}", "if $x {\n  1\n} elsif $y {\n  2\n} else { }\n"},
		{"unless $x {f() g()}", "unless $x {\n  f()\n  g()\n}\n"},
		{"case $x {1,2:{3} default:{}}", "case $x {\n  1, 2: {\n    3\n  }\n  default: { }\n}\n"},
		{"$x = 1;-$y", "$x = 1;\n-$y\n"},
		{"f();{a=>1}", "f();\n{a => 1}\n"},
		{"function f::g(Integer $x=1,$y=2)>>String{$x}", "function f::g(Integer $x = 1, $y = 2) >> String {\n  $x\n}\n"},
		{"type X=Y{a=>1}", "type X = Object[{a => 1, parent => Y}]\n"},
		{"type Runtime[ruby,[/a/,'b']]=[/c/,'d']", "type Runtime[ruby, [/a/, 'b']] = [/c/, 'd']\n"},
		{"f(@(X:json), 1)\n{}\nX\n", "f(@(END:json), 1)\n{}\nEND\n"},
		{"@(\"X\"/)\n  \\t$x END\n  |- X", "@(\"END2\"/)\n\t${$x} END\n- END2\n"},
		{"\"${@(X)}\"\ntext\nX\n", "\"${@(END)\ntext\nEND\n}\"\n"},
	} {
		program, err := ParseProgram("", c.src)
		if err != nil {
			t.Errorf("%q: %v", c.src, err)
			continue
		}
		if got := Print(program); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.src, got, c.want)
		}
		roundTrip(t, c.src, false)
	}
}

// TestPrintTemplate compares the canonical text of templates.
func TestPrintTemplate(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", ""},
		{"text\n", "text\n"},
		{"<%=$x%>", "<%= $x %>"},
		{"<%- |Integer $x = 1| -%>\na<%= $x -%>  \nb", "<%- |Integer $x = 1| -%>\na<%= $x %>b"},
		{"<%-||%>", "<%- || %>"},
		{"a<%# comment -%>\nb", "ab"},
		{"<%% %> %%>x", "<%% %%> %%>x"},
		{"<% if $x { %>a<% } else { %>b<% } %>", "<% if $x { %>a<% } else { %>b<% } %>"},
		{"<% $x = 1\n$y = 2 %>a", "<% $x = 1\n$y = 2 %>a"},
		{"<%= {$x = 1 $x} %>", "<%= {\n  $x = 1\n  $x\n} %>"},
		{"a<%%>", "a<%%>"},
		{"a<%%<% %>", "a<%%<% %>"},
		{"a<% %>b", "a<% %>b"},
		{"<% f() -%>\n", "<% f()-%>\n"},
		{"<% notice -%>\n", "<% notice -%>\n"},
		{"a<% ;-1 %>", "a<% ; -1 %>"},
	} {
		template, err := ParseEPP("", c.src)
		if err != nil {
			t.Errorf("%q: %v", c.src, err)
			continue
		}
		if got := Print(template); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.src, got, c.want)
		}
		roundTrip(t, c.src, true)
	}
}
