package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// source draws random texts of the language.
type source struct{ *rapid.T }

func (s source) pick(choices ...string) string {
	return rapid.SampledFrom([]string{" ", "  ", "\t", " /* note */ "}).Draw(s.T, "choice")
}

// blank is a location between two tokens for blanks and comments.
const blank = "\x00"

// list draws up to n comma-separated items, sometimes with a trailing comma.
func (s source) list(n int, item func() string) string {
	items := make([]string, rapid.IntRange(0, n).Draw(s.T, "items"))
	for i := range items {
		items[i] = item()
	}
	text := strings.Join(items, ","+blank)
	if len(items) > 0 && rapid.IntRange(0, 5).Draw(s.T, "comma") == 0 {
		text += ","
	}
	return text
}

func (s source) literal() string {
	return s.pick("0", "42", "0x1F", "017", "1.5", "1e10", "2.5E-3", "true", "false", "undef", "default", "''", "'it\\'s'", `'a\b'`,
		`"a\tb\n"`, `"\u{1F600}\$x"`, "bare", "a::b", "/a\\/b/", "/[/]/", "$x", "$::a::b", "$0", "Integer", "My::Type", "'$x'", "'é'")
}

// text draws a string with interpolations.
func (s source) text(depth int) string {
	part := func() string {
		return s.pick("plain ", "\\\"", "$x", "${x}", "${x[0]} ", "${x.size}", "$$", "$", "{}", "\\\\", "\\${", "é", "${ $y }",
			"${"+s.expression(depth)+"}")
	}
	return `"` + part() + part() + part() + `"`
}

func (s source) lambda(depth int) string {
	parameter := func() string {
		return s.pick("$p", "$q = 1", "Integer $n", "*$rest", "Optional[String] $o = undef", "Array[Integer, 1] $l = [1]")
	}
	return fmt.Sprintf("|%s|%s{ %s }", s.list(2, parameter), s.pick(" ", " >> Integer ", ""), s.statements(depth))
}

// operand draws an operand, which binds tighter than any operator.
func (s source) operand(depth int) string {
	if depth == 0 {
		return s.literal()
	}
	inner := func() string { return s.expression(depth - 1) }
	switch rapid.IntRange(0, 11).Draw(s.T, "operand") {
	case 0:
		return "[" + s.list(3, inner) + "]"
	case 1:
		return "{" + s.list(2, func() string { return inner() + blank + "=>" + blank + inner() }) + "}"
	case 2:
		return "(" + blank + inner() + blank + ")"
	case 3:
		return s.pick("$x", "$x[1]", "Hash", "(1)", "[1, 2]") + "[" + inner() + s.pick("", ", 2", ", *[1]") + "]"
	case 4:
		return s.pick("f", "my::f", "Integer", "notice") + "(" + s.list(2, inner) + ")"
	case 5:
		return s.pick("$x", "[1]", "'a'", "f(1)", "(1 + 2)") + blank + "." + s.pick("map", "my::f") +
			s.pick("", "()", "("+inner()+")") + " " + s.lambda(depth-1)
	case 6:
		return s.text(depth - 1)
	case 7:
		return fmt.Sprintf("if %s {%s} elsif %s { } else { %s }", inner(), s.statements(depth-1), inner(), inner())
	case 8:
		return fmt.Sprintf("unless %s { %s }%s", inner(), s.statements(depth-1), s.pick("", " else { 1 }"))
	case 9:
		return fmt.Sprintf("case %s { %s, 2: { %s } default: { } }", inner(), inner(), s.statements(depth-1))
	case 10:
		return fmt.Sprintf("$x ? { %s => %s, default => %s }", inner(), inner(), inner())
	default:
		return s.literal()
	}
}

func (s source) expression(depth int) string {
	if depth == 0 {
		return s.literal()
	}
	switch rapid.IntRange(0, 4).Draw(s.T, "expression") {
	case 0:
		return s.pick("!", "-", "! ", "- ") + s.operand(depth-1)
	case 1, 2:
		// Not a slash: after some operands it begins a regular expression, in which blanks count.
		op := s.pick("+", "-", "*", "%", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "=~", "!~", "in", "and", "or")
		return s.expression(depth-1) + " " + op + blank + s.expression(depth-1)
	default:
		return s.operand(depth)
	}
}

func (s source) statements(depth int) string {
	var b strings.Builder
	for range rapid.IntRange(0, 2).Draw(s.T, "statements") {
		b.WriteString(s.pick("$v = ", "[$a, $b] = ", "", "notice ", "return ") + s.expression(max(depth-1, 0)) + s.pick("\n", ";", ";\n"))
	}
	return b.String()
}

func (s source) program() string {
	definition := s.pick("", "", "type T = Struct[{a => Integer}]\n", "function f(Integer $x, *$y) >> String { $x }\n")
	return definition + s.statements(4) + s.expression(4)
}

func (s source) template() string {
	var b strings.Builder
	b.WriteString(s.pick("", "<%- | Integer $x = 1, $y | -%>\n"))
	for range rapid.IntRange(1, 3).Draw(s.T, "tags") {
		text := s.pick("text", "\n", "<%% a %%>", "<%# note -%>\n", "  <%- ", "<% ")
		if strings.HasSuffix(text, " ") {
			text += s.statements(2) + s.pick(" %>", " -%>\n")
		}
		b.WriteString(text + "<%= " + s.expression(3) + s.pick(" %>", " -%>\n"))
	}
	return b.String()
}

// layouts draws a text with two layouts.
func layouts(t *rapid.T, text string) (a, b string) {
	draw := func(label string) string {
		parts := strings.Split(text, blank)
		var out strings.Builder
		for i, part := range parts {
			if i > 0 {
				out.WriteString(rapid.SampledFrom([]string{" ", "  ", "\t", " /* note */ "}).Draw(t, label))
			}
			out.WriteString(part)
		}
		return out.String()
	}
	return draw("first layout"), draw("second layout")
}

// TestLayout checks that blanks and comments between tokens do not change the
// tree of a text. A line break may: a bracket after it begins a new statement.
func TestLayout(t *testing.T) {
	for _, kind := range []struct {
		name     string
		text     func(source) string
		template bool
	}{
		{"program", source.program, false},
		{"template", source.template, true},
	} {
		t.Run(kind.name, rapid.MakeCheck(func(t *rapid.T) {
			a, b := layouts(t, kind.text(source{t}))
			// Some drawn texts do not parse, such as `1 < 2 < 3`, in any layout.
			first, err := parseUnchecked(a, kind.template)
			second, errSecond := parseUnchecked(b, kind.template)
			if (err == nil) != (errSecond == nil) {
				t.Fatalf("%q: %v\n%q: %v", a, err, b, errSecond)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(reference(first), reference(second)); diff != "" {
				t.Fatalf("%q\n%q\n%s", a, b, diff)
			}
		}))
	}
}
