package report

import (
	"strings"
	"testing"
)

// bracketed marks the changed parts with brackets.
func bracketed(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.changed {
			b.WriteString("[" + p.text + "]")
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

func TestWordDiff(t *testing.T) {
	for _, tt := range [][4]string{
		{"workers 4;", "workers 8;", "workers [4];", "workers [8];"},
		{"a = 1", "a = 1", "a = 1", "a = 1"},
		{"listen 80 ssl", "listen 80", "listen 80[ ssl]", "listen 80"},
		{"nothing in common", "anders", "[nothing in common]", "[anders]"},
		{"", "new", "[]", "[new]"},
		{"größe 1", "größe 2", "größe [1]", "größe [2]"},
	} {
		a, b, _ := wordDiff(tt[0], tt[1])
		if tt[0] == "" {
			a = []part{{"", true}}
		}
		if bracketed(a) != tt[2] || bracketed(b) != tt[3] {
			t.Errorf("%q and %q: got %q and %q", tt[0], tt[1], bracketed(a), bracketed(b))
		}
	}
}

// Of a long line, the changed words and a little around them remain.
func TestCut(t *testing.T) {
	long := strings.Repeat("word ", 40)
	a, b, _ := wordDiff(long+"old "+long, long+"new "+long)
	if got, want := bracketed(cut(a, 60)), "…d word word [old] word word w…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := bracketed(cut(b, 20)), "…d word word [new] wo…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for most := 1; most < 2*length(a); most++ { // also where a part ends at the limit
		if got := length(cut(a, most)); got > most+1 {
			t.Errorf("%d characters of %d", got, most)
		}
	}
	if got := cut(a, 0); bracketed(got) != bracketed(a) {
		t.Error("without a limit, a line is cut")
	}
}

// Removed lines are beside the lines that replace them. Blanks are visible where
// nothing else differs.
func TestRows(t *testing.T) {
	var got strings.Builder
	all, _ := lineDiff("same\n\ta b\nx 1\ny\nend\n", "same\n    a b\nx 2\nend")
	for _, h := range hunks(all, 1) {
		for _, r := range h.rows() {
			got.WriteString(bracketed(r.old) + " | " + bracketed(r.new) + "\n")
		}
	}
	want := "same | same\n[⇥]a·b | [····]a·b\nx [1] | x [2]\n[y] | [end ∎ no line break at the end]\n[end] | \n"
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &got, want)
	}
}
