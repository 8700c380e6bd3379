package assign

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// pairs combines `name: X` and `value: Y`, in either order.
type pairs struct {
	t      *Text
	yield  func(Assignment)
	name   Assignment // the last designator of a secret
	value  Assignment // the last value without a name
	secret verdict.NameClass
	other  bool // the last designator is harmless
}

func (p *pairs) add(a Assignment) {
	names := p.t.Names
	designates := names.Designator(a.Name) && !a.Class.Secret() // `secret_key` does not
	if as := names.ClassOf(a.Value); designates && (as.Secret() || as == verdict.Hint && len(verdict.Words(a.Value)) > 1) && len(a.Value) < verdict.MaxName && (strings.ContainsAny(a.Value, "._-/: ") || !verdict.IsRandom(a.Value) || inWords(a.Value)) {
		if p.value.Name != "" && a.Start-p.value.End < lines.Reach/3 && !p.between(p.value.End, a.Start) {
			p.pair(p.value, a.Value, as)
		} else {
			p.name, p.secret = a, as
		}
		p.value, p.other = Assignment{}, false
		return
	}
	if designates {
		p.other = true
	}
	if names.Carrier(a.Name) {
		if p.name.Name != "" && a.Start-p.name.End < lines.Reach && !p.between(p.name.End, a.Start) {
			p.pair(a, p.name.Value, p.secret)
		} else if !p.other {
			p.value = a
		}
		p.name, p.other = Assignment{}, false
		if a.Class == verdict.Plain {
			return
		}
	}
	if a.Class != verdict.Plain {
		p.yield(a)
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
func (t *Text) item(from, to int) bool {
	line := t.S[strings.LastIndexByte(t.S[max(0, from-lines.Reach):from], '\n')+1+max(0, from-lines.Reach) : from]
	column := len(line) - len(strings.TrimLeft(line, " -"))
	for i := range lines.Occurrences(t.S[from:to], "- ") {
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

func (p *pairs) pair(a Assignment, name string, as verdict.NameClass) {
	a.Name, a.Class = name, as
	p.yield(a)
}
