package toml

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

func TestLoad(t *testing.T) {
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
		{"a = { x = 1, y.z = 2 }\nb = {}", "{'a' => {'x' => 1, 'y' => {'z' => 2}}, 'b' => {}}"},
		{"a.b.c = 1\na.b.d = 2\n\"x.y\".z = 3", "{'a' => {'b' => {'c' => 1, 'd' => 2}}, 'x.y' => {'z' => 3}}"},
		{"top = 0\n[t]\na = 1\n[t.u]\nb = 2\n[ v . 'w x' ]\nc = 3", "{'top' => 0, 't' => {'a' => 1, 'u' => {'b' => 2}}, 'v' => {'w x' => {'c' => 3}}}"},
		{"[[p]]\nn = 1\n[[p]]\nn = 2\n[p.q]\nr = 3\n[[p.s]]\nt = 4", "{'p' => [{'n' => 1}, {'n' => 2, 'q' => {'r' => 3}, 's' => [{'t' => 4}]}]}"},
		{"a = 1979-05-27T07:32:00Z\nb = 1979-05-27 00:32:00.5-07:00\nc = 1979-05-27\nd = 07:32:00\ne = 1979-05-27T07:32:00",
			"{'a' => Timestamp('1979-05-27T07:32:00.000000000 UTC'), 'b' => Timestamp('1979-05-27T07:32:00.500000000 UTC'), 'c' => '1979-05-27', 'd' => '07:32:00', 'e' => '1979-05-27T07:32:00'}"},
	} {
		got, err := Load(tt.in)
		if err != nil {
			t.Errorf("%q: %v", tt.in, err)
			continue
		}
		if got.String() != tt.want {
			t.Errorf("%q is read as\n%s\nwant\n%s", tt.in, got, tt.want)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a", "line 1: a key needs a ="},
		{"a =", "line 1: a value is missing"},
		{"a = 1 b = 2", "line 1: there is more"},
		{"a = 1\na = 2", "line 2: the key a is there twice"},
		{"a = 1\n\n[a.b]", "line 3: a is a value"},
		{"[a]\n[a]", "line 2: the table a is there twice"},
		{"[a", "needs a ]"},
		{"[[a]\n", "needs a ]]"},
		{"a = []\n[[a]]", "no array of tables"},
		{"a = {b = 1}\n[a.c]", "cannot be added to"},
		{"a = \"x", "a string has no end"},
		{"a = \"x\ny\"", "must end on its line"},
		{`a = "\q"`, "an escape is not known"},
		{`a = "\ud800"`, "an escape is not known"},
		{"a = [1 2]", "need a comma"},
		{"a = {b = 1", "need a comma"},
		{"a = 01", "a value is missing, or is none"},
		{"a = 1__0", "a value is missing, or is none"},
		{"a = nope", "a value is missing, or is none"},
		{"a = 99999999999999999999", "too big"},
		{"= 1", "a key is missing"},
		{"a = \"\xff\"", "must be UTF-8"},
		{"a = " + strings.Repeat("[", 10000), "nested too deeply"},
	} {
		_, err := Load(tt.in)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40q: error %v, want %q", tt.in, err, tt.want)
		}
	}
}

// TestDump compares with what the function to_toml of the module writes.
func TestDump(t *testing.T) {
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
	got, err := Dump(v)
	if err != nil || got != want {
		t.Errorf("%q, %v\nwant\n%q", got, err, want)
	}
	if got, err := Dump(hash(str("a"), pcore.Undef{})); err == nil {
		t.Errorf("undef is written as %q", got)
	}
	if got, err := Dump(hash(str("a"), list(hash(), pcore.Integer(1)))); err == nil {
		t.Errorf("a mixed array of tables is written as %q", got)
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{"a = 1", "[t]\nb.c = {x = [1, 'y']}", "[[p]]\nq = \"\"\"x\n\"\"\"", "d = 1979-05-27T07:32:00Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, err := Load(s)
		if err != nil {
			return
		}
		text, err := Dump(h)
		if err != nil {
			return
		}
		if _, err := Load(text); err != nil {
			t.Errorf("%q is written as %q, which cannot be read: %v", s, text, err)
		}
	})
}
