package decode_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit/internal/decode"
)

// The text of bytes is UTF-8, and each of its characters has the position of the byte, or of
// the bytes in UTF-8, that it was read from.
func TestOrigin(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		parts := rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom([]string{"password=x\n", "\u00fc\u20ac \u0416", "\xfc\xe4", "\n", "\x00", "\x00\x00\x07", "# f\xfcr M\xfcller\n", "# f\u00fcr\n", "\xe2\x82"}),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 40), func(b []byte) string { return string(b) }),
		), 1, 20).Draw(r, "parts")
		s := strings.Join(parts, "")
		decode.New().Inside(s, 1, func(p decode.Part) {
			if len(p.Encodings) > 0 || p.Content != decode.Text && p.Content != decode.Strings {
				return
			}
			if !utf8.ValidString(p.S) {
				r.Fatalf("%q is not UTF-8", p.S)
			}
			last := -1
			for i, c := range p.S {
				from, to := p.Origin.Position(i), p.Origin.Position(i+utf8.RuneLen(c))
				if from <= last || to < from {
					r.Fatalf("%q: positions %d to %d after %d", p.S, from, to, last)
				}
				last = from
				switch {
				case from < len(s) && s[from:min(to, len(s))] == string(c), from < len(s) && rune(s[from]) == c:
				case c == '\n' && (from >= len(s) || s[from] < ' ' || s[from] == 0x7f):
				case c == '\n' && p.Content == decode.Strings && s[from] >= utf8.RuneSelf: // ends a string
				default:
					r.Fatalf("%q at %d of %q: %q at %d", c, i, p.S, s[from:], from)
				}
			}
		})
	})
}

// What the contents of bytes are.
func TestContents(t *testing.T) {
	random := bytes.Repeat([]byte("\x8f\x03\xe1\x17\xc2\x0b\x99\x01"), 40)
	for name, tt := range map[string]struct {
		bytes string
		want  []decode.Content
	}{
		"UTF-8":                        {"password=x\n", []decode.Content{decode.Text}},
		"ISO-8859-1":                   {"f\xfcr\npassword=x\n", []decode.Content{decode.Bytes, decode.Text}},
		"a text that looks compressed": {"x f\xfcr\npassword=x\n", []decode.Content{decode.Bytes, decode.Text}},
		"a zero":                       {"a=b\x00password=x\n", []decode.Content{decode.Bytes, decode.Text}},
		"data":                         {string(random), []decode.Content{decode.Bytes}},
		"data with a text":             {string(random) + "a text of some length here" + string(random), []decode.Content{decode.Bytes, decode.Strings}},
		"a script with data":           {"#!/bin/sh\nexit\n" + string(random), []decode.Content{decode.Bytes, decode.Text}},
	} {
		var got []decode.Content
		decode.New().Inside(tt.bytes, 1, func(p decode.Part) { got = append(got, p.Content) })
		if string(contents(got)) != string(contents(tt.want)) {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

func contents(list []decode.Content) (b []byte) {
	for _, c := range list {
		b = append(b, byte('0'+c))
	}
	return b
}
