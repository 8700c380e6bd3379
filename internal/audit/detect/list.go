package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// maxElements is the maximum number of elements of a list to judge.
const maxElements = 64

// elements handles a list that begins after from: each element has the name of the list. An
// element is at most a token, because words in lists are usually names.
func (l *assigner) elements(name string, as verdict.Sort, from int) {
	s := l.S
	limit := min(len(s), from+verdict.MaxValue*2)
	i := from
	for i < limit && isBlank(s[i]) {
		i++
	}
	for _, open := range []string{"array(", "["} {
		if strings.HasPrefix(s[i:limit], open) {
			l.inList(name, min(as, verdict.Token), i+len(open), limit)
			return
		}
	}
}

// inList handles the elements of a list that begins at i.
func (l *assigner) inList(name string, as verdict.Sort, i, limit int) {
	s := l.S
	for range maxElements {
		for i < limit && (s[i] <= ' ' || s[i] == ',' || s[i] == '\\' && i+1 < limit && s[i+1] == 'n') {
			if s[i] == '\\' {
				i++
			}
			i++
		}
		if i >= limit {
			return
		}
		if s[i] == '"' || s[i] == '\'' {
			a, ok := quotedValue(s, i, i, limit)
			if !ok {
				return
			}
			i = a.end + 1
			if rest := strings.TrimLeft(s[i:min(i+verdict.MaxName, limit)], " \t"); rest != "" && strings.IndexByte(",]\n\r)#", rest[0]) < 0 {
				return // a pair, a call, or the end of another string
			}
			a.name, a.sort = name, as
			l.yield(a)
			continue
		}
		end := i
		for end < limit && verdict.IsBase64Byte(s[end]) || end < limit && strings.IndexByte("=.:!", s[end]) >= 0 {
			end++
		}
		if end == i || end >= limit || strings.IndexByte(",] \n", s[end]) < 0 {
			return
		}
		if verdict.IsRandom(s[i:end]) && l.kind != source {
			l.yield(assignment{name: name, value: s[i:end], start: i, end: end, quoted: true, sort: as})
		}
		i = end
	}
}

// items describes a YAML list below the name that it belongs to.
type items struct {
	name   string
	sort   verdict.Sort
	indent int
}

// begin starts a list below the line of a name.
func (l *items) begin(name string, as verdict.Sort, line string) {
	l.name, l.sort, l.indent = name, min(as, verdict.Token), indentOf(line)
}

// item handles a line that may be an element of the list.
func (l *assigner) item() {
	if l.list.sort == verdict.Plain {
		return
	}
	line := l.S[l.start:l.end]
	text, item := strings.CutPrefix(strings.TrimLeft(line, " \t"), "- ")
	if !item || indentOf(line) < l.list.indent {
		l.list.sort = verdict.Plain
		return
	}
	a := l.valueAfter(l.end-len(text), l.end, false)
	if a.value == "" || strings.IndexByte("{[&*!|>", a.value[0]) >= 0 || !a.quoted && strings.Contains(a.value, ": ") {
		return
	}
	a.name, a.sort = l.list.name, l.list.sort
	l.yield(a)
}
