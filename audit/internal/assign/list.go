package assign

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// MaxElements is the maximum number of elements of a list to judge.
const MaxElements = 64

// opening is the beginning of a list of values.
type opening struct {
	n int // length
	// end is the byte that ends a list of words between blanks, as of shells or of `%w` in
	// Ruby. It is 0 if commas separate the elements.
	end byte
}

// constructors begin a list of the strings in the parentheses or brackets after them.
var constructors = []string{"array(", "list(", "tuple(", "set(", "frozenset(", "List.of(", "Set.of(", "Arrays.asList(", "listOf(", "setOf(", "[]string{", "new[]", "new String[]", "new string[]", "@"}

// opens returns the opening of the list that begins at i and ends before limit, or the zero
// value. It follows a separator at i-1 or before.
func (t *Text) opens(i, limit int) opening {
	s := t.S[i:limit]
	switch {
	case s == "":
		return opening{}
	case s[0] == '(' && i > 0 && t.S[i-1] == '=' && !t.IsProgram && strings.IndexByte(s, ')') > 0:
		return opening{1, ')'} // of a shell
	case len(s) > 4 && (s[0] == '%' || s[0] == 'q') && s[1]|0x20 == 'w':
		const begin, end = "([{</|", ")]}>/|"
		if k := strings.IndexByte(begin, s[2]); k >= 0 && strings.IndexByte(s[3:], end[k]) > 0 {
			return opening{3, end[k]}
		}
		return opening{}
	}
	n := 0
	for again := true; again; { // `set(["X"])`
		again = false
		for _, c := range constructors {
			if len(s) > n+len(c) && strings.EqualFold(s[n:n+len(c)], c) {
				n, again = skipSpace(s, n+len(c)), true
			}
		}
	}
	switch {
	case n == 0 && s[0] == '[':
		return opening{n: 1}
	case n < len(s) && strings.IndexByte("[({", s[n]) >= 0:
		n = skipSpace(s, n+1)
	case n == 0:
		return opening{}
	}
	if n < len(s) && (s[n] == '"' || s[n] == '\'') {
		return opening{n: n}
	}
	return opening{}
}

// skipSpace returns the position of the first byte after from that is no white space.
func skipSpace(s string, from int) int {
	for from < len(s) && s[from] <= ' ' {
		from++
	}
	return from
}

// elements handles a list that begins after from: each element has the name of the list. An
// element is at most a token, because words in lists are usually names.
func (l *assigner) elements(name string, as verdict.NameClass, from int) {
	limit := min(len(l.S), from+verdict.MaxValue*2)
	i := from
	for i < limit && alphabet.IsBlank(l.S[i]) {
		i++
	}
	switch list := l.opens(i, limit); {
	case list.end != 0:
		l.inWords(name, min(as, verdict.Token), i+list.n, i+list.n+strings.IndexByte(l.S[i+list.n:limit], list.end))
	case list.n > 0:
		l.inList(name, min(as, verdict.Token), i+list.n, limit, l.S[i] != '[')
	}
}

// isWord reports whether an element of a list is a word of a language, or a pair of which
// the value is judged by its own name.
func (l *assigner) isWord(s string) bool {
	name, value, found := strings.Cut(s, "=")
	return l.IsProgram && alphabet.IsLatin(s) || found && verdict.IsIdentifier(name) && strings.Trim(value, "=") != ""
}

// inWords handles the elements of a list of words in S[i:end].
func (l *assigner) inWords(name string, as verdict.NameClass, i, end int) {
	for n := 0; i < end && n < MaxElements; {
		if l.S[i] <= ' ' || l.S[i] == ',' {
			i++
			continue
		}
		a, ok := Quoted(l.S, i, i, end)
		if l.S[i] != '"' && l.S[i] != '\'' || !ok {
			n := strings.IndexAny(l.S[i:end], " \t\r\n")
			if n < 0 {
				n = end - i
			}
			a = Assignment{Value: l.S[i : i+n], Start: i, End: i + n, Quoted: true}
		}
		i = a.End + 1
		n++
		if l.isWord(a.Value) {
			continue
		}
		a.Name, a.Class = name, as
		l.yield(a)
	}
}

// inList handles the elements of a list that begins at i. If checked is set, words of a
// language are ignored.
func (l *assigner) inList(name string, as verdict.NameClass, i, limit int, checked bool) {
	s := l.S
	for range MaxElements {
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
			a, ok := Quoted(s, i, i, limit)
			if !ok {
				return
			}
			i = a.End + 1
			if rest := strings.TrimLeft(s[i:min(i+verdict.MaxName, limit)], " \t"); rest != "" && strings.IndexByte(",])}\n\r#", rest[0]) < 0 {
				return // a pair, a call, or the end of another string
			}
			if checked && l.isWord(a.Value) {
				continue
			}
			a.Name, a.Class = name, as
			if as == verdict.Hint && verdict.HasWord(name, "auth") && verdict.FollowsRules(a.Value) {
				a.Class = verdict.Token // as in tuple
			}
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
		if verdict.IsRandom(s[i:end]) && !l.IsProgram {
			l.yield(Assignment{Name: name, Value: s[i:end], Start: i, End: end, Quoted: true, Class: as})
		}
		i = end
	}
}
