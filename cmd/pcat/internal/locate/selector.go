package locate

import (
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/glob"
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
	if !glob.Match(s.typ, typeName(string(typ))) {
		return false
	}
	if s.title == "*" || glob.Match(s.title, string(title)) {
		return true
	}
	if one, ok := s.Target(); ok {
		return one.Match(r)
	}
	for name := range names(r) {
		if glob.Match(s.title, name.Title) {
			return true
		}
	}
	return false
}
