package secret_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/secret"
)

// The marked part of each text, between » and «, is the copy of a secret, with whole
// escapes. Each text is what a program wrote.
func TestHidden(t *testing.T) {
	const (
		special = `Pa"ss/w'rd <&\$>=ü`
		token   = "Zk7pQ2vX9mTb4LcR"
	)
	set := secret.CompileForms([][]byte{[]byte(special), []byte(token)})
	for name, text := range map[string]string{
		"PHP":                   `{"a":"»Pa\"ss\/w'rd <&\\$>=\u00fc«"}`,
		".NET":                  `{"a":"»Pa\u0022ss/w\u0027rd \u003C\u0026\\$\u003E=\u00FC«"}`,
		"Gson":                  `{"a":"»Pa\"ss/w\u0027rd \u003c\u0026\\$\u003e\u003dü«"}`,
		"Python":                `"»Pa\"ss/w'rd <&\\$>=\u00fc«"`,
		"Ruby inspect":          `"»Pa\"ss/w'rd <&\\$>=\u{fc}«"`,
		"JSON in JSON":          `"{\"a\":\"»Pa\\\"ss/w'rd <&\\\\$>=\\u00fc«\"}"`,
		"JSON in JSON in JSON":  `»Pa\\\\\\\"ss/w'rd <&\\\\\\\\$>=\\\\u00fc«`,
		"shell":                 `$'»Pa"ss/w\x27rd <&\\$>=\303\274«'`,
		"octal":                 `'»Pa"ss/w\047rd <&\134$>=ü«'`,
		"bare word":             `»Pa\"ss/w\'rd\ \<\&\\\$\>=ü«`,
		"YAML":                  `"»Pa\"ss/w'rd\x20<&\\$>=\xfc«"`,
		"YAML on two lines":     "a: \"»Pa\\\"ss/w'rd\n  <&\\\\$>=ü«\"",
		"continued line":        "x »Zk7pQ2vX\\\n  9mTb4LcR« y",
		"encodeURIComponent":    `?a=»Pa%22ss%2Fw'rd%20%3C%26%5C%24%3E%3D%C3%BC«&b`,
		"encodeURI":             `?a=»Pa%22ss/w'rd%20%3C&%5C$%3E=%C3%BC«`,
		"quote of Python":       `»Pa%22ss/w%27rd%20%3C%26%5C%24%3E%3D%C3%BC«`,
		"form":                  `a=»Pa%22ss%2Fw%27rd+%3C%26%5C%24%3E%3D%C3%BC«`,
		"some of a URL":         `»Z%6b7pQ2v%58%39mTb4LcR«`,
		"twice percent":         `»Pa%2522ss%252Fw%2527rd%2520%253C%2526%255C%2524%253E%253D%25C3%25BC«`,
		"percent in JSON":       `"»Pa%22ss\/w\u0027rd%20%3C%26%5C%24%3E%3D%C3%BC«"`,
		"XML":                   `<a b="»Pa&quot;ss/w&#039;rd &lt;&amp;\$&gt;=&#xFC;«">`,
		"HTML":                  `»Pa&#34;ss/w&#x0027;rd &lt;&amp;\$&gt;=&uuml;«`,
		"XML in XML":            `»Pa&amp;quot;ss/w&amp;apos;rd &amp;lt;&amp;amp;\$&amp;gt;=ü«`,
		"quoted-printable":      "»Pa\"ss/w'rd <=\r\n&\\$>=3D=C3=BC«=\r\n",
		"doubled quotes":        `'»Pa"ss/w''rd <&\$>=ü«'`,
		"base64 in lines":       "key:\n  »Wms3cFEydlg5b\n  VRiNExjU«g==",
		"base64 in JSON":        `"»Wms3cFEydlg5\r\nbVRiNExjU«g=="`,
		"base64 in JSON twice":  `»Wms3cFEydlg5\\nbVRiNExjU«g==`,
		"hex in lines":          "»5a6b3770513\n27658396d\n5462344c6352«",
		"hex with colons":       `»5a:6b:37:70:51:32:76:58:39:6d:54:62:34:4c:63:52«`,
		"hex with blanks":       `»5A 6B 37 70 51 32 76 58 39 6D 54 62 34 4C 63 52«`,
		"hex, colons and lines": "»5a:6b:37:70:51:32:76:58:\n    39:6d:54:62:34:4c:63:52«",
		"a long word in lines":  "»Zk7pQ2vX\n9mTb4LcR«",
		"something else":        "Zk7pQ2vX 9mTb4LcR, Zk7pQ2vX%9mTb4LcR, Pa&quot;ss/w&#39;rd <&amp;",
	} {
		before, rest, found := strings.Cut(text, "»")
		copied, _, _ := strings.Cut(rest, "«")
		var want []string
		if found {
			want = []string{copied}
		}
		text = strings.NewReplacer("»", "", "«", "").Replace(text)
		var got []string
		for _, span := range set.Spans([]byte(text)) {
			got = append(got, text[span.Start:span.End])
			if span.Start != len(before) {
				t.Errorf("%s: found at %d", name, span.Start)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if s := secret.CompileForms([][]byte{[]byte("passages")}); s.Contains([]byte("pass\nages")) {
		t.Error("two words are a secret")
	}
}

// A plus sign in a URL is a blank, in a secret or before a line of base64, unless it is
// escaped itself.
func TestHiddenPlus(t *testing.T) {
	for hidden, text := range map[string]string{
		"ED5gA52F+&C2]5,[(T!qD$VisiiinDH-*😀": `YS9iL2MgRUQ1Z0E1MkYrJkMyXTUsWyhUIXFEJFZpc2lpaW5ESC0q8J%0D%0A++++++++%2BYgGtleTog`,
		`v3GF4iK9HzqküD=}R2~:+v[jBJg(5vh 7gtrj"`: `key%253A%2B%26%23x76%3B3G%26%23x46%3B4i%26%23x4B%3B9Hzqk%25C3%25BCD%253D%25%26%23x37%3BD%26%23x52%3B` +
			`2~%253A%252Bv%26%23x25%3B5BjB%26%23x4A%3Bg%25285%26%23x76%3Bh%26%23x2B%3B7gtrj%2522a%252Fb%252Fc%2B`,
	} {
		if !secret.CompileForms([][]byte{[]byte(hidden)}).Contains([]byte(text)) {
			t.Errorf("%q is not found in %q", hidden, text)
		}
	}
}

// A character may be read in several ways, of which only one spells the secret.
func TestHiddenReadings(t *testing.T) {
	for _, c := range []struct{ name, hidden, text string }{
		{"a line of base64, escaped four times", `2=x6L=nO/+=g==H/e=z=+/`, `eD0yPXg2TD1uTy8rPWc9\\\\\\\\nPUgvZT16PSsvOw==`},
		{"three layers of JSON around a letter", "abcdefghijklm", `a\\\\u0062cdefghijklm`},
		{"a continued line that reads like another letter", "Zykyjor Sollun", `Zykyjor Soll%\\\r\nu0075n`},
		{"a name in which an octal code begins like a line break", "abcde=efgh", `abcde\\x26\\145\\161\\165\\141\\154\\163\\x3befgh`},
		{"a percent sign, doubled before and after JSON", "a=%20&b=finqusge98", `a\u003D%%\u0025\u0032\u0030\u0026b\u003Dfi\u006E\u0071\u0075s\u0067\u006598`},
		{"soft breaks of both layers at once", "girjylpekytiqat42", "girjy\\\n=\nlpekytiqat42"},
		{"a line folded at an escaped blank", "wumage hulcun qujum", "wumage\\\n\thulcun\\ qujum"},
		{"a folded line behind a soft break", "girjylpe kytiqat Vupaju", "girjylpe=\r\n=0A=09kytiqat Vupaju"},
	} {
		if !secret.CompileTexts([]string{c.hidden}).Contains([]byte(c.text)) {
			t.Errorf("%s: not found in %q", c.name, c.text)
		}
	}
}

// A search of a text with escapes takes time that grows with the text, whatever is in it.
// The number of allocations would show readings that multiply.
func TestHiddenIsBounded(t *testing.T) {
	// A search that finds no memory to reuse makes lists of readings for the positions around
	// it, whatever the length of the text. Under the race detector, pools forget at random.
	const fresh = 16 << 10
	set := secret.CompileForms([][]byte{[]byte(`Pa"ss/w'rd <&\$>=ü`), []byte("Zk7pQ2vX9mTb4LcR")})
	for _, unit := range []string{`\"`, `\\`, "%25", "&amp;", "=3D", "=\n", "a\n", "\n", `\u005c`, "%5C%22&amp;quot;\\n=3D", "Zk7p%51", `\`, "&#", "%", "=", " +\n"} {
		allocs := func(n int) float64 {
			text := []byte(strings.Repeat(unit, n))
			return testing.AllocsPerRun(1, func() { set.Contains(text) })
		}
		if few, many := allocs(500), allocs(5000); many > 20*few+fresh {
			t.Errorf("%q: %.0f and %.0f allocations", unit, few, many)
		}
	}
}

// A text of escapes and line breaks that may be read in many ways is searched, whatever the
// secrets begin with: a search that tried all combinations would not end.
func TestHiddenEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("it unescapes hundreds of crafted texts")
	}
	const size = 4 << 10
	sets := [][]string{
		{`Pa"ss/w'rd <&\$>=ü`, "Zk7pQ2vX9mTb4LcR"},
		{`a%b\`, "x=&+", `\"\"`, "''''", "%%%%", "$$$$", "5C5C"},
		{"a b c d e f g h i j", "    ", "ab\ncd\n", "\n\n\n\n"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8Pb\n-----END RSA PRIVATE KEY-----\n"},
	}
	units := []string{
		`\`, `\"`, `\\`, `\'`, `\n`, `\\n`, `\r\n`, "\\\n", "\\\n  ", `\x`, `\x41`, `\101`, `\u`, `\u00`, `\u005c`,
		`\ud83d`, `\ud83d\ude00`, `\u{`, `\u{61}`, `\+`, `\ `, `\%`, `\\%25`,
		"%", "%%", "%2", "%25", "%5c", "%0A", "%250A", "%u0025", "%u005cu005c", "%26amp%3B",
		"&", "&#", "&#9", "&#10;", "&#92;", "&amp;", "&amp;amp;", "&amp;#10;", "&quot;",
		"=", "=\n", "=\r\n", "=  \n", "=5C", "=3D", "=3D3D", "=0A=\n",
		"'", "''", `'\''`, `'"'"'`, `"`, `""`, "$", "$$", "+", "+ ", "+\n", " +\n",
		"\n", "\r", "\r\n", "\n\r", "\t\n", " ", "a\n", "a \n", "  a", "0a  ", "0a:\n", "0a0b  ",
		"-----BEGIN ", "MIIE\n", `MIIE\n`, "ab\ncd\n", `ab\ncd\n`, "a+b+c+", `a%b\`, "x=&+",
	}
	for _, secrets := range sets {
		set := secret.CompileTexts(secrets)
		for _, unit := range units {
			text := strings.Repeat(unit, size/len(unit))
			found := set.Contains([]byte(text))
			for _, s := range secrets {
				if strings.Contains(text, s) && !found {
					t.Errorf("%q repeated: %q is not found", unit, s)
				}
			}
		}
	}
}

// Copies of numbered secrets are found, also if the text has few other bytes: the secrets that
// begin alike are not all traced at the beginning of each.
func TestHiddenNumbered(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles many secrets")
	}
	const many = 30_000
	secrets := make([][]byte, many)
	for i := range secrets {
		secrets[i] = fmt.Appendf(nil, "Tr0ub$%05d", i)
	}
	set := secret.CompileForms(secrets)
	for i := 0; i < many; i += many / 50 {
		text := fmt.Sprintf(`a: "Tr0ub\x24%05d"`, i)
		if !slices.ContainsFunc(slices.Collect(set.Find([]byte(text))), func(h secret.Hit) bool { return h.Pattern == i }) {
			t.Errorf("%s: not found", text)
		}
	}
}
