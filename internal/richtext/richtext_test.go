package richtext_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/richtext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// stringified returns the text of v in a catalog without rich data.
func stringified(t rapid.TB, v pcore.Value) string {
	t.Helper()
	b, err := formats.StringifiedJSON().Append(nil, v, serialization.EncodeOptions{Secrets: serialization.RedactSecrets})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := formats.JSON().Decode(b, serialization.DecodeOptions{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := plain.(pcore.String)
	return string(s)
}

// The text of a call is read back, and each literal has its position.
func TestParse(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := call(r, 3)
		s := stringified(r, d)
		c, ok := richtext.Parse(s)
		if !ok {
			r.Fatalf("cannot read %s", s)
		}
		if again := stringified(r, c.Value); again != s {
			r.Fatalf("got %s, want %s", again, s)
		}
		for _, l := range c.Literals {
			if l.Position(0) != l.Start || l.Position(len(l.Text)) != l.End {
				r.Fatalf("%q of %s: %d to %d, want %d to %d", l.Text, s, l.Position(0), l.Position(len(l.Text)), l.Start, l.End)
			}
			for i, c := range l.Text {
				if from := s[l.Position(i):]; !strings.HasPrefix(from, string(c)) && from[0] != '\\' {
					r.Fatalf("%q of %s: %q is at %q", l.Text, s, c, from)
				}
			}
		}
	})
}

// call returns a call whose arguments have texts, numbers, containers and calls.
func call(r *rapid.T, depth int) *pcore.Deferred {
	n := rapid.IntRange(0, 3).Draw(r, "arguments")
	arguments := make([]pcore.Value, n)
	for i := range arguments {
		arguments[i] = argument(r, depth-1)
	}
	return pcore.NewDeferred(rapid.SampledFrom([]string{"f", "vault_lookup::lookup", "$x"}).Draw(r, "function"), pcore.NewArray(arguments...))
}

func argument(r *rapid.T, depth int) pcore.Value {
	text := rapid.StringMatching(`[a-z'"$ ,\]}{(\[=>\n\t\x{1}ü#:/]{0,12}`)
	kind := rapid.IntRange(0, 7).Draw(r, "kind")
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0, 1:
		return pcore.String(text.Draw(r, "text"))
	case 2:
		return pcore.Integer(rapid.Int64().Draw(r, "number"))
	case 3:
		return rapid.SampledFrom([]pcore.Value{pcore.Undef{}, pcore.Boolean(true), pcore.Default{}}).Draw(r, "word")
	case 4:
		return call(r, depth)
	case 5:
		return pcore.NewArray(argument(r, depth-1), argument(r, depth-1))
	default:
		return pcore.NewHash(pcore.Entry{Key: pcore.String(text.Draw(r, "key")), Value: argument(r, depth-1)})
	}
}

// What Puppet 7.23 writes.
func TestTextsOfPuppet(t *testing.T) {
	for text, want := range map[string][]string{
		`Rich::Window({'from' => '1970', 'label' => 'w', 'secret' => Instance of Sensitive[String], 'list' => [3]})`: {"1970", "w", "3"},
		`Deferred({'name' => 'f', 'arguments' => [A::B({'name' => 'name'})]})`:                                       {"name"},
		`Deferred({'name' => 'f'})`:                                                                                                   nil,
		`Deferred({'name' => 'f', 'arguments' => []})`:                                                                                nil,
		`Deferred({'name' => 'f', 'arguments' => ['it\'s', 'back\slash', "nl\nx", 'ü€']})`:                                            {"it's", `back\slash`, "nl\nx", "ü€"},
		`Deferred({'name' => 'f', 'arguments' => ["dq\"x \$y \t", "a\u{1}b\r"]})`:                                                     {"dq\"x $y \t", "a\u0001b\r"},
		`Deferred({'name' => 'f', 'arguments' => ['end\', 'x']})`:                                                                     {`end\`, "x"},
		`Deferred({'name' => 'f', 'arguments' => [{'a' => Instance of Sensitive[String], 'b c' => [1, 2.5, true, undef, default]}]})`: {"a", "b c", "1"},
		`Deferred({'name' => 'f', 'arguments' => [Deferred({'name' => 'g', 'arguments' => [/re.g/, 'x']})]})`:                         {"x"},
		`Deferred({'name' => 'f', 'arguments' => [Instance of Binary, Integer, Enum['a', 'b'], 'x']})`:                                {"x"},
		`Deferred({'name' => 'f', 'arguments' => [{1 => 2}, {'k' => #<Sensitive [value redacted]:42>}]})`:                             {"1", "2", "k"},
	} {
		c, ok := richtext.Parse(text)
		if !ok {
			t.Errorf("cannot read %s", text)
			continue
		}
		var got []string
		for _, l := range c.Literals {
			got = append(got, l.Text)
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"", "Deferred({'name' => 'f'", "Deferred({'name' => 'f'}) x", "Deferred({'name' => 'f', 'arguments' => ['x})", "x = Deferred({'name' => 'f'})", `Deferred({'name' => 'f', 'arguments' => [{'a' => 1, 'a' => 2}]})`} {
		if _, ok := richtext.Parse(text); ok {
			t.Errorf("%s was read", text)
		}
	}
}

func TestSensitive(t *testing.T) {
	for text, want := range map[string]bool{
		"#<Sensitive [value redacted]:7620>": true, "#<Sensitive [value redacted]>": false, "Sensitive [value redacted]": false,
		"#<Sensitive [value redacted]:OBJECT_ID>": true, "#<Sensitive [value redacted]:7620> x": false, "#<Sensitive [value redacted]:>": false,
	} {
		if got := richtext.IsSensitive(text); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
	if got := richtext.WithoutNumbers("a #<Sensitive [value redacted]:7> b", "X"); got != "a X b" {
		t.Error(got)
	}
}

// The positions of literals are in the text, whatever it is.
func TestAnyText(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{
			"'", `"`, `\`, "[", "]", "{", "}", "(", ", ", " => ", "a", "7", "/", "A::B({'x' => ", "})", "Deferred({'name' => 'f'", "#<Sensitive [value redacted]:7>", "\\u{", "ü", "\xfc", "\n",
		})).Draw(r, "parts")
		s := "Deferred({'name' => 'f', 'arguments' => [" + strings.Join(parts, "") + "]})"
		o, ok := richtext.Parse(s)
		if !ok {
			return
		}
		end := 0
		for _, l := range o.Literals {
			if l.Start < end || l.End < l.Start || l.End > len(s) || l.Position(len(l.Text)) != l.End {
				r.Fatalf("%q: %q from %d to %d", s, l.Text, l.Start, l.End)
			}
			end = l.End
		}
	})
}
