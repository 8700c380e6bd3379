package page

import (
	"encoding/xml"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/terminal"
)

func marked(t rapid.TB, write func(Markup)) string {
	t.Helper()
	var b strings.Builder
	m := NewMarkup(&b)
	write(m)
	if err := m.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Any text is escaped as by encoding/xml, after hidden characters and invalid UTF-8 are replaced.
func TestMarkupText(t *testing.T) {
	odd := rapid.SampledFrom([]string{"<", "&", `"`, "'", ">", "\n", "\t", "\r", "\x00", "\x1b", "\xff", "\xe2\x80", "\uFFFD", "\uFFFE", "\uFFFF", "é", "\U0001F600", "\u009b", "\u202e", "\ufeff", "\U000e0041"})
	texts := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(odd), func(s []string) string { return strings.Join(s, "") }))
	rapid.Check(t, func(t *rapid.T) {
		text := texts.Draw(t, "text")
		var want strings.Builder
		if err := xml.EscapeText(&want, []byte(strings.NewReplacer("\uFFFE", "·", "\uFFFF", "·").Replace(terminal.Text(text)))); err != nil {
			t.Fatal(err)
		}
		if got := marked(t, func(m Markup) { m.Text(text) }); got != want.String() {
			t.Fatalf("%q is written as %q, want %q", text, got, want.String())
		}
	})
}

// A value is inserted only for its own %s, even if it contains one.
func TestMarkupValues(t *testing.T) {
	got := marked(t, func(m Markup) { m.Writef(`<a b="%s">%s</a>%%`, `"%s"`, "<%s>") })
	if want := `<a b="&#34;%s&#34;">&lt;%s&gt;</a>%%`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
