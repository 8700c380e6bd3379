package report

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog/diff/internal/linediff"
)

// part is a part of a line, which is in the other line, too, or not.
type part struct {
	text    string
	changed bool
}

// row is a line of two texts side by side: an unchanged one, which is in both, a changed
// one, or one of one text only, without the other side.
type row struct {
	old, new []part
	same     bool
	partial  bool // not all words were compared
}

// rows returns the lines of a hunk. Removed lines are beside the added ones in their
// location, with the different words marked. Invisible differences are visible.
func (h *hunk) rows() []row {
	var all []row
	for i := 0; i < len(h.lines); {
		if h.lines[i].op == ' ' {
			whole := []part{{text: shown(h.lines[i], false)}}
			all = append(all, row{old: whole, new: whole, same: true})
			i++
			continue
		}
		var old, new []line
		for ; i < len(h.lines) && h.lines[i].op != ' '; i++ {
			if h.lines[i].op == '-' {
				old = append(old, h.lines[i])
			} else {
				new = append(new, h.lines[i])
			}
		}
		reveal := onlyBlanks(old, new)
		for k := range max(len(old), len(new)) {
			switch {
			case k >= len(new):
				all = append(all, row{old: []part{{shown(old[k], reveal), true}}})
			case k >= len(old):
				all = append(all, row{new: []part{{shown(new[k], reveal), true}}})
			default:
				reveal := reveal || onlyBlanks(old[k:k+1], new[k:k+1]) && bare(old[k]) != bare(new[k])
				a, b, complete := wordDiff(shown(old[k], reveal), shown(new[k], reveal))
				all = append(all, row{old: a, new: b, partial: !complete})
			}
		}
	}
	return all
}

// wordDiff returns the parts of two lines. If the lines have little in common, all of
// them is changed. complete is false if they are too long to compare all words.
func wordDiff(old, new string) (a, b []part, complete bool) {
	all, complete := linediff.Compare(words(old), words(new))
	common := 0
	x, y := divided{line: old}, divided{line: new}
	for _, w := range all {
		switch w.Op {
		case ' ':
			x.add(len(w.Text), false)
			y.add(len(w.Text), false)
			if isWord(w.Text) {
				common += len(w.Text)
			}
		case '-':
			x.add(len(w.Text), true)
		case '+':
			y.add(len(w.Text), true)
		}
	}
	const least = 4 // a quarter of the shorter line
	if least*common < min(len(old), len(new)) {
		return []part{{old, true}}, []part{{new, true}}, complete
	}
	return x.parts, y.parts, complete
}

// divided is a line that is divided into parts.
type divided struct {
	line  string
	parts []part
	end   int // of the last part
}

// add adds the next n bytes of the line.
func (d *divided) add(n int, changed bool) {
	last := len(d.parts) - 1
	if last < 0 || d.parts[last].changed != changed {
		d.parts = append(d.parts, part{changed: changed})
		last++
	}
	begin := d.end - len(d.parts[last].text)
	d.end += n
	d.parts[last].text = d.line[begin:d.end]
}

// words splits a line into words, blanks and single other characters.
func words(s string) []string {
	var all []string
	for len(s) > 0 {
		first, n := utf8.DecodeRuneInString(s)
		if kind := wordKind(first); kind != 0 {
			if end := strings.IndexFunc(s, func(r rune) bool { return wordKind(r) != kind }); end >= 0 {
				n = end
			} else {
				n = len(s)
			}
		}
		all = append(all, s[:n])
		s = s[n:]
	}
	return all
}

func wordKind(r rune) int {
	switch {
	case r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
		return 1
	case r == ' ':
		return 2
	default:
		return 0
	}
}

func isWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return wordKind(r) != 2
}

// onlyBlanks reports whether removed and added lines differ only in white space.
func onlyBlanks(old, new []line) bool {
	texts := func(lines []line) []string {
		var all []string
		for _, l := range lines {
			all = append(all, strings.Join(strings.Fields(l.text), ""))
		}
		return all
	}
	a, b := texts(old), texts(new)
	return slices.Equal(a, b) && len(a) > 0 || strings.Join(a, "") == "" && strings.Join(b, "") == ""
}

// bare returns the text of a line without the white space at its end, which is visible
// in any case.
func bare(l line) string { return strings.TrimRight(l.text, " \r\n") }

// around is the number of characters that remain beside a difference in a long line.
const around = 12

// cut shortens the unchanged parts of a line that has more than most characters, and
// then its end.
func cut(parts []part, most int) []part {
	if most <= 0 || length(parts) <= most {
		return parts
	}
	parts = slices.Clone(parts)
	for i, p := range parts {
		r := []rune(p.text)
		if p.changed || len(r) <= 2*around {
			continue
		}
		head, tail := string(r[:around]), string(r[len(r)-around:])
		if i == 0 {
			head = ""
		}
		if i == len(parts)-1 {
			tail = ""
		}
		if len(parts) > 1 {
			parts[i].text = head + "…" + tail
		}
	}
	for i := range parts {
		n := utf8.RuneCountInString(parts[i].text)
		if n > most {
			parts[i].text = clipped(parts[i].text, most)
			return parts[:i+1]
		}
		most -= n
	}
	return parts
}

func length(parts []part) int {
	n := 0
	for _, p := range parts {
		n += utf8.RuneCountInString(p.text)
	}
	return n
}
