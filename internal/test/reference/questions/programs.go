package main

import (
	"fmt"
	"strings"
)

// program returns a program: definitions and statements, and an expression.
func (w words) program() string {
	var b strings.Builder
	for range w.IntN(3) {
		b.WriteString(w.definition() + "\n")
	}
	for i, name := range []string{"a", "b"} {
		fmt.Fprintf(&b, "$%s = %s\n", name, w.expr(1+i%2))
	}
	for range w.IntN(2) {
		b.WriteString(w.statement() + "\n")
	}
	b.WriteString(w.expr(3))
	return b.String()
}

// definition returns the definition of an alias, an object, a set of types or a function.
func (w words) definition() string {
	switch w.IntN(7) {
	case 0:
		return "type T = " + w.typeText(2)
	case 1:
		return "type R = Variant[" + w.typeText(1) + ", Array[R], Hash[String, R]]"
	case 2:
		return "type P = Object[{attributes => {" + w.list(1, 3, w.attribute) + "}" + pick(w, "", ", equality => [a]", ", equality_include_type => false", ", functions => {f => Callable[[], Any]}") + "}]\n" +
			pick(w, "", "type Q = P { attributes => { d => "+w.typeText(1)+" } }", "type Q = Object[{parent => P, constants => {k => "+w.value(1)+"}}]")
	case 3:
		return "type S = TypeSet" + pick(w, "[{", " {") + " pcore_version => '1.0.0', version => '1.0.0', types => { " +
			pick(w, "A => { attributes => {"+w.attribute()+"} }, B => A { attributes => {z => "+w.typeText(1)+"} }",
				"A => Object { attributes => {"+w.attribute()+"} }, L => Array[A]",
				"P => "+w.typeText(1)+", A => Object[{ attributes => {a => P} }]",
				"B => A { attributes => {z => Integer} }, A => { attributes => {a => Integer} }",
				"A => "+w.typeText(2)) + " } }"
	case 4:
		return "function f(" + w.typeText(1) + " $x" + pick(w, "", ", $y = 2", ", *$y") + ")" + pick(w, "", " >> "+w.typeText(1)) + " { " + pick(w, "$x", "[$x]", "return($x)", "$x ? { Integer => 1, default => 'd' }", w.value(1)) + " }"
	default:
		return ""
	}
}

func (w words) attribute() string {
	name := pick(w, "a", "b", "c")
	switch w.IntN(4) {
	case 0:
		return name + " => " + w.typeText(1)
	case 1:
		return name + " => Integer"
	case 2:
		return name + " => {type => " + w.plainType() + ", value => " + w.value(0) + "}"
	default:
		return name + " => {type => " + pick(w, "String", "Optional[Integer]", "Any") + pick(w, "", ", kind => constant, value => 'k'", ", kind => derived", ", kind => given_or_derived", ", value => undef") + "}"
	}
}

func (w words) statement() string {
	switch w.IntN(5) {
	case 0:
		return "if " + w.expr(1) + " { notice(" + w.expr(1) + ") } else { notice('no') }"
	case 1:
		return "unless " + w.expr(1) + " { warning(" + w.expr(0) + ") }"
	case 2:
		return "case " + w.expr(1) + " { " + w.expr(0) + ": { notice(1) } " + pick(w, "String, Integer", w.regexp(), "undef", "[1, 2]") + ": { notice(2) } default: { notice(3) } }"
	case 3:
		return w.expr(1) + ".each " + w.lambda(1)
	default:
		return "$c = " + w.expr(2)
	}
}

// lambda returns a lambda with a body of a depth.
func (w words) lambda(depth int) string {
	body := func() string {
		e := strings.ReplaceAll(w.expr(depth), "$a", pick(w, "$a", "$x"))
		switch w.IntN(8) {
		case 0:
			return pick(w, "if $x == 2 { break() } ", "if $x == 2 { next() } ", "if true { break() } ", "break()\n", "next(7)\n", "if $x =~ Integer { next(1) } ") + e
		case 1, 2:
			return "$x"
		case 3:
			return pick(w, "$x == 2", "$x > 1", "$x =~ String", "[$x]", "\"<${x}>\"")
		default:
			return e
		}
	}
	switch w.IntN(6) {
	case 0:
		return "|$x, $y| { " + body() + " }"
	case 1:
		return "|$k, $x| { " + body() + " }"
	case 2:
		return "|" + w.plainType() + " $x| { " + body() + " }"
	default:
		return "|$x| { " + body() + " }"
	}
}

var (
	operators = []string{"+", "-", "*", "/", "%", "<<", ">>", "==", "!=", "<", ">", "<=", ">=", "=~", "!~", "in", "and", "or"}
	iterators = []string{"map", "filter", "each", "reduce", "any", "all", "index", "unique", "group_by", "partition", "with", "then", "lest", "reverse_each", "step", "slice", "tree_each", "sort"}
	methods   = []string{"size", "length", "empty", "upcase", "downcase", "capitalize", "strip", "keys", "values", "flatten", "unique", "type", "abs", "reverse_each", "sort", "max", "min", "unwrap", "chomp", "join", "camelcase",
		"lstrip", "rstrip", "chop", "floor", "ceiling", "round", "convert_to(Array)", "convert_to(String)", "convert_to(Integer)", "get('a')", "get('0')", "get('a.b', 7)", "dig(0)", "dig('a')", "type(generalized)"}
)

// expr returns an expression; it can use the variables a and b.
func (w words) expr(depth int) string {
	inner := func() string { return w.expr(depth - 1) }
	if depth <= 0 {
		return pick(w, "$a", w.value(0), w.value(1), w.value(0))
	}
	switch w.IntN(20) {
	case 0, 1, 2, 3:
		return "(" + inner() + " " + operators[w.IntN(len(operators))] + " " + inner() + ")"
	case 4:
		return pick(w, "!", "-", "*") + "(" + inner() + ")"
	case 5, 6, 7:
		name := iterators[w.IntN(len(iterators))]
		args := ""
		switch name {
		case "reduce":
			args = pick(w, "", "("+w.value(0)+")")
		case "step", "slice":
			args = "(" + pick(w, "1", "2", "3", "0") + ")"
		case "tree_each":
			args = pick(w, "", "({include_root => false})", "({order => breadth_first})", "({include_values => false})", "({include_containers => false, containers_only => true})", "({container_type => Hash, include_refs => true})")
			return w.subject(depth) + "." + name + args + pick(w, "", ".map "+w.lambda(0))
		case "sort":
			return w.subject(depth) + "." + name + pick(w, "", " |$x, $y| { compare($x, $y) }", " |$x, $y| { compare($y, $x) }")
		}
		return w.subject(depth) + "." + name + args + pick(w, " "+w.lambda(depth-1), " "+w.lambda(depth-1), " "+w.lambda(depth-1), "")
	case 8, 9:
		return w.subject(depth) + "." + methods[w.IntN(len(methods))]
	case 10, 11:
		return "(" + inner() + ")[" + w.list(1, 2, func() string { return pick(w, "0", "1", "-1", "'a'", "2", w.value(0)) }) + "]"
	case 12:
		return "\"" + pick(w, "", "x", "%") + "${" + pick(w, "a", "$a", inner(), "a[0]", "a.size") + "}" + pick(w, "", "y", "$b") + "\""
	case 13:
		return "(" + inner() + " ? { " + w.expr(0) + " => 1, " + pick(w, "String => 2, ", "/a/ => $0, ", "") + "default => 3 })"
	case 14:
		return "[" + w.list(0, 3, inner) + "]"
	case 15:
		return "{" + w.list(0, 2, func() string { return w.key() + " => " + inner() }) + "}"
	case 16:
		return "(if " + inner() + " { " + inner() + " } else { " + inner() + " })"
	case 17:
		return w.newCall()
	case 18:
		return pick(w, "f("+inner()+")", "f("+inner()+", 1)", "P("+w.list(0, 3, func() string { return w.value(1) })+")", "P({a => 1, b => 2})", "Q(1, 2, 3)", "S::A("+w.value(1)+")", "S::B(1, "+w.value(1)+")", "T", "R", "("+inner()+" =~ T)", "("+inner()+" =~ R)",
			"("+inner()+" =~ S::L)", "S::P", "assert_type("+w.typeText(1)+", "+inner()+")", "S::A == S::B")
	default:
		return w.value(depth)
	}
}

// subject returns an expression before a dot: mostly a collection.
func (w words) subject(depth int) string {
	return pick(w, "[1, 2, 3]", "[3, 1, 2]", "['b', 'a']", "{a => 1, b => 2}", "3", "Integer[1, 3]", "'abc'", "[[1, 2], [3]]", "[undef, 'a']", "{'x' => {'y' => 1}}", "$a", "$b", "("+w.expr(depth-1)+")", "("+w.value(2)+")")
}

// template returns a template with its parameters, which are an expression or empty.
func (w words) template() (text, params string) {
	var b strings.Builder
	if w.once(2) {
		var names []string
		for _, name := range []string{"p", "q"}[:1+w.IntN(2)] {
			names = append(names, pick(w, "", w.plainType()+" ", "Optional[Integer] ", "String ")+"$"+name+pick(w, "", "", " = "+w.value(0)))
		}
		b.WriteString(pick(w, "<%-", "<%") + " |" + strings.Join(names, ", ") + "| " + pick(w, "-%>", "%>") + pick(w, "\n", ""))
		params = "{" + w.list(0, 2, func() string {
			return pick(w, "p", "q", "'p'", "'z'") + " => " + pick(w, w.value(1), "Deferred('"+pick(w, "upcase", "size", "abs", "split", "nosuch", "new")+"', ["+w.list(0, 2, func() string { return w.value(0) })+"])")
		}) + "}"
	}
	b.WriteString("<% $a = " + w.value(1) + " $b = " + w.value(0) + " -%>\n")
	for range 1 + w.IntN(3) {
		b.WriteString(pick(w, "text ", "  ", "\n", "<%% x %%>", "é\n", "", "a\r\n"))
		switch w.IntN(6) {
		case 0:
			b.WriteString("<% if " + w.expr(1) + " { %>yes<% } else { -%>\nno<% } %>")
		case 1:
			b.WriteString("<%- " + w.subject(1) + ".each |$x| { -%>\n[<%= $x %>]<% } %>")
		case 2:
			b.WriteString(pick(w, "<%# comment %>", "  <%#- c -%>  \n", "<%= $p %>", "<%= $q -%>\n"))
		default:
			b.WriteString("<%= " + w.expr(1+w.IntN(2)) + pick(w, " %>", " -%>\n"))
		}
	}
	return b.String(), params
}
