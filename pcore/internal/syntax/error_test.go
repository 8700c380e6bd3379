package syntax

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestErrors compares locations and messages.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"$x = ", []string{"1:6: Syntax error at end of input"}},
		{"$x = )", []string{"1:6: Syntax error at ')'"}},
		{"$x = 'é' )", []string{"1:10: Syntax error at ')'"}},
		{"1\n2", []string{"1:1: This Literal Integer has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form)"}},
		{"$x + 1\nf()", []string{"1:4: This '+' expression has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form)"}},
		{"$0 = 1", []string{"1:1: Illegal attempt to assign to the numeric match result variable '$0'. Numeric variables are not assignable"}},
		{"f() |$a, $b, *$c, $d| {}", []string{"1:15: Parameter $c is not last, and has 'captures rest'"}},
		{"{a => 1, 'a' => 2}", []string{"1:14: The key 'a' is declared more than once"}},
		{"{Integer => 1, String => 2, 'integer' => 3}", []string{"1:39: The key 'integer' is declared more than once"}},
		{"Struct[{Optional['b'] => Integer, NotUndef['b'] => String}]", []string{"1:49: The key 'NotUndef['b']' is declared more than once"}},
		{"{Tuple[[Integer]] => 1, Tuple[[Integer]] => 2, Array[$x] => 3, Array[$x] => 4, -1 => 1, 1 => 2, -2 => 1}", nil},
		{"{-1 => 1, -1 => 2}", []string{"1:14: The key '-1' is declared more than once"}},
		{"private", []string{"1:1: Use of reserved word: private, must be quoted if intended to be a String value"}},
		{"$x()", []string{"1:1: Illegal expression. A Variable is unacceptable as function name in a Function Call"}},
		{"08 + 1", []string{"1:1: Not a valid octal number 08"}},
		{"1.5x", []string{"1:1: Not a valid decimal number 1.5x"}},
		{"'abc", []string{"1:2: Unclosed quote after \"'\" followed by 'abc...'"}},
		{"\xff", []string{"1:1: The text is not valid UTF-8: byte 0xFF"}},
		{"\ufeff1", []string{"1:1: Illegal UTF-8 byte order mark at the start of the text: [EF BB BF]"}},
		{"1e999", []string{"1:1: A Literal Float is outside of Puppet Float range, got '1e999'"}},
		{"9223372036854775808", []string{"1:1: A Literal Integer resulted in a value outside of Puppet Integer max range, got '9223372036854775808'"}},
		// Errors inside the text of a heredoc have their location in the
		// source.
		{"$x = @(\"END\")\n  a\n  ${1 +}\n  | END\n", []string{"3:9: Syntax error at '}'"}},
		// Parsing resumes on the next line, and after a block.
		{"$x = )\n$y = ]\n$z = 1", []string{"1:6: Syntax error at ')'", "2:6: Syntax error at ']'"}},
		{"if $x {\n  $y = ,\n  $z = 08\n}\n$w = *", []string{"2:8: Syntax error at ','", "3:8: Not a valid octal number 08", "5:7: Syntax error at end of input"}},
		{"f(\n$x\n$y\n", []string{"3:1: Syntax error at 'y'"}},
		{"$x = 1 2 3; $y = = 1; $z = ]", []string{"1:18: Syntax error at '='", "1:28: Syntax error at ']'"}},
		// A catalog-only construct is one error per statement.
		{"notify { 'a': message => 'b' }\n$x = 1\n@file { 'x': } -> Foo['y']", []string{
			"1:1: A Resource Statement is only available when compiling a catalog",
			"3:1: A virtual Resource Statement is only available when compiling a catalog"}},
		{"class a($x) inherits b { file { 'x': } }", []string{"1:1: A Host Class Definition is only available when compiling a catalog"}},
		{"define a { }\nnode 'x', /y/ { }\nclass { 'a': }\nFoo <| a == 1 |>\nFile { mode => 1 }\nFile['a'] { mode +> 1 }", []string{
			"1:1: A 'define' expression is only available when compiling a catalog",
			"2:1: A Node Definition is only available when compiling a catalog",
			"3:1: A Resource Statement is only available when compiling a catalog",
			"4:1: A Collector is only available when compiling a catalog",
			"5:1: A Resource Defaults Expression is only available when compiling a catalog",
			"6:1: A Resource Override is only available when compiling a catalog"}},
		// A collector sets attributes.
		{"Foo <<| a == 1 |>> { mode => 1 }\n$x = )", []string{
			"1:1: A Collector is only available when compiling a catalog", "2:6: Syntax error at ')'"}},
		{"Foo <| |> { 'a': }", []string{"1:1: A Collector is only available when compiling a catalog", "1:13: Syntax error at 'a'"}},
		{"foo { a => 1 }", []string{"1:1: This expression is invalid. Did you try declaring a 'foo' resource without a title?"}},
	} {
		_, err := ParseProgram("", c.src)
		if got := messages(err); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%q\n got %q\nwant %q", c.src, got, c.want)
		}
	}
}

func messages(err error) []string {
	var list ErrorList
	errors.As(err, &list)
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.Error()
	}
	return out
}

// TestDetailOfLongLine cuts the line around the column, wherever it is.
func TestDetailOfLongLine(t *testing.T) {
	blanks := strings.Repeat("é", 200)
	for _, c := range []struct{ before, after string }{{"", blanks}, {blanks, ""}, {blanks, blanks}, {"", ""}} {
		e := &Error{Line: 1, Column: len([]rune(c.before)) + 1, Message: "bad", Text: c.before + "X" + c.after}
		_, rest, _ := strings.Cut(e.Detail(), "\n")
		line, caret, _ := strings.Cut(rest, "\n")
		if n := len([]rune(line)); n > 2*maxExcerpt+5 {
			t.Errorf("a line of %d characters is shown", n)
		}
		if at := len([]rune(caret)) - 1; []rune(line)[at] != 'X' || strings.TrimSpace(caret) != "^" {
			t.Errorf("the caret is elsewhere:\n%s\n%s", line, caret)
		}
	}
}

// TestDetail shows an error after tabs and wide characters.
func TestDetail(t *testing.T) {
	_, err := ParseProgram("site.pp", "$a = 1\n\t$é = )\n$b = ]")
	var list ErrorList
	if !errors.As(err, &list) {
		t.Fatal(err)
	}
	if got, want := list[0].Detail(), "site.pp:2:3: Syntax error at 'é'\n  \t$é = )\n  \t ^"; got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	var one *Error
	if !errors.As(err, &one) || one != list[0] {
		t.Errorf("errors.As finds %v", one)
	}
	if got := err.Error(); got != "site.pp:2:3: Syntax error at 'é' (and 1 more)" {
		t.Errorf("got %q", got)
	}
}

// TestMaxErrors checks that parsing stops at the maximum number of errors.
func TestMaxErrors(t *testing.T) {
	src := strings.Repeat("$x = )\n", 50)
	for _, limit := range []int{0, 1, 25} {
		_, err := Config{MaxErrors: limit}.ParseProgram("", src)
		if got, want := len(messages(err)), limit; want > 0 && got != want || want == 0 && got != 10 {
			t.Errorf("limit %d: %d errors", limit, got)
		}
	}
}

// TestMaxDepth rejects texts that nest too deep, and parses long flat texts.
func TestMaxDepth(t *testing.T) {
	n := 30_000
	if testing.Short() {
		n = 3_000
	}
	for _, src := range []string{
		strings.Repeat("(", n), strings.Repeat("[", n), strings.Repeat("{a=>", n), strings.Repeat("-", n) + "1",
		strings.Repeat("!", n) + "1", strings.Repeat("f(", n), strings.Repeat("$x = ", n) + "1",
		"1" + strings.Repeat("+1", n), "$x" + strings.Repeat(".f", n), "$x" + strings.Repeat("[0]", n),
		"$x" + strings.Repeat(" ? 1 => 2", n), strings.Repeat("if 1 {", n), "if 1 {}" + strings.Repeat(" elsif 1 {}", n),
		strings.Repeat("$x ? ", n), strings.Repeat("Array[", n), strings.Repeat(`"${`, n), strings.Repeat("f() |$x = ", n),
		strings.Repeat("@", n) + "x", strings.Repeat("class a { ", n), strings.Repeat("case 1 { 1: {", n),
		"1" + strings.Repeat(" in 1", n), "f" + strings.Repeat("()", n),
	} {
		_, err := ParseProgram("", src)
		if err == nil {
			t.Errorf("%.20q… nested %d deep is read", src, n)
		}
		_, _ = ParseEPP("", src)
		_, _ = Config{}.ParseDefinitions("", src)
	}
	for _, src := range []string{
		"[" + strings.Repeat("1,", n) + "]", strings.Repeat("f()\n", n), "{" + strings.Repeat("a=>1,", n) + "}",
		`"` + strings.Repeat("${x}", n) + `"`, `"` + strings.Repeat("$", n) + `"`, strings.Repeat("$x = 'a'\n", n),
		"f(" + strings.Repeat("$a,", n) + ")", "case 1 {" + strings.Repeat("1:{}\n", n) + "}",
	} {
		if _, err := (Config{Lax: true}).ParseProgram("", src); err != nil {
			t.Errorf("%.20q…: %v", src, err)
		}
	}
	if _, err := ParseProgram("", "1"+strings.Repeat("+1", 900)); err != nil {
		t.Error(err)
	}
	if _, err := (Config{MaxDepth: 10}).ParseProgram("", "1"+strings.Repeat("+1", 20)); err == nil {
		t.Error("a chain of 20 is read with MaxDepth 10")
	}
}

// TestHostile parses texts that would make a careless scanner take quadratic
// time, in which case the test times out.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("it is a test of bounds")
	}
	const n = 50_000
	for _, src := range []string{
		strings.Repeat(`=\/`, n), strings.Repeat("= /", n), strings.Repeat("/*", n), strings.Repeat("@(x)", n),
		strings.Repeat(`"$$`, n), strings.Repeat(`"\u005c`, n), `"` + strings.Repeat(`\u005cu005c`, n) + `"`,
		strings.Repeat(" (", n), strings.Repeat("<%%", n), strings.Repeat("<%#", n), strings.Repeat("%>", n),
		strings.Repeat("a-", n), strings.Repeat("a::", n), strings.Repeat("A::", n), strings.Repeat("'", n),
		strings.Repeat("@(x)\n", n), strings.Repeat("@(x:pp)\n", n), strings.Repeat("1.", n), strings.Repeat("0x", n),
		strings.Repeat("notify { a: ", n), strings.Repeat("notify { a => ", n), strings.Repeat("<%= {", n),
		strings.Repeat("x{", n), strings.Repeat("x{}", n), strings.Repeat("$x = )\n", n), strings.Repeat("\"${\n", n),
	} {
		for _, c := range []Config{{}, {MaxErrors: 100}} {
			_, _ = c.ParseProgram("", src)
			_, _ = c.ParseEPP("", src)
			_, _ = c.ParseEPP("", "<%"+src)
			_, _ = c.ParseDefinitions("", src)
		}
	}
}

// TestLax turns duplicate keys into warnings; Unchecked reports nothing.
func TestLax(t *testing.T) {
	const src = "{a => 1, a => 2}"
	if _, err := ParseProgram("", src); err == nil {
		t.Error("a duplicate key is read")
	}
	program, err := Config{Lax: true}.ParseProgram("", src)
	if err != nil || len(program.Warnings) != 1 || program.Warnings[0].Issue != "DUPLICATE_KEY" {
		t.Errorf("lax: %v, %v", program, err)
	}
	if _, err := (Config{Unchecked: true}).ParseProgram("", src); err != nil {
		t.Errorf("unchecked: %v", err)
	}
}

// TestWarnings reports unknown escapes.
func TestWarnings(t *testing.T) {
	program, err := ParseProgram("", `"\q \u00"`)
	if err != nil {
		t.Fatal(err)
	}
	if got := messages(program.Warnings); len(got) != 2 {
		t.Errorf("warnings %q", got)
	}
	if s, ok := program.Body.Statements[0].(*String); !ok || s.Value != `\q \u00` {
		t.Errorf("value %v", program.Body.Statements[0])
	}
}

func TestParseExpr(t *testing.T) {
	for src, want := range map[string]string{
		"":        "1:1: Syntax error at end of input",
		"1 2":     "1:3: Syntax error: one expression is expected, a second begins here",
		"Integer": "",
	} {
		e, err := Config{}.ParseExpr("", src)
		if want == "" && (err != nil || e == nil) || want != "" && fmt.Sprint(err) != want {
			t.Errorf("%q: %v", src, err)
		}
	}
}

// TestPosition finds lines and columns, also past the end.
func TestPosition(t *testing.T) {
	l := NewLocator("f", "aé\r\n\nb")
	for offset, want := range map[int]string{-1: "1:1 aé", 0: "1:1 aé", 1: "1:2 aé", 3: "1:3 aé", 5: "2:1 ", 6: "3:1 b", 7: "3:2 b", 99: "3:2 b"} {
		line, column := l.Position(offset)
		if got := fmt.Sprintf("%d:%d %s", line, column, l.Line(offset)); got != want {
			t.Errorf("offset %d: got %q, want %q", offset, got, want)
		}
	}
}
