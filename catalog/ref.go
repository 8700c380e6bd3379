package catalog

import "strings"

// Ref names a resource: `Type[title]`. The zero value names none.
type Ref struct{ Type, Title string }

// ParseRef parses a `Type[title]`. The type has no brackets; the title may have
// any.
func ParseRef(text string) (Ref, bool) {
	open := strings.IndexByte(text, '[')
	if open < 1 || !strings.HasSuffix(text, "]") || open+2 >= len(text) || strings.IndexByte(text[:open], ']') >= 0 {
		return Ref{}, false
	}
	return Ref{text[:open], text[open+1 : len(text)-1]}, true
}

// String returns `Type[title]`.
func (r Ref) String() string { return r.Type + "[" + r.Title + "]" }

// MarshalText implements [encoding.TextMarshaler].
func (r Ref) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// IsZero reports whether r names no resource.
func (r Ref) IsZero() bool { return r == Ref{} }
