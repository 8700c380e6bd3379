package rubytext

import (
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

// The expected texts of these tables are the results of Ruby 3.1.

func TestCase(t *testing.T) {
	for _, c := range []struct{ in, up, down, capital, swapped string }{
		{"", "", "", "", ""},
		{"hello World", "HELLO WORLD", "hello world", "Hello world", "HELLO wORLD"},
		{"éÀ", "ÉÀ", "éà", "Éà", "Éà"},
		{"ßa", "SSA", "ßa", "Ssa", "SSA"},
		{"ﬁx", "FIX", "ﬁx", "Fix", "FIX"},
		{"ΑΣ", "ΑΣ", "ασ", "Ασ", "ασ"},
		{"İ", "İ", "i̇", "İ", "i̇"},
		{"ǆ", "Ǆ", "ǆ", "ǅ", "Ǆ"},
		{"ǅ", "Ǆ", "ǆ", "ǅ", "dŽ"},
		{"Ა", "Ა", "ა", "ა", "ა"},
		{"ᾈᾼ", "ἈΙΑΙ", "ᾀᾳ", "ᾈᾳ", "ἀΙαΙ"},
		{"ä\xffß\xc3", "Ä\xffSS\xc3", "ä\xffß\xc3", "Ä\xffß\xc3", "Ä\xffSS\xc3"},
		{"a\xffB", "A\xffB", "a\xffb", "A\xffb", "A\xffb"},
	} {
		for name, got := range map[string][2]string{
			"Upcase":     {Upcase(c.in), c.up},
			"Downcase":   {Downcase(c.in), c.down},
			"Capitalize": {Capitalize(c.in), c.capital},
			"Swapcase":   {Swapcase(c.in), c.swapped},
		} {
			if got[0] != got[1] {
				t.Errorf("%s(%q) = %q, want %q", name, c.in, got[0], got[1])
			}
		}
	}
}

func TestTrim(t *testing.T) {
	for _, c := range []struct {
		name     string
		f        func(string) string
		in, want string
	}{
		{"Strip", Strip, "\x00 a \x00", "a"},
		{"Strip", Strip, "\u00a0a\u00a0", "\u00a0a\u00a0"},
		{"LeftStrip", LeftStrip, "\va\f", "a\f"},
		{"LeftStrip", LeftStrip, "\x00a", "a"},
		{"RightStrip", RightStrip, "a\u2003 ", "a\u2003"},
		{"Chomp", Chomp, "a\r\n", "a"},
		{"Chomp", Chomp, "a\n\r", "a\n"},
		{"Chomp", Chomp, "a\r", "a"},
		{"Chomp", Chomp, "a\n\n", "a\n"},
		{"Chomp", Chomp, "a\r\r\n", "a\r"},
		{"Chop", Chop, "a\r\n", "a"},
		{"Chop", Chop, "", ""},
		{"Chop", Chop, "é", ""},
		{"Chop", Chop, "ab\n", "ab"},
	} {
		if got := c.f(c.in); got != c.want {
			t.Errorf("%s(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func uri(t *testing.T, text string) *pcore.URI {
	t.Helper()
	u, err := pcore.ParseURI(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func versions(t *testing.T, text string) *pcore.SemVerRange {
	t.Helper()
	r, err := pcore.ParseSemVerRange(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestText(t *testing.T) {
	secret := pcore.NewSensitive(pcore.String("hunter2"))
	inner := pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: pcore.Undef{}}, pcore.Entry{Key: pcore.Integer(1), Value: secret})
	for _, c := range []struct {
		v             pcore.Value
		text, inspect string
	}{
		{pcore.Undef{}, "", "nil"},
		{pcore.Default{}, "default", ":default"},
		{pcore.Boolean(true), "true", "true"},
		{pcore.Integer(-3), "-3", "-3"},
		{pcore.Float(1e20), "1.0e+20", "1.0e+20"},
		{pcore.String("a\"b"), "a\"b", `"a\"b"`},
		{pcore.NewRegexp("a/b"), `(?-mix:a\/b)`, `/a\/b/`},
		{pcore.NewRegexp("(?i)a"), "(?i-mx:a)", "/(?i)a/"},
		{pcore.NewRegexp("[a"), "(?-mix:[a)", "/[a/"},
		{pcore.NewRegexp("(?i:a)"), "(?i-mx:a)", "/(?i:a)/"},
		{pcore.NewRegexp("(?mix:a/b)"), `(?mix:a\/b)`, `/(?mix:a\/b)/`},
		{pcore.NewRegexp("(?i-i:a)"), "(?-mix:a)", "/(?i-i:a)/"},
		{pcore.NewRegexp("(?i:a)(?m:b)"), "(?-mix:(?i:a)(?m:b))", "/(?i:a)(?m:b)/"},
		{pcore.NewRegexp("(?:a)"), "(?-mix:a)", "/(?:a)/"},
		{pcore.NewRegexp("(?mi:[)]a)"), "(?mi-x:[)]a)", "/(?mi:[)]a)/"},
		{pcore.NewBinaryString("hi"), "aGk=", "aGk="},
		{pcore.NewTimestamp(0, 5), "1970-01-01T00:00:00.000000005 UTC", "1970-01-01T00:00:00.000000005 UTC"},
		{pcore.NewTimespan(5, 0), "0-00:00:05.0", "0-00:00:05.0"},
		{uri(t, "http://h"), "http://h", "#<URI::HTTP http://h>"},
		{uri(t, "urn:a:b"), "urn:a:b", "#<URI::Generic urn:a:b>"},
		{uri(t, "/a"), "/a", "#<URI::Generic /a>"},
		{versions(t, "1.x"), "1.x", ">=1.0.0 <2.0.0"},
		{secret, "Sensitive [value redacted]", "#<Sensitive [value redacted]>"},
		{pcore.NewArray(pcore.Integer(1), pcore.String("a"), inner), `[1, "a", {"a"=>nil, 1=>#<Sensitive [value redacted]>}]`, `[1, "a", {"a"=>nil, 1=>#<Sensitive [value redacted]>}]`},
		{pcore.NewDeferred("f", pcore.NewArray(pcore.Integer(1))), "Deferred({'name' => 'f', 'arguments' => [1]})", "Deferred({'name' => 'f', 'arguments' => [1]})"},
	} {
		if got := Text(c.v); got != c.text {
			t.Errorf("Text(%s) = %q, want %q", c.v, got, c.text)
		}
		if got := Inspect(c.v); got != c.inspect {
			t.Errorf("Inspect(%s) = %q, want %q", c.v, got, c.inspect)
		}
	}
}

func TestInterpolate(t *testing.T) {
	v := pcore.NewArray(pcore.Integer(1), pcore.String("a"), pcore.Undef{}, pcore.Default{}, pcore.NewRegexp("a/b"),
		pcore.NewSensitive(pcore.String("x")), pcore.NewHash(pcore.Entry{Key: pcore.String("k"), Value: pcore.Undef{}}), pcore.NewTimespan(5, 0))
	const want = `[1, a, , default, /a\/b/, Sensitive [value redacted], {k => }, 0-00:00:05.0]`
	if got := Interpolate(v); got != want {
		t.Errorf("Interpolate gives %s, want %s", got, want)
	}
}

func TestQuote(t *testing.T) {
	const in = "\x01\x7f\u0085\u00a0\u200b\U0001f600\u0378\u2028\x1b\a\b\v\f#$a#@b#{c}#d#\xff"
	const want = `"\u0001\u007F` + "\u0085\u00a0\u200b\U0001f600" + `\u0378\u2028\e\a\b\v\f\#$a\#@b\#{c}#d#\xFF"`
	if got := Quote(in); got != want {
		t.Errorf("Quote(%q) =\n%s, want\n%s", in, got, want)
	}
}

// FuzzFormat searches for a format that panics or exceeds the maximum length.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{"%s", "%05.1f|%-8s|%x", "%<a>s %{b}", "%1$*2$d", "%.*e", "%%", "%c", "%#+o"} {
		f.Add(s, int64(-5), 1.5, "text")
	}
	f.Fuzz(func(t *testing.T, format string, i int64, x float64, s string) {
		h := pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: pcore.String(s)})
		for _, args := range [][]pcore.Value{
			{pcore.Integer(i), pcore.Float(x), pcore.String(s)},
			{pcore.String(s), pcore.Undef{}},
			{h},
		} {
			if got, err := Format(format, args...); err == nil && len(got) > MaxFormat+len(format)+len(s) {
				t.Errorf("Format(%q) wrote %d bytes", format, len(got))
			}
		}
	})
}

// TestInspectOfSymbol compares the quotes of symbols with Ruby's.
func TestInspectOfSymbol(t *testing.T) {
	for name, want := range map[string]string{
		"default": ":default", "A": ":A", "é": ":é", "a?": ":a?", "a=": ":a=", "@@a": ":@@a", "$x": ":$x", "<=>": ":<=>",
		"-5": `:"-5"`, "a b": `:"a b"`, "1a": `:"1a"`, "a==": `:"a=="`, "@1": `:"@1"`, "": `:""`, "{}": `:"{}"`,
	} {
		if got := Inspect(pcore.Symbol(name)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
