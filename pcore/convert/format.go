package convert

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
)

// stringFormat is one format of a [String] conversion: `%#-10.3s`, and for
// containers the separators and formats of their members.
type stringFormat struct {
	text   string // as written; for scalars, Ruby's format understands it
	letter byte
	alt    bool // the flag #
	left   bool // the flag -
	space  bool // the flag blank: no delimiters
	width  int  // 0 if absent
	prec   int  // -1 if absent
	open   byte // the delimiter among the flags, 0 if absent

	separator  *string // between members
	separator2 *string // between key and value
	members    formatMap
}

// formatSyntax matches the first line that is a format, as in the reference.
var formatSyntax = lazyregexp.New(`(?m)^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$`)

func parseFormat(text string) (*stringFormat, error) {
	m := formatSyntax.Get().FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("the format '%s' is not a valid format on the form '%%<flags><width>.<prec><format>'", text)
	}
	f := &stringFormat{text: text, letter: m[4][0], prec: -1}
	for i := range len(m[1]) {
		if err := f.flag(m[1], i); err != nil {
			return nil, err
		}
	}
	var err error
	if m[2] != "" {
		if f.width, err = strconv.Atoi(m[2]); err != nil {
			return nil, fmt.Errorf("the width of the format '%s' is too large", text)
		}
	}
	if m[3] != "" {
		if f.prec, err = strconv.Atoi(m[3]); err != nil {
			return nil, fmt.Errorf("the precision of the format '%s' is too large", text)
		}
	}
	return f, nil
}

func (f *stringFormat) flag(flags string, i int) error {
	c := flags[i]
	if strings.IndexByte(flags[:i], c) >= 0 {
		return fmt.Errorf("the same flag can only be used once, got '%s'", f.text)
	}
	switch c {
	case '-':
		f.left = true
	case '#':
		f.alt = true
	case ' ':
		f.space = true
	case '[', '{', '(', '<', '|':
		if f.open != 0 {
			return fmt.Errorf("only one of the delimiters [ { ( < | can be given in the format flags, got '%s'", f.text)
		}
		f.open = c
	}
	return nil
}

// delimiters returns the delimiters of a container.
func (f *stringFormat) delimiters(open, end string) (string, string) {
	switch f.open {
	case '[':
		return "[", "]"
	case '{':
		return "{", "}"
	case '(':
		return "(", ")"
	case '<':
		return "<", ">"
	case '|':
		return "|", "|"
	}
	if f.space {
		return "", ""
	}
	return open, end
}

// with returns other, with its unset properties taken from f.
func (f *stringFormat) with(other *stringFormat) *stringFormat {
	merged := *other
	if merged.separator == nil {
		merged.separator = f.separator
	}
	if merged.separator2 == nil {
		merged.separator2 = f.separator2
	}
	merged.members = f.members.with(other.members)
	return &merged
}

// formatMap maps values to formats: the first type that matches a value
// decides.
type formatMap []typeFormat

type typeFormat struct {
	typ    pcore.Type
	format *stringFormat
}

func (m formatMap) find(t pcore.Type) *stringFormat {
	for _, f := range m {
		if pcore.EqualTypes(f.typ, t) {
			return f.format
		}
	}
	return nil
}

// with returns m overridden by the formats of other: a format for a wider type
// hides the ones for narrower types, formats for the same type are merged, and
// narrower types come first.
func (m formatMap) with(other formatMap) formatMap {
	if m == nil || other == nil {
		return append(m[:len(m):len(m)], other...)
	}
	var kept formatMap
	for _, low := range m {
		if other.hides(low.typ) {
			continue
		}
		if high := other.find(low.typ); high != nil {
			low.format = low.format.with(high)
		}
		kept = append(kept, low)
	}
	merged := kept
	for _, high := range other {
		if kept.find(high.typ) == nil {
			merged = append(merged, high)
		}
	}
	return merged.sorted()
}

// hides reports whether m has a format for a wider type than t.
func (m formatMap) hides(t pcore.Type) bool {
	for _, f := range m {
		if !pcore.EqualTypes(f.typ, t) && pcore.Accepts(f.typ, t) {
			return true
		}
	}
	return false
}

// sorted returns m with narrower types before wider ones. Unrelated types are
// ordered by name. This is not a total order, so the result depends on the
// algorithm: a merge sort, as in the reference.
func (m formatMap) sorted() formatMap {
	if len(m) < 2 {
		return m
	}
	a, b := m[:len(m)/2].sorted(), m[len(m)/2:].sorted()
	merged := make(formatMap, 0, len(m))
	for len(a) > 0 && len(b) > 0 {
		if compareSpecificity(a[0].typ, b[0].typ) <= 0 {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

func compareSpecificity(a, b pcore.Type) int {
	if pcore.EqualTypes(a, b) {
		return 0
	}
	switch narrower, wider := pcore.Accepts(b, a), pcore.Accepts(a, b); {
	case narrower && !wider:
		return -1
	case wider && !narrower:
		return 1
	}
	if rankA, rankB := rank(a), rank(b); rankA != 0 && rankB != 0 {
		return rankA - rankB
	}
	return strings.Compare(pcore.FormatType(a, pcore.TypeExpanded), pcore.FormatType(b, pcore.TypeExpanded))
}

// rank orders types that overlap without one being narrower.
func rank(t pcore.Type) int {
	switch t.(type) {
	case *pcore.StructType:
		return 1
	case *pcore.HashType:
		return 2
	case *pcore.TupleType:
		return 3
	case *pcore.ArrayType:
		return 4
	case *pcore.PatternType:
		return 10
	case *pcore.EnumType:
		return 11
	case *pcore.StringType:
		return 12
	}
	return 0
}

// maxFormats limits the size of a format map, which may be searched for each
// value.
const maxFormats = 256

var errFormats error = &limitError{"there are more than %d formats", maxFormats}

// formatsFrom creates a format map from a user's Hash of types to formats;
// formatOf parses a format in it.
func formatsFrom(h *pcore.Hash, formatOf func(pcore.Value) (*stringFormat, error)) (formatMap, error) {
	if h.Len() > maxFormats {
		return nil, errFormats
	}
	m := make(formatMap, 0, h.Len())
	for k, v := range h.All() {
		t, ok := k.(pcore.Type)
		if !ok {
			return nil, fmt.Errorf("top level keys in the format hash must be data types, got instance of '%s'", pcore.KindOf(k))
		}
		f, err := formatOf(v)
		if err != nil {
			return nil, err
		}
		m = append(m, typeFormat{t, f})
	}
	return m, nil
}

// topFormat parses the format of a value: a String, or a Hash for a container.
func topFormat(v pcore.Value) (*stringFormat, error) {
	if h, ok := v.(*pcore.Hash); ok {
		return containerFormat(h)
	}
	return memberFormat(v)
}

// memberFormat parses the format of a member of a container, which must be a
// String.
func memberFormat(v pcore.Value) (*stringFormat, error) {
	s, ok := v.(pcore.String)
	if !ok {
		return nil, fmt.Errorf("a format must be a String, got %s", pcore.KindOf(v))
	}
	return parseFormat(string(s))
}

// containerFormat parses a container format: a Hash such as {format => '%(a',
// separator => ' '}.
func containerFormat(h *pcore.Hash) (*stringFormat, error) {
	text, ok := h.GetString("format")
	if !ok {
		return nil, errors.New("a container format needs a 'format'")
	}
	f, err := memberFormat(text)
	if err != nil {
		return nil, err
	}
	for k, v := range h.All() {
		switch k {
		case pcore.String("format"):
		case pcore.String("separator"):
			f.separator, err = separatorFrom(v)
		case pcore.String("separator2"):
			f.separator2, err = separatorFrom(v)
		case pcore.String("string_formats"):
			members, ok := v.(*pcore.Hash)
			if !ok {
				return nil, fmt.Errorf("expected a hash with type to format mappings, got instance of '%s'", pcore.KindOf(v))
			}
			f.members, err = formatsFrom(members, memberFormat)
		default:
			return nil, fmt.Errorf("only 'separator', 'separator2', 'format', 'string_formats' are allowed in a container format, got %s", k)
		}
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

func separatorFrom(v pcore.Value) (*string, error) {
	s, ok := v.(pcore.String)
	if !ok {
		return nil, fmt.Errorf("a separator must be a String, got %s", pcore.KindOf(v))
	}
	return (*string)(&s), nil
}
