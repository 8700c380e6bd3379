package sensitive

import (
	"bytes"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/internal/unescape"
)

// part is a resource, an edge or a member, with its encoded bytes.
type part interface {
	Bytes() []byte
	Wire() string
}

// unescaper has reusable memory for unescaping JSON. It is not safe for concurrent use.
type unescaper struct{ scratch []byte }

// textIn returns the bytes of p to search for text, with JSON escapes decoded. ok is
// false if strings are not contiguous on the wire.
func (u *unescaper) textIn(p part) (text []byte, ok bool) {
	switch p.Wire() {
	case "json":
		text, u.scratch = searchable(p.Bytes(), u.scratch)
		return text, true
	case "msgpack":
		return p.Bytes(), true
	}
	return nil, false
}

// appendStrings appends the strings in a document of MessagePack, and its binary data, each
// after [unescape.BeforeString] and without its header, because the length of a string may
// look like the beginning of an escape.
func appendStrings(dst, packed []byte) []byte {
	for i := 0; i < len(packed); {
		f := mpwire.First(packed[i])
		n, ok := f.Number(packed, i)
		if !ok {
			return append(dst, packed[i:]...)
		}
		if i += f.Size(); i > len(packed) {
			return dst
		}
		switch f.Kind {
		case mpwire.String, mpwire.Binary, mpwire.Ext:
			end := i + int(min(n, uint64(len(packed)-i)))
			dst = append(append(dst, unescape.BeforeString), packed[i:end]...)
			i = end
		default:
		}
	}
	return dst
}

// mayHoldSecret reports whether a value in p may be Sensitive, or list parameters that
// are. The type name has several spellings, so any rich value may be Sensitive.
func (u *unescaper) mayHoldSecret(p part) bool {
	text, ok := u.textIn(p)
	return !ok || holdsRichData(text)
}

// mayHide reports whether there may be a Sensitive in m that its value does not have: a
// rich value leaves out members that do not belong to it. Such a member is written anew,
// even if its value is the same.
func (u *unescaper) mayHide(m *catalog.Member) bool {
	if text, ok := u.textIn(m); ok {
		return bytes.Contains(text, []byte("Sensitive"))
	}
	v, err := m.PlainValue()
	return err != nil || holdsPlainSensitive(v)
}

func holdsRichData(text []byte) bool {
	return holdsTypes(text) || bytes.Contains(text, []byte("sensitive_parameters"))
}

// holdsTypes reports whether there is a `__ptype` of a type whose values may be
// Sensitive, contain a Sensitive, or spell their text in a form that is not searched for.
func holdsTypes(text []byte) bool {
	key := []byte("__ptype")
	for {
		i := bytes.Index(text, key)
		if i < 0 {
			return false
		}
		text = text[i+len(key):]
		if !isHarmless(text) {
			return true
		}
	}
}

// isHarmless reports whether text, which follows a `__ptype`, names a type whose bytes
// show its whole value.
func isHarmless(text []byte) bool {
	const longest = len(`":"`) + len("SemVerRange") + len(`"`)
	head := string(text[:min(len(text), longest)])
	if rest, ok := strings.CutPrefix(head, `":"`); ok {
		name, _, ended := strings.Cut(rest, `"`)
		return ended && isText(name)
	}
	// A short string of MessagePack begins with its length.
	if len(head) == 0 {
		return false
	}
	n, ok := mpwire.Short(head[0])
	return ok && n < len(head) && isText(head[1:1+n])
}

// isText reports whether the text of a type has only one spelling, that of the value.
func isText(name string) bool {
	switch name {
	case "Default", "Deferred", "Regexp", "SemVer", "Symbol":
		return true
	}
	return false
}
