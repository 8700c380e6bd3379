package toml

import (
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

func load(text string) (*pcore.Hash, error) {
	d, err := Read(text)
	if err != nil {
		return nil, err
	}
	return d.Hash(), nil
}

func TestRead(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", "{}"},
		{"# only a comment\n\n", "{}"},
		{"a = 1\nb = -2\nc = +3\nd = 1_000\ne = 0xdead_beef\nf = 0o755\ng = 0b1101\n", "{'a' => 1, 'b' => -2, 'c' => 3, 'd' => 1000, 'e' => 3735928559, 'f' => 493, 'g' => 13}"},
		{"a = 1.5\nb = 5e+22\nc = -2E-2\nd = 6.626e-34\ne = inf\nf = -inf", "{'a' => 1.5, 'b' => 5.0e+22, 'c' => -0.02, 'd' => 6.626e-34, 'e' => Infinity, 'f' => -Infinity}"},
		{"a = true\r\nb = false\r\n", "{'a' => true, 'b' => false}"},
		{`a = "tab\t \"q\" \u00e9 \U0001F600"` + "\nb = 'C:\\path'", "{'a' => \"tab\\t \\\"q\\\" é 😀\", 'b' => 'C:\\path'}"},
		{"a = \"\"\"\nfirst\nsecond \\\n   third\"\"\"\nb = '''\nraw\\n'''", "{'a' => \"first\\nsecond third\", 'b' => 'raw\\n'}"},
		{`a = """"quoted""""`, `{'a' => '"quoted"'}`},
		{"a = [1, 2,\n  3, # three\n]\nb = [[1], ['x']]\nc = []", "{'a' => [1, 2, 3], 'b' => [[1], ['x']], 'c' => []}"},
		{"z = 1\nb = {y = 1, a = 2}\n[t]\nz.d = 1\nz.c = 2\n[b2]\n[a]", "{'z' => 1, 'b' => {'y' => 1, 'a' => 2}, 't' => {'z' => {'d' => 1, 'c' => 2}}, 'b2' => {}, 'a' => {}}"},
		{"[a.b]\nc = 1\n[a]\nd = 2\n[e]\nf.g = 1\n[e.f.h]", "{'a' => {'b' => {'c' => 1}, 'd' => 2}, 'e' => {'f' => {'g' => 1, 'h' => {}}}}"},
		{"a = \"\"\"\r\nx\r\ny\\r\\n\"\"\"", "{'a' => \"x\\ny\\r\\n\"}"},
		{"a = -9223372036854775808\nb = 0x7fff_ffff_ffff_ffff\nc = -nan\nd = +inf\ne = -0.0", "{'a' => -9223372036854775808, 'b' => 9223372036854775807, 'c' => NaN, 'd' => Infinity, 'e' => -0.0}"},
		{"a = { x = 1, y.z = 2 }\nb = {}", "{'a' => {'x' => 1, 'y' => {'z' => 2}}, 'b' => {}}"},
		{"a.b.c = 1\na.b.d = 2\n\"x.y\".z = 3", "{'a' => {'b' => {'c' => 1, 'd' => 2}}, 'x.y' => {'z' => 3}}"},
		{"top = 0\n[t]\na = 1\n[t.u]\nb = 2\n[ v . 'w x' ]\nc = 3", "{'top' => 0, 't' => {'a' => 1, 'u' => {'b' => 2}}, 'v' => {'w x' => {'c' => 3}}}"},
		{"[[p]]\nn = 1\n[[p]]\nn = 2\n[p.q]\nr = 3\n[[p.s]]\nt = 4", "{'p' => [{'n' => 1}, {'n' => 2, 'q' => {'r' => 3}, 's' => [{'t' => 4}]}]}"},
		{"a = 1979-05-27T07:32:00Z\nb = 1979-05-27 00:32:00.5-07:00\nc = 1979-05-27\nd = 07:32:00\ne = 1979-05-27T07:32:00",
			"{'a' => Timestamp('1979-05-27T07:32:00.000000000 UTC'), 'b' => Timestamp('1979-05-27T07:32:00.500000000 UTC'), 'c' => '1979-05-27', 'd' => '07:32:00', 'e' => '1979-05-27T07:32:00'}"},
	} {
		got, err := load(tt.in)
		if err != nil {
			t.Errorf("%q: %v", tt.in, err)
			continue
		}
		if got.String() != tt.want {
			t.Errorf("%q is read as\n%s\nwant\n%s", tt.in, got, tt.want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a", "line 1: expected '=' after key (column 1)"},
		{"a =", "line 1: expected value, not end of input (column 3)"},
		{"a = 1 b = 2", "line 1: expected newline (column 7)"},
		{"a = [1 2]", "expected ',' or ']'"},
		{"a = {b = 1", "inline table is incomplete"},
		{"a = \"x", "unterminated basic string"},
		{"a = \"x\ny\"", "cannot have new lines"},
		{"a = 'x\x01'", "cannot have control characters"},
		{"a = 1\r\r\nb = 2", "line 1: expected newline (column 6)"},
		{"# \r", "carriage returns are not allowed"},
		{`a = "\q"`, "invalid escape character"},
		{`a = "\ud800"`, "not a valid unicode code point"},
		{"a = \"\xff\"", "invalid UTF-8"},
		{"a = 01", "leading zeroes"},
		{"a = 1__0", "between underscores"},
		{"a = nope", "expected keyword"},
		{"= 1", "invalid character at start of key"},
		{"[a", "expected ']'"},
		{"[[a]\n", "expected ']]'"},

		{"a = [\n99999999999999999999]", "line 2: this integer does not fit into 64 bits (column 1)"},
		{"a = 0x8000000000000000", "this integer does not fit"},
		{"a = 1e999", "this number does not fit"},
		{"a = 2023-02-29", "no such date"},
		{"a = 1979-05-27T24:00:00", "no such date"},
		{"a = 1979-05-27T7:32:00Z", "no such date"},
		{"a = 1979-05-27T07:32:00+09:60", "no such date"},
		{"a = 1979-05-27T07:32.5", "no such date"},

		{"a = 1\na = 2", "line 2: this key is there already (column 1)"},
		{"a = {b = 1, b = 2}", "line 1: this key is there already (column 13)"},
		{"a = {b.c = 1, b = 2}", "this key is there already"},
		{"[a]\n[a]", "line 2: this key is there already (column 2)"},
		{"a.b = 1\n[a]", "this key is there already"},
		{"[[a]]\n[a]", "this key is there already"},
		{"[a]\n[[a]]", "no array of tables"},
		{"a = []\n[[a]]", "no array of tables"},
		{"a = 1\n\n[a.b]", "line 3: this key holds a value, which cannot be added to (column 2)"},
		{"a = 1\na.b = 2", "this key holds a value"},
		{"a = {b = 1}\n[a.c]", "this key holds a value"},
		{"a = {b = 1}\na.c = 2", "this key holds a value"},
		{"a = {b = {}, b.c = 1}", "this key holds a value"},
		{"[a.b]\n[a]\nb.c = 1", "this table has a header"},
		{"[a.b.c]\n[a]\nb.d = 1", "this table has a header"},
		{"[[a.b]]\n[a]\nb.c = 1", "this table has a header"},
	} {
		_, err := Read(tt.in)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40q: error %v, want %q", tt.in, err, tt.want)
		}
	}
}

// TestReadDepth checks the depth limit for values, tables and arrays of tables,
// which can also be nested without brackets.
func TestReadDepth(t *testing.T) {
	nested := func(n int) []string {
		return []string{
			"a = " + strings.Repeat("[", n-1) + "1" + strings.Repeat("]", n-1),
			"a" + strings.Repeat(".a", n-1) + " = 1",
			"[a" + strings.Repeat(".a", n-1) + "]",
			"[[a" + strings.Repeat(".a", n-1) + "]]",
			"[a" + strings.Repeat(".a", n/2-1) + "]\na" + strings.Repeat(".a", n-n/2-1) + " = 1",
			"a = " + strings.Repeat("{a = ", n-1) + "1" + strings.Repeat("}", n-1),
		}
	}
	for _, in := range nested(deepest) {
		if _, err := Read(in); err != nil {
			t.Errorf("%.20q…: %v", in, err)
		}
	}
	for _, in := range slices.Concat(nested(deepest+1), nested(3*deepest)) {
		if _, err := Read(in); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
			t.Errorf("%.20q…: error %v", in, err)
		}
	}
	if _, err := Read("a = " + strings.Repeat("[", 1_000_000)); err == nil {
		t.Error("a million of brackets is read")
	}
}

// dump returns a hash as a document.
func dump(h *pcore.Hash) (string, error) {
	var b strings.Builder
	err := Write(&b, h)
	return b.String(), err
}

// TestWrite compares with the output of the module's function to_toml.
func TestWrite(t *testing.T) {
	str := func(s string) pcore.Value { return pcore.String(s) }
	hash := func(kv ...pcore.Value) *pcore.Hash {
		var b pcore.HashBuilder
		for i := 0; i < len(kv); i += 2 {
			b.Set(kv[i], kv[i+1])
		}
		return b.Hash()
	}
	list := pcore.NewArray
	v := hash(
		str("a"), pcore.Integer(1),
		str("b"), hash(str("c"), str(`x"y`), str("d"), list(pcore.Integer(1), pcore.Integer(2))),
		str("e"), list(hash(str("f"), pcore.Integer(1)), hash(str("g"), pcore.Integer(2))),
		str("k k"), pcore.Boolean(true),
		str("z"), pcore.Float(1.5),
		str("r"), pcore.NewRegexp("a"),
	)
	const want = "a = 1\n\"k k\" = true\nr = \"/a/\"\nz = 1.5\n[b]\nc = \"x\\\"y\"\nd = [1, 2]\n[[e]]\nf = 1\n[[e]]\ng = 2\n"
	got, err := dump(v)
	if err != nil || got != want {
		t.Errorf("%q, %v\nwant\n%q", got, err, want)
	}
	if got, err := dump(hash(str("a"), pcore.Undef{})); err == nil {
		t.Errorf("undef is written as %q", got)
	}
	if got, err := dump(hash(str("a"), list(hash(), pcore.Integer(1)))); err == nil {
		t.Errorf("a mixed array of tables is written as %q", got)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"a = 1", "[t]\nb.c = {x = [1, 'y']}", "[[p]]\nq = \"\"\"x\n\"\"\"", "d = 1979-05-27T07:32:00Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, err := load(s)
		if err != nil {
			if strings.Contains(err.Error(), "U+") {
				t.Errorf("%q: the error quotes it: %v", s, err)
			}
			return
		}
		text, err := dump(h)
		if err != nil {
			return
		}
		if _, err := Read(text); err != nil {
			t.Errorf("%q is written as %q, which cannot be read: %v", s, text, err)
		}
	})
}
