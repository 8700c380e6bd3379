package detect

import "strings"

// pairs puts `name: X` and `value: Y` together, in either order.
type pairs struct {
	t      *Text
	name   assignment // the last that names something secret
	value  assignment // the last value without a name
	secret sort
	other  bool // the last name is that of something harmless
}

func (p *pairs) add(a assignment) {
	names := p.t.names()
	if as := names.sortOf(a.value); names.designator(a.name) && as.secret() && len(a.value) < maxName && (strings.ContainsAny(a.value, "._-/: ") || !random(a.value) || inWords(a.value)) {
		if p.value.name != "" && a.start-p.value.end < reach/3 && !p.between(p.value.end, a.start) {
			p.pair(p.value, a.value, as)
		} else {
			p.name, p.secret = a, as
		}
		p.value, p.other = assignment{}, false
		return
	}
	if names.designator(a.name) {
		p.other = true
	}
	if names.carrier(a.name) {
		if p.name.name != "" && a.start-p.name.end < reach && !p.between(p.name.end, a.start) {
			p.pair(a, p.name.value, p.secret)
		} else if !p.other {
			p.value = a
		}
		p.name, p.other = assignment{}, false
		if a.sort == plain {
			return
		}
	}
	if a.sort != plain {
		p.t.judge(a)
	}
}

// inWords reports whether a name is written in words that only their case tells
// apart, the last of which is a word for a secret: `SmtpPassword`.
func inWords(s string) bool {
	list := words(s)
	last := list[len(list)-1]
	return letters(s) && len(s) <= 40 && len(last) >= 5 && len(s) >= 4*len(list)
}

// between reports whether the one who wrote the text put the two apart: an
// empty line, or the beginning of the next element; or one of them inside the
// other, as a block of several lines holds names of its own.
func (p *pairs) between(from, to int) bool {
	if from > to {
		return true
	}
	s := p.t.S[from:to]
	return closes(s) || strings.Contains(s, "\n\n") || p.t.item(from, to) || strings.Contains(s, "},") || strings.Contains(s, "/>")
}

// item reports whether an element of a list of YAML begins in S[from:to] that is
// not inside what stands in the line of from.
func (t *Text) item(from, to int) bool {
	line := t.S[strings.LastIndexByte(t.S[max(0, from-reach):from], '\n')+1+max(0, from-reach) : from]
	column := len(line) - len(strings.TrimLeft(line, " -"))
	for i := range places(t.S[from:to], "- ") {
		begin := strings.LastIndexByte(t.S[from:from+i], '\n')
		if begin >= 0 && strings.Trim(t.S[from+begin+1:from+i], " ") == "" && i-begin-1 < max(column, 1) {
			return true
		}
	}
	return false
}

// closes reports whether s, which begins inside an element of XML, ends more than
// that: what it stands in as well, so that what follows belongs to another.
func closes(s string) bool {
	depth := 1
	for i := strings.IndexByte(s, '<'); i >= 0 && i+1 < len(s); {
		if s[i+1] == '/' {
			depth--
		} else if isLetter(s[i+1]) {
			depth++
		}
		if depth < 0 {
			return true
		}
		n := strings.IndexByte(s[i+1:], '<')
		if n < 0 {
			break
		}
		i += 1 + n
	}
	return false
}

func (p *pairs) pair(a assignment, name string, as sort) {
	a.name, a.sort = name, as
	p.t.judge(a)
}
