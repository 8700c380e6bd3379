package unescape

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const everything = Backslash | Percent | Entity | Printable

// Escapes of one kind, and what they mean. "" is no escape.
func TestDecode(t *testing.T) {
	for _, c := range []struct {
		kind Kinds
		text string
		want string
	}{
		{Backslash, `\"`, `"`}, {Backslash, `\/`, `/`}, {Backslash, `\u00FC`, "ü"}, {Backslash, `\ud83d\ude00`, "😀"}, {Backslash, `\ud83d\n`, ""},
		{Backslash, `\x27`, "'"}, {Backslash, `\047`, "'"}, {Backslash, `\0`, "\x00"}, {Backslash, `\e`, "\x1b"}, {Backslash, `\s`, " "},
		{Backslash, `\U0001F600`, "😀"}, {Backslash, `\u{1F600}`, "😀"}, {Backslash, `\u{}`, ""}, {Backslash, `\$`, "$"}, {Backslash, `\ `, " "},
		{Backslash, `\q`, ""}, {Backslash, `\x4`, ""}, {Backslash, `\900`, ""}, {Backslash, `\400`, ""}, {Backslash, `\`, ""}, {Backslash, "\\\xc3", ""},
		{Percent, "%41", "A"}, {Percent, "%c3", "\xc3"}, {Percent, "%u00fc", "ü"}, {Percent, "%4", ""}, {Percent, "%g1", ""}, {Percent, "%u00", ""},
		{Entity, "&amp;", "&"}, {Entity, "&quot;", `"`}, {Entity, "&apos;", "'"}, {Entity, "&uuml;", "ü"}, {Entity, "&#39;", "'"}, {Entity, "&#0039;", "'"},
		{Entity, "&#x27;", "'"}, {Entity, "&#X27;", "'"}, {Entity, "&#;", ""}, {Entity, "&nosuch;", ""}, {Entity, "&amp", ""}, {Entity, "&;", ""}, {Entity, "&ampx;", ""},
		{Entity, "&a&#51;", ""}, {Entity, "&#x110000;", ""},
		{Printable, "=3D", "="}, {Printable, "=3d", ""}, {Printable, "=", ""}, {Printable, "= x", ""},
	} {
		plain, n := decode(nil, []byte(c.text), 0, c.kind)
		if n > 0 && n != len(c.text) && c.want != "" || string(plain) != c.want || (n > 0) != (c.want != "") {
			t.Errorf("%s: %q, %d bytes, want %q", c.text, plain, n, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"a\\\n   b", "ab"}, {"a\\\r\nb", "ab"}, {"a=\r\nb", "ab"}, {"a= \nb", "ab"}, {`a\&quot;b`, `a\"b`}, {`a\%22b`, `a\"b`}, {`a\&b`, "a&b"},
	} {
		var v View
		v.Decode([]byte(c.text), everything, 9)
		if string(v.Text) != c.want {
			t.Errorf("%q: %q, want %q", c.text, v.Text, c.want)
		}
	}
}

func TestJoin(t *testing.T) {
	for _, c := range []struct {
		text, want string
		plus       bool
	}{
		{"ab\ncd", "abcd", false}, {"x ab\r\n\t cd\n ef, gh", "abcdef", false}, {"abc", "", false}, {"ab \n\n cd", "abcd", false},
		{"a\nb", "", false}, {"abc\n-- def", "abc--", false}, {"abcd\n", "abcd", false}, {"\n\n", "", false},
		{"ab\n++cd", "ab++cd", false}, {"ab\n + +cd", "abcd", true},
	} {
		var v View
		v.Join([]byte(c.text), 4, c.plus)
		if string(v.Text) != c.want {
			t.Errorf("%q: %q, want %q", c.text, v.Text, c.want)
		}
	}
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{"a\n  b": "a b", "a\n\n b": "a\nb", "a \r\n b\nc": "a b c", "ab": ""} {
		var v View
		v.Fold([]byte(text), 9)
		if string(v.Text) != want {
			t.Errorf("%q: %q, want %q", text, v.Text, want)
		}
	}
}

// Every part of a view comes from the part of the text that it is the view of.
func TestSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"a", "bc", `\n`, `\u0041`, "%41", "&amp;", "&#39;", "\n", "\r\n  ", "=3D", "=\n", "+", "éé", strings.Repeat("z", 30)})
		text := []byte(strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(t, "text"), ""))
		context := rapid.IntRange(0, 20).Draw(t, "context")
		var v View
		again := func(text []byte) string {
			var w View
			if !w.Decode(text, everything, len(text)) {
				return string(text)
			}
			return string(w.Text)
		}
		v.Decode(text, everything, context)
		for start := range v.Text {
			for end := start + 1; end <= len(v.Text); end++ {
				from, to, ok := v.Source(start, end)
				if !ok || bytes.IndexByte(v.Text[start:end], separator) >= 0 {
					continue
				}
				if from >= to || to > len(text) {
					t.Fatalf("[%d:%d] of %q is [%d:%d] of %q", start, end, v.Text, from, to, text)
				}
				if got := again(text[from:to]); !strings.Contains(got, string(v.Text[start:end])) {
					t.Fatalf("%q comes from %q, which means %q", v.Text[start:end], text[from:to], got)
				}
				if !v.IsDecoded(start, end) && string(text[from:to]) != string(v.Text[start:end]) {
					t.Fatalf("%q is %q", v.Text[start:end], text[from:to])
				}
			}
		}
	})
}

// The view grows with the text.
func TestDecodeIsLinear(t *testing.T) {
	for _, unit := range []string{`\"`, "%41", "&amp;", `\`, "%", "&", "&#x", `\u00`, "=\n", `\n\u`, "%%%41 "} {
		var v View
		text := bytes.Repeat([]byte(unit), 10_000)
		if v.Decode(text, everything, 100); len(v.Text) > len(text) || len(v.decoded) > len(text) {
			t.Errorf("%q: %d escapes, %d bytes of %d", unit, len(v.decoded), len(v.Text), len(text))
		}
	}
}

// The text around an escape is complete, however near the one before is.
func TestDecodeKeepsTheContext(t *testing.T) {
	for distance := range 30 {
		text := "%41" + strings.Repeat("-", distance) + "secret%41"
		for name, decode := range map[string]func(*View) bool{
			"Decode": func(v *View) bool { return v.Decode([]byte(text), Percent, 9) },
			"Fold":   func(v *View) bool { return v.Fold([]byte(strings.ReplaceAll(text, "%41", "\n")), 9) },
		} {
			var v View
			if decode(&v); !bytes.Contains(v.Text, []byte("secret")) {
				t.Errorf("%s, distance %d: %q", name, distance, v.Text)
			}
		}
	}
}

func ExampleView_Decode() {
	var v View
	v.Decode([]byte(`a long text with \u0053ecrets`), Backslash, 5)
	start, end, _ := v.Source(5, 12)
	fmt.Printf("%s, bytes %d to %d\n", v.Text, start, end)
	// Output: with Secret, bytes 17 to 29
}
