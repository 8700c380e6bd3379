package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// pairs combines `name: X` and `value: Y`, in either order.
type pairs struct {
	t      assignments
	name   assignment // the last designator of a secret
	value  assignment // the last value without a name
	secret verdict.Sort
	other  bool // the last designator is harmless
}

func (p *pairs) add(a assignment) {
	names := p.t.names()
	if as := names.SortOf(a.value); names.Designator(a.name) && as.Secret() && len(a.value) < verdict.MaxName && (strings.ContainsAny(a.value, "._-/: ") || !verdict.IsRandom(a.value) || inWords(a.value)) {
		if p.value.name != "" && a.start-p.value.end < reach/3 && !p.between(p.value.end, a.start) {
			p.pair(p.value, a.value, as)
		} else {
			p.name, p.secret = a, as
		}
		p.value, p.other = assignment{}, false
		return
	}
	if names.Designator(a.name) {
		p.other = true
	}
	if names.Carrier(a.name) {
		if p.name.name != "" && a.start-p.name.end < reach && !p.between(p.name.end, a.start) {
			p.pair(a, p.name.value, p.secret)
		} else if !p.other {
			p.value = a
		}
		p.name, p.other = assignment{}, false
		if a.sort == verdict.Plain {
			return
		}
	}
	if a.sort != verdict.Plain {
		p.t.judge(a)
	}
}

// inWords reports whether a name is in camel case, and the last word is long enough for a
// secret: `SmtpPassword`.
func inWords(s string) bool {
	list := verdict.Words(s)
	last := list[len(list)-1]
	return alphabet.IsLatin(s) && len(s) <= 40 && len(last) >= 5 && len(s) >= 4*len(list)
}

// between reports whether a name and a value belong to different objects: they are
// separated by an empty line or the start of another element, or one of them is inside the
// other, as in a multi-line block with names of its own.
func (p *pairs) between(from, to int) bool {
	if from > to {
		return true
	}
	s := p.t.S[from:to]
	return closes(s) || strings.Contains(s, "\n\n") || p.t.item(from, to) || strings.Contains(s, "},") || strings.Contains(s, "/>")
}

// item reports whether an element of a YAML list begins in S[from:to] that is not inside
// the value on the line of from.
func (t assignments) item(from, to int) bool {
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

// closes reports whether s, which begins inside an XML element, also closes the element
// around it, so that the following text belongs to another element.
func closes(s string) bool {
	depth := 1
	for i := strings.IndexByte(s, '<'); i >= 0 && i+1 < len(s); {
		if s[i+1] == '/' {
			depth--
		} else if alphabet.IsLetter(s[i+1]) {
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

func (p *pairs) pair(a assignment, name string, as verdict.Sort) {
	a.name, a.sort = name, as
	p.t.judge(a)
}
