package terminal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/terminal"
)

func Test(t *testing.T) {
	for _, tt := range []struct{ text, line, lines string }{
		{"", "", ""},
		{"é ‹a› 日本 \U0001F600 \ufffd \u00a0", "é ‹a› 日本 \U0001F600 \ufffd \u00a0", "é ‹a› 日本 \U0001F600 \ufffd \u00a0"},
		{"a\x1b[31mb\x1b]0;x\x07", "a·[31mb·]0;x·", "a·[31mb·]0;x·"},
		{"a\nb\tc\rd\n", "a·b·c·d·", "a\nb\tc·d\n"},
		{"\x00\x7f\u0085\u009bm", "····m", "····m"},
		{"a\u202eb\u2066c\u200fd\u061ce", "a·b·c·d·e", "a·b·c·d·e"},
		{"a\u200bb\u200dc\u2060d\ufeffe\u00adf", "a·b·c·d·e·f", "a·b·c·d·e·f"},
		{"a\u2028b\u2029c", "a·b·c", "a·b·c"},
		{"a\U000e0041b\U000e007fc\ufe0fd\u3164e", "a·b·c·d·e", "a·b·c·d·e"},
		{"a\x9b1mb\xffc\xe2\x80d\xed\xa0\x80e", "a·1mb·c··d···e", "a·1mb·c··d···e"},
	} {
		if got := terminal.Line(tt.text); got != tt.line {
			t.Errorf("Line(%q) is %q, want %q", tt.text, got, tt.line)
		}
		if got := terminal.Text(tt.text); got != tt.lines {
			t.Errorf("Text(%q) is %q, want %q", tt.text, got, tt.lines)
		}
	}
}

func TestSprintf(t *testing.T) {
	got := terminal.Sprintf("%d %s %s %-4s %v\n", 1, "a\nb", errors.New("c\x1b"), "d\t", time.Second)
	if want := "1 a·b c· d·   1s\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzLine checks that lines have no hidden characters, and that others stay.
func FuzzLine(f *testing.F) {
	f.Add("a\x1b\u009b\xff\U000e0041é")
	f.Fuzz(func(t *testing.T, s string) {
		line := terminal.Line(s)
		if !utf8.ValidString(line) || terminal.Line(line) != line || utf8.RuneCountInString(line) != utf8.RuneCountInString(s) {
			t.Errorf("Line(%q) is %q", s, line)
		}
		for _, r := range line {
			if terminal.Hidden(r) {
				t.Errorf("Line(%q) is %q", s, line)
			}
		}
	})
}

// FuzzJSON checks that JSON has no hidden characters, and the same values.
func FuzzJSON(f *testing.F) {
	f.Add("a\x1b\x7f\u009b\xff\U000e0041é\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		var out bytes.Buffer
		e := json.NewEncoder(terminal.JSONWriter(&out))
		e.SetIndent("", "\t")
		if err := e.Encode(map[string]string{s: s}); err != nil {
			t.Fatal(err)
		}
		for _, r := range out.String() {
			if terminal.Hidden(r) && r != '\n' && r != '\t' {
				t.Errorf("%q: %q", s, &out)
			}
		}
		plain, err := json.Marshal(map[string]string{s: s})
		if err != nil {
			t.Fatal(err)
		}
		var want, got map[string]string
		if err := errors.Join(json.Unmarshal(plain, &want), json.Unmarshal(out.Bytes(), &got)); err != nil {
			t.Fatal(err)
		}
		for key := range want {
			if got[key] != want[key] || len(got) != 1 {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
}
