package unescape

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// Hex accepts four hexadecimal digits and nothing else.
func TestHex(t *testing.T) {
	for i := range 4 {
		for c := range 256 {
			text := []byte("0aF9")
			text[i] = byte(c)
			want, err := strconv.ParseUint(string(text), 16, 16)
			if n, ok := Hex(append(text, 'f')); ok != (err == nil) || ok && n != rune(want) {
				t.Errorf("Hex(%q) = %x, %v, want %x, %v", text, n, ok, want, err)
			}
		}
	}
	for n := range 4 {
		if _, ok := Hex([]byte("0aF9")[:n]); ok {
			t.Errorf("%d digits are enough", n)
		}
	}
}

// Texts with escapes and their results, strict and lenient. A strict result of
// "" for a text with an escape means a fault.
var cases = []struct{ text, strict, lenient string }{
	{"", "", ""}, {"plain é \xff", "plain é \xff", "plain é \xff"},
	{`\"\\\/\b\f\n\r\t`, "\"\\/\b\f\n\r\t", "\"\\/\b\f\n\r\t"},
	{`a\u0041\u00e9\u20AC\u0000b`, "aAé€\x00b", "aAé€\x00b"},
	{`\ud83d\ude00!`, "😀!", "😀!"},
	{`\ud83d`, "", "\ufffd"}, {`\ude00 \n`, "", "\ufffd \n"}, {`\ud83d\u0041`, "", "\ufffdA"}, {`\ud83d\ud83d\ude00`, "", "\ufffd😀"}, {`\ud83d\n`, "", "\ufffd\n"},
	{`\ud83d\ude0`, "", "\ufffd\\ude0"}, {`\ud83d\ude0g`, "", "\ufffd\\ude0g"},
	{`\x41`, "", "x41"}, {"\\\xff", "", "\xff"}, {`\u12`, "", `\u12`}, {`\u12g4`, "", `\u12g4`}, {`a\`, "", `a\`}, {`\u`, "", `\u`},
}

func TestJSON(t *testing.T) {
	for _, c := range cases {
		got, ok := JSON([]byte("before"), []byte(c.text))
		if valid := c.strict != "" || c.text == ""; ok != valid || ok && string(got) != "before"+c.strict {
			t.Errorf("JSON(%q) = %q, %v", c.text, got, ok)
		}
		if got := Lenient([]byte("before"), []byte(c.text)); string(got) != "before"+c.lenient {
			t.Errorf("Lenient(%q) = %q, want %q", c.text, got, c.lenient)
		}
	}
}

// An escape that is cut off is Truncated, unless a complete escape remains.
func TestEscapeTruncated(t *testing.T) {
	for _, text := range []string{`\n`, `\u00e9`, `\ud83d\ude00`} {
		for i := range len(text) {
			want := Truncated
			if i == len(`\ud83d`) || i == len(`\ud83d\`) {
				want = Unpaired
			}
			if r, n, fault := Escape([]byte(text[:i])); fault != want || n > 0 && r != 0xd83d {
				t.Errorf("%q: %x, %d, fault %d, want %d", text[:i], r, n, fault, want)
			}
		}
	}
}

func TestStrings(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":"b"}`: "", `{"a\n":"b","c":"d\te"}`: "\xffa\n\xffd\te", `rest\" of" "one","tw\u006f` + `"`: "\xffrest\" of\xfftwo", `"\\","\"` + `\`: "\xff\\\xff\"\\", `\`: "\xff\\",
	} {
		if got := Strings(nil, []byte(raw)); string(got) != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for text, want := range map[string][2]string{
		"a%20b+c": {"a b+c", "a b c"}, "plain": {}, "a+b": {"", "a b"}, "%": {}, "%zz": {}, "%2": {},
	} {
		for i, f := range []func(string) (string, bool){Path, Query} {
			if got, changed := f(text); changed != (want[i] != "") || changed && got != want[i] {
				t.Errorf("%q, %d: %q, %v", text, i, got, changed)
			}
		}
	}
}

// A text is the same as in encoding/json, where that accepts it.
func FuzzUnescape(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		lenient := Lenient(nil, text)
		strict, ok := JSON(nil, text)
		if ok && string(strict) != string(lenient) {
			t.Fatalf("%q: %q, leniently %q", text, strict, lenient)
		}
		Strings(nil, text)
		var want string
		if json.Unmarshal([]byte(`"`+string(text)+`"`), &want) == nil && strings.ToValidUTF8(string(lenient), "\ufffd") != strings.ToValidUTF8(want, "\ufffd") && strings.ToValidUTF8(string(text), "") == string(text) {
			t.Fatalf("%q: %q, want %q", text, lenient, want)
		}
	})
}
