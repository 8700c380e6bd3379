package main

import (
	"math/rand/v2"
	"strings"
)

// words generates texts of the Puppet language: types, values, programs and templates. The
// pools are small, so that types and values often have to do with each other.
type words struct{ *rand.Rand }

// pick returns one of the choices.
func pick[T any](w words, choices ...T) T { return choices[w.IntN(len(choices))] }

// once reports true once in n times.
func (w words) once(n int) bool { return w.IntN(n) == 0 }

// list returns from least to most results of f, separated by commas.
func (w words) list(least, most int, f func() string) string {
	all := make([]string, least+w.IntN(most-least+1))
	for i := range all {
		all[i] = f()
	}
	return strings.Join(all, ", ")
}

func (w words) integer() string {
	return pick(w, "0", "1", "2", "3", "5", "-1", "10", "255", "0x1F", "017", "-7")
}

func (w words) float() string {
	return pick(w, "0.0", "1.0", "1.5", "-2.5", "1e10", "1.0e-7", "3.14159", "1e22", "100.0")
}

func (w words) text() string {
	return pick(w, "''", "'a'", "'b'", "'abc'", "'A'", "'Hello'", "'a b'", "'1'", "'0x10'", "'1.5'", "'é'", "'circle'", "'x\ny'", `"t\tq"`,
		`"it's"`, "'a,b,c'", "'http://x.org/p'", "'1.2.3'", "'true'", "'/etc/x'", "' pad '", "'😀'", "'A::B'", "'%s'", "'a\\b'", "'$x'")
}

func (w words) regexp() string {
	return pick(w, "/a/", "/b/", "/^a.*$/", `/\d+/`, `/(a)(b)?/`, "/[A-Z]/", `/\//`, "/(?i:x)/", `/\Aa\z/`)
}

// large returns an integer that nothing is repeated for.
func (w words) large() string {
	return pick(w, w.integer(), w.integer(), "1000000", "9223372036854775807", "4294967296", "-9223372036854775807")
}

// key returns a key of a hash.
func (w words) key() string {
	return pick(w, "'a'", "'b'", "a", "kind", "size", "x", "1", "2", "undef", "default", "'name'", "true", "1.5")
}

// value returns an expression without variables.
func (w words) value(depth int) string {
	if depth > 0 && w.once(2) {
		switch w.IntN(4) {
		case 0, 1:
			return "[" + w.list(0, 3, func() string { return w.value(depth - 1) }) + "]"
		default:
			return "{" + w.list(0, 3, func() string { return w.key() + " => " + w.value(depth-1) }) + "}"
		}
	}
	switch w.IntN(22) {
	case 0, 1, 2, 3:
		return w.integer()
	case 4, 5:
		return w.float()
	case 6, 7, 8, 9:
		return w.text()
	case 10:
		return w.regexp()
	case 11:
		return pick(w, "true", "false")
	case 12:
		return pick(w, "undef", "default")
	case 13:
		return w.plainType()
	case 14:
		return w.typeText(1)
	default:
		return w.rich()
	}
}

// rich returns an expression of a value that is no plain data.
func (w words) rich() string {
	return pick(w, "Timestamp('2020-02-03T04:05:06 UTC')", "Timestamp(0)", "Timestamp('1999-12-31T23:59:59.123456789 UTC')", "Timespan(3600)", "Timespan(1.25)",
		"Timespan({days => 1, hours => 2})", "SemVer('1.2.3')", "SemVer('2.0.0-rc1')", "SemVerRange('>=1.0.0 <2.0.0')", "SemVerRange('1.x')", "Binary('aGVsbG8=')",
		"Binary('')", "URI('http://example.com/a?b#c')", "URI('mailto:a@b.org')", "Sensitive('s')", "Sensitive(1)", "Sensitive([1, 'a'])",
		"Oracle::Point(1)", "Oracle::Point(1, 2)", "Oracle::Host('h', {}, 80)", "Oracle::Named('n')", "Oracle::Line(Oracle::Point(1), Oracle::Point(2, 3))",
		"Deferred('upcase', ['a'])", "Error('m', 'k')", "Oracle::Secret('u', Sensitive('p'))", "[1, 2, 3].reverse_each", "Integer[1, 3].step(2)")
}

func (w words) plainType() string {
	return pick(w, "Any", "Undef", "Default", "Data", "RichData", "Scalar", "ScalarData", "Numeric", "Integer", "Float", "String", "Boolean", "Regexp", "Binary",
		"Timespan", "Timestamp", "SemVer", "SemVerRange", "URI", "Collection", "Array", "Hash", "Struct", "Tuple", "Variant", "Optional", "NotUndef", "Type", "Callable",
		"Sensitive", "Iterable", "Iterator", "Enum", "Pattern", "Runtime", "Object", "TypeSet", "CatalogEntry", "Resource", "Class", "Error", "Init", "Deferred",
		"Oracle::Port", "Oracle::Name", "Oracle::Tree", "Oracle::Json", "Oracle::Shape", "Oracle::Point", "Oracle::Named", "Oracle::Host", "Oracle::Boxed", "File", "Notify", "Unknown")
}

// bounds returns from and to of a range.
func (w words) bounds(number func() string) string {
	switch w.IntN(4) {
	case 0:
		return number()
	case 1:
		return "default, " + number()
	case 2:
		return number() + ", default"
	default:
		return number() + ", " + number()
	}
}

func (w words) size() string { return pick(w, "0", "1", "2", "3", "5", "-1", "default") }

// typeText returns an expression of a type.
func (w words) typeText(depth int) string {
	inner := func() string { return w.typeText(depth - 1) }
	if depth <= 0 || w.once(3) {
		return w.plainType()
	}
	switch w.IntN(24) {
	case 0, 1:
		return "Integer[" + w.bounds(w.large) + "]"
	case 2:
		return "Float[" + w.bounds(w.float) + "]"
	case 3:
		return "String[" + w.bounds(w.size) + "]"
	case 4:
		return "Enum[" + w.list(1, 3, func() string { return pick(w, "a", "b", "'abc'", "'A'", "circle", "'x y'", "true", "false", "''") }) + "]"
	case 5:
		return "Pattern[" + w.list(0, 2, func() string { return pick(w, w.regexp(), "'a'") }) + "]"
	case 6:
		return "Boolean[" + pick(w, "true", "false") + "]"
	case 7:
		return "Regexp[" + w.regexp() + "]"
	case 8, 9:
		return "Array[" + inner() + pick(w, "", ", "+w.bounds(w.size)) + "]"
	case 10:
		return "Hash[" + inner() + ", " + inner() + pick(w, "", ", "+w.bounds(w.size)) + "]"
	case 11:
		return "Tuple[" + w.list(1, 3, inner) + pick(w, "", "", ", "+w.bounds(w.size)) + "]"
	case 12:
		return "Struct[{" + w.list(0, 3, func() string {
			return pick(w, "a", "'b'", "Optional[a]", "NotUndef['b']", "kind", "Optional[size]") + " => " + inner()
		}) + "}]"
	case 13, 14:
		return "Variant[" + w.list(1, 3, inner) + "]"
	case 15:
		return pick(w, "Optional", "NotUndef", "Type", "Sensitive", "Iterable", "Iterator") + "[" + inner() + "]"
	case 16:
		return "Optional[" + w.text() + "]"
	case 17:
		return "Callable[" + w.list(0, 3, func() string { return pick(w, inner(), inner(), w.size()) }) + "]"
	case 18:
		return "Collection[" + w.bounds(w.size) + "]"
	case 19:
		return pick(w, "Timespan[0, 10]", "Timespan['0-01:00:00', default]", "Timestamp['2020-01-01', '2021-01-01']", "SemVer['1.x']", "SemVer['>=1.0.0', '0.5.0']",
			"URI['http://example.com']", "URI[{scheme => 'http'}]", "Runtime[ruby, 'Symbol']", "TypeReference['X']")
	case 20:
		return pick(w, "File['/a']", "File['/a']", "Class['a']", "Class[b]", "Resource['file', '/a']", "Resource[File]", "Notify[x]", "Resource['my::thing', 'x']")
	case 21:
		return "Init[" + inner() + pick(w, "", ", "+w.value(0)) + "]"
	case 22:
		return "Object[{" + pick(w, "", "name => 'Q', ") + "attributes => {" + w.list(0, 2, func() string { return pick(w, "a", "b") + " => " + inner() }) + "}}]"
	default:
		return "Variant[" + inner() + ", Undef]"
	}
}

// pair returns an expression and a type that often has it.
func (w words) pair(depth int) (expr, typ string) {
	switch w.IntN(10) {
	case 0:
		n := w.large()
		return n, pick(w, "Integer["+n+"]", "Integer["+w.bounds(w.integer)+"]", "Numeric", "Data", "Scalar", "Float")
	case 1:
		t := w.text()
		return t, pick(w, "Enum["+t+"]", "String["+w.bounds(w.size)+"]", "Pattern["+w.regexp()+"]", "Scalar", "Optional["+t+"]")
	case 2, 3, 4:
		if depth > 0 {
			var es, ts []string
			for range w.IntN(4) {
				e, t := w.pair(depth - 1)
				es, ts = append(es, e), append(ts, t)
			}
			expr = "[" + strings.Join(es, ", ") + "]"
			if len(ts) == 0 {
				return expr, pick(w, "Array[Any, 0]", "Array[String, 0, 0]", "Collection[1]", "Tuple[Integer, 0, 1]")
			}
			all := strings.Join(ts, ", ")
			return expr, pick(w, "Tuple["+all+"]", "Array[Variant["+all+"]]", "Array["+ts[0]+", "+w.size()+"]", "Iterable["+ts[0]+"]", "Tuple["+all+", 1, 3]", "Collection["+w.size()+"]")
		}
	case 5, 6:
		if depth > 0 {
			e, t := w.pair(depth - 1)
			k := pick(w, "a", "b", "kind")
			return "{" + k + " => " + e + "}", pick(w, "Struct[{"+k+" => "+t+"}]", "Struct[{Optional["+k+"] => "+t+", Optional[z] => Any}]", "Hash[String, "+t+"]", "Hash[Enum["+k+"], "+t+", 1, 1]",
				"Struct[{"+k+" => "+t+", y => Optional[Integer]}]")
		}
	case 7:
		t := w.typeText(1)
		return t, pick(w, "Type["+t+"]", "Type["+w.typeText(1)+"]", "Type")
	}
	return w.value(depth), w.typeText(depth)
}

// format returns a format of String, in quotes.
func (w words) format() string {
	return "'%" + pick(w, "", "", "#", "+", "-", "0", " ", "<", "[", "(", "{", "|", "#<", "#[", "-#", "+0", "#p", " #") + pick(w, "", "", "5", "12", "1") +
		pick(w, "", "", ".0", ".3", ".1") + pick(w, "d", "x", "X", "o", "b", "B", "e", "E", "f", "g", "G", "a", "A", "s", "p", "q", "u", "c", "C", "t", "T", "y", "Y", "n", "N", "h", "D", "z") + "'"
}

func (w words) formats() string {
	if w.once(3) {
		return "{" + w.list(1, 2, func() string {
			f := w.format()
			if w.once(3) {
				f = "{format => " + f + pick(w, "", ", separator => ';'", ", separator2 => '='", ", string_formats => {"+w.plainType()+" => "+w.format()+"}") + "}"
			}
			return w.plainType() + " => " + f
		}) + "}"
	}
	return w.format()
}

func (w words) strftime() string {
	var b strings.Builder
	for range 1 + w.IntN(3) {
		b.WriteString(pick(w, "", " ", "x", "-", ":", "%%"))
		b.WriteString("%" + pick(w, "", "", "-", "0", "_", "^", "#", ":") + pick(w, "", "", "1", "3", "6", "12"))
		b.WriteString(pick(w, "Y", "C", "y", "m", "B", "b", "h", "d", "e", "j", "H", "k", "I", "l", "P", "p", "M", "S", "L", "N", "z", "Z", "A", "a", "u", "w", "G", "g", "V", "U", "W", "s",
			"n", "t", "c", "D", "F", "v", "x", "X", "r", "R", "T", "+", "Q", "E"))
	}
	return b.String()
}

// newCall returns a call of a constructor.
func (w words) newCall() string {
	arg := func() string { return w.value(1) }
	switch w.IntN(14) {
	case 0:
		return "Integer(" + pick(w, "'0x1F'", "'0b11'", "'017'", "' 12 '", "'1_0'", "'+5'", "'- 5'", "'zz'", "3.99", "-3.99", "'1e3'", "true", "Timespan(90)", "Timestamp(5)", arg()) +
			pick(w, "", ", 10", ", 16", ", 8", ", 2", ", default", ", 10, true", ", 7") + ")"
	case 1:
		return "Float(" + pick(w, "'1.5'", "'0x1F'", "'1e3'", "' 2 '", "'.5'", "'1.'", "true", "Timespan(1.5)", arg()) + pick(w, "", ", true", ", false") + ")"
	case 2:
		return "Numeric(" + pick(w, "'1.5'", "'0x1F'", "'0b101'", "'017'", "'1e3'", "'- 7'", "'089'", arg()) + pick(w, "", ", true") + ")"
	case 3:
		return "Boolean(" + pick(w, "'yes'", "'no'", "'True'", "'y'", "0", "0.0", "1", arg()) + ")"
	case 4:
		return "String(" + arg() + pick(w, "", ", "+w.formats()) + ")"
	case 5:
		return "Array(" + arg() + pick(w, "", ", true", ", false") + ")"
	case 6:
		return pick(w, "Hash", "Struct[{a => Integer}]", "Hash[String, Integer]") + "(" + pick(w, "[[a, 1], [b, 2]]", "[a, 1, b, 2]", "[[[0], a], [[1, x], 2]], "+pick(w, "tree", "hash_tree", "'x'"), arg()) + ")"
	case 7:
		return "Timespan(" + pick(w, "'1-02:03:04.5'", "'10:20'", "'1:2', '%H:%M'", "'5', ['%S', '%M']", "{days => 1, negative => true}", "1, 2, 3, 4", "1, 2, 3, 4, 5, 6, 7", "{string => '3', format => '%d'}",
			"-1.5", "'1.5', '%S.%N'", "'-5', '%S'", arg()) + ")"
	case 8:
		return "Timestamp(" + pick(w, "'2020-01-02'", "'2020-01-02 03:04:05'", "'2020-01-02T03:04:05.678 PST'", "'20200102', '%Y%m%d'", "1.5", "-1", "{string => '2020', format => '%Y'}",
			"'2020-01-02 03:04', '%F %H:%M', 'UTC'", "'2 Jan 2020', '%d %b %Y'", "'2020-13-01'", arg()) + ")"
	case 9:
		return pick(w, "SemVer", "SemVerRange", "SemVer", "SemVerRange") + "(" + pick(w, "'1.2.3'", "'1.2'", "'1.2.3-a.1+b'", "1, 2, 3", "1, 2, 3, 'rc1', 'b'", "{major => 1, minor => 2, patch => 3}", "'~1.2'",
			"'^1.2.3'", "'1.x || >=3.0.0'", "'>1.0.0 <=2.0.0'", "'1.0.0 - 2.0.0'", "SemVer('1.0.0'), SemVer('2.0.0'), true", "''", arg()) + ")"
	case 10:
		return "Binary(" + pick(w, "'aGk='", "'aGk', '%b'", "'aGk=', '%B'", "'hi', '%s'", "'hi', '%r'", "'_-', '%u'", "[104, 105]", "{value => 'hi', format => '%s'}", "'é', '%s'", "'**'", arg()) + ")"
	case 11:
		return "URI(" + pick(w, "'http://u:p@h:8080/p?q=1#f'", "{scheme => 'http', host => 'h'}", "'a b'", "'/rel'", "'urn:x:y'", "''", arg()) + ")"
	case 12:
		return w.typeText(1) + "(" + w.list(1, 2, arg) + ")"
	default:
		return "Sensitive(" + arg() + ")" + pick(w, "", ".unwrap")
	}
}
