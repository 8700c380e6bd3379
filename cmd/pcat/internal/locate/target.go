package locate

import (
	"iter"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/puppet"
	"github.com/pcatdev/pcat/pcore"
)

// Target names a resource, or a location in one: `Type[title]`, or
// `Type[title]/parameter/key/0` as messages and reports show it. [Bare] makes one
// without a type. The zero value names nothing. It is immutable and safe for concurrent use.
type Target struct {
	text  string
	reads []reading // the most likely one first
}

// reading is one way to divide the text of a Target: a title can contain brackets
// and slashes.
type reading struct {
	ref  catalog.Ref
	keys []catalog.Ref // all names with which the resource can be found
	path []string
}

// Parse parses a reference or a location. It reports false for other text. The title
// may have quotes, with blanks around them, as in a manifest: `File[ '/etc/motd' ]`.
func Parse(text string) (Target, bool) {
	t := Target{text: text}
	open := strings.IndexByte(text, '[')
	if open < 1 || !isTypeName(text[:open]) {
		return Target{}, false
	}
	depth, balanced := 0, false
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '[':
			depth++
		case ']':
			depth--
			if i == open+1 || i+1 < len(text) && text[i+1] != '/' {
				continue
			}
			r := newReading(text[:open], text[open+1:i], text[i+1:])
			if depth == 0 && !balanced {
				t.reads, balanced = slices.Insert(t.reads, 0, r), true
			} else {
				t.reads = append(t.reads, r)
			}
		}
		if len(t.reads) == maxReadings {
			break
		}
	}
	return t, len(t.reads) > 0
}

// maxReadings bounds the work for a text with very many brackets.
const maxReadings = 16

func newReading(typ, title, path string) reading {
	r := reading{ref: catalog.Ref{Type: typeName(typ), Title: title}}
	r.keys = keysOf(r.ref)
	if bare, ok := unquoted(strings.TrimSpace(title)); ok {
		r.ref.Title = bare
		r.keys = append(r.keys, keysOf(r.ref)...)
	}
	if path = strings.Trim(path, "/"); path != "" {
		r.path = strings.Split(path, "/")
	}
	return r
}

// unquoted returns the text between quotes.
func unquoted(s string) (string, bool) {
	if len(s) < 3 || s[0] != '\'' && s[0] != '"' || s[len(s)-1] != s[0] {
		return "", false
	}
	inner := s[1 : len(s)-1]
	return inner, strings.IndexByte(inner, s[0]) < 0
}

// Bare returns the target of a title or a name without a type, such as `/etc/motd`. It may name
// resources of several types: see [Catalog.Ambiguous].
func Bare(title string) Target {
	return Target{text: title, reads: []reading{{ref: catalog.Ref{Title: title}}}}
}

// IsBare reports whether the target has no type.
func (t Target) IsBare() bool { return len(t.reads) > 0 && t.reads[0].ref.Type == "" }

// Refs returns the references that the target may mean, the most likely one first, without
// the ones that have a path. A bare target means one of each of the types.
func (t Target) Refs(types iter.Seq[string]) []catalog.Ref {
	var all []catalog.Ref
	add := func(keys []catalog.Ref) {
		for _, key := range keys {
			if !slices.Contains(all, key) {
				all = append(all, key)
			}
		}
	}
	for i := range t.reads {
		switch read := &t.reads[i]; {
		case len(read.path) > 0:
		case read.ref.Type == "":
			for typ := range types {
				add(keysOf(catalog.Ref{Type: typ, Title: read.ref.Title}))
			}
		default:
			add(read.keys)
		}
	}
	return all
}

// Name returns the reference in Puppet's spelling, or the text of a bare target.
func (t Target) Name() string {
	if t.IsBare() || len(t.reads) == 0 {
		return t.text
	}
	return t.Ref().String()
}

// String returns the text that was parsed.
func (t Target) String() string { return t.text }

// Ref returns the reference, with the type in Puppet's spelling.
func (t Target) Ref() catalog.Ref {
	if len(t.reads) == 0 {
		return catalog.Ref{}
	}
	return t.reads[0].ref
}

// Path returns the steps after the reference; none for a whole resource.
func (t Target) Path() []string {
	if len(t.reads) == 0 {
		return nil
	}
	return slices.Clip(t.reads[0].path)
}

// match is the quality of a match: smaller is better.
type match int

const (
	byTitle match = iota
	byName        // an alias, or the name
	noMatch
)

// match compares a resource with the target, and returns the path that follows its
// reference.
func (t Target) match(r *catalog.Resource) (match, []string) {
	typ, title := r.TypeAndTitle()
	best, path := noMatch, []string(nil)
	for i := range t.reads {
		read := &t.reads[i]
		keys := read.keys
		switch {
		case read.ref.Type == "":
			keys = keysOf(catalog.Ref{Type: string(typ), Title: read.ref.Title})
		case !strings.EqualFold(read.ref.Type, string(typ)):
			continue
		}
		if slices.Contains(keys, puppet.Canonical(catalog.Ref{Type: string(typ), Title: string(title)})) {
			return byTitle, read.path
		}
		if best == noMatch && hasName(r, keys) {
			best, path = byName, read.path
		}
	}
	return best, path
}

// Match reports whether the target names r, or a location in it: by its title, one of
// its aliases, or its name.
func (t Target) Match(r *catalog.Resource) bool {
	m, _ := t.match(r)
	return m != noMatch
}

func hasName(r *catalog.Resource, keys []catalog.Ref) bool {
	for name := range names(r) {
		if slices.Contains(keys, name) {
			return true
		}
	}
	return false
}

// names returns an iterator over the names by which people search a resource, other than
// its title: those of references, and the name of a Package.
func names(r *catalog.Resource) iter.Seq[catalog.Ref] {
	return func(yield func(catalog.Ref) bool) {
		facts := factsOf(r)
		for _, name := range facts.Names[1:] {
			if !yield(name) {
				return
			}
		}
		if typ := facts.Names[0].Type; typ == "Package" {
			if v, _, err := r.Parameter("name"); err == nil {
				if text, ok := v.(pcore.String); ok {
					yield(catalog.Ref{Type: typ, Title: string(text)})
				}
			}
		}
	}
}

// factsOf returns the names of a resource and its references. Reading its parameters
// reports the error.
func factsOf(r *catalog.Resource) puppet.Facts {
	facts, _ := puppet.Read(r)
	return facts
}

// isTypeName reports whether s may be the name of a type, in any case.
func isTypeName(s string) bool {
	for segment := range strings.SplitSeq(strings.TrimPrefix(s, "::"), "::") {
		for i, c := range []byte(segment) {
			letter := c|0x20 >= 'a' && c|0x20 <= 'z'
			if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
				return false
			}
		}
		if segment == "" {
			return false
		}
	}
	return true
}

// typeName returns the name of a type in Puppet's spelling, `Ssh::Key`, as people may
// write it.
func typeName(s string) string { return puppet.TypeName(strings.ToLower(strings.TrimPrefix(s, "::"))) }

// keysOf returns the names that a reference means, as people may write it.
func keysOf(ref catalog.Ref) []catalog.Ref {
	if ref.Type == "Class" {
		ref.Title = typeName(ref.Title)
	}
	exact, short := puppet.Keys(ref)
	return []catalog.Ref{exact, short}
}
