package lookup

import (
	"strings"

	"github.com/pcatdev/pcat/catalog"
)

// Selector selects resources: `File` selects those of a type, `File[/etc/motd]` one,
// and `File[/etc/*]` those whose title matches a pattern. In a pattern, `*` is any
// text and `?` any character, in the type as well: `Site::*`, `*[/etc/motd]`. The
// zero value selects everything. It is immutable and safe for concurrent use.
type Selector struct {
	text       string
	typ, title string // patterns, in the spelling of keys
	one        Target // of a selector without a pattern
}

// ParseSelector parses a Selector. It reports false for text that is none.
func ParseSelector(text string) (Selector, bool) {
	typ, title, bracket := strings.Cut(text, "[")
	if !isTypeName(strings.NewReplacer("*", "a", "?", "a").Replace(typ)) {
		return Selector{}, false
	}
	if !bracket {
		return Selector{text: text, typ: typeName(typ), title: "*"}, true
	}
	title, ok := strings.CutSuffix(title, "]")
	if !ok || title == "" {
		return Selector{}, false
	}
	if bare, ok := unquoted(title); ok {
		title = bare
	}
	s := Selector{text: text, typ: typeName(typ), title: title}
	if !strings.ContainsAny(text, "*?") {
		s.one, ok = Parse(text)
	}
	return s, ok
}

// String returns the text that was parsed.
func (s Selector) String() string { return s.text }

// Type returns the name of the type in Puppet's spelling, which may be a pattern.
func (s Selector) Type() string { return s.typ }

// Target returns the target of a selector that names one resource. It reports false
// for a type or a pattern.
func (s Selector) Target() (Target, bool) { return s.one, len(s.one.reads) > 0 }

// Match reports whether the selector selects r. Like a [Target], it compares the title,
// the aliases and the name of a resource.
func (s Selector) Match(r *catalog.Resource) bool {
	if s.text == "" {
		return true
	}
	typ, title := r.TypeAndTitle()
	if !glob(s.typ, typeName(string(typ))) {
		return false
	}
	if s.title == "*" || glob(s.title, string(title)) {
		return true
	}
	if one, ok := s.Target(); ok {
		return one.Match(r)
	}
	for name := range names(r) {
		if glob(s.title, name) {
			return true
		}
	}
	return false
}

// glob reports whether a text matches a pattern. It takes time proportional to the
// product of their lengths at most.
func glob(pattern, text string) bool {
	star, resume := -1, 0 // the last star, and where the text after it starts
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, resume = p, t
			p++
		case p < len(pattern) && pattern[p] == '?':
			p++
			t += runeLen(text[t:])
		case p < len(pattern) && pattern[p] == text[t]:
			p++
			t++
		case star >= 0:
			resume++
			p, t = star+1, resume
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// runeLen returns the number of bytes of the first character.
func runeLen(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}
