package document

import (
	"bytes"
	"strings"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/internal/unescape"
)

// A Searcher has the memory for searching encoded values for text. The zero value is ready to
// use. It is not safe for concurrent use.
type Searcher struct{ scratch []byte }

// Text returns the bytes of an encoded value, with the escapes of JSON decoded. wire is the
// syntax, as in [serialization.Format]. ok is false for one in which strings are not
// contiguous. The result is valid until the next call.
func (s *Searcher) Text(raw []byte, wire string) (text []byte, ok bool) {
	switch {
	case wire == "json" && jsonwire.IsPlain(raw), wire == "msgpack":
		return raw, true
	case wire == "json":
		s.scratch = unescape.Lenient(s.scratch[:0], raw)
		return s.scratch, true
	}
	return nil, false
}

// Strings returns the strings in an encoded value, each after [unescape.BeforeString]: of JSON,
// those with escapes, decoded, because the others are in its bytes; of MessagePack all, and the
// binary data, without the headers, because the length of a string may look like the beginning
// of an escape. The result is valid until the next call.
func (s *Searcher) Strings(raw []byte, wire string) []byte {
	s.scratch = s.scratch[:0]
	switch wire {
	case "json":
		s.scratch = unescape.Strings(s.scratch, raw)
	case "msgpack":
		s.scratch = appendPacked(s.scratch, raw)
	}
	return s.scratch
}

func appendPacked(dst, packed []byte) []byte {
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

// HoldsTypes reports whether there is, in the text of an encoded value, a `__ptype` of a type
// whose values may be Sensitive, contain a Sensitive, or spell their text in a form that is not
// searched for.
func HoldsTypes(text []byte) bool {
	key := []byte(dataconv.TypeKey)
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
		return ended && dataconv.HasOneSpelling(name)
	}
	// A short string of MessagePack begins with its length.
	if len(head) == 0 {
		return false
	}
	n, ok := mpwire.Short(head[0])
	return ok && n < len(head) && dataconv.HasOneSpelling(head[1:1+n])
}
