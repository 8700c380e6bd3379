package sensitive

import (
	"bytes"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/document"
)

// part is a resource, an edge or a member, with its encoded bytes.
type part interface {
	Bytes() []byte
	Wire() string
}

// The members of documents with a meaning to this package.
const (
	typeKey  = "__ptype"
	valueKey = "__pvalue"
	listKey  = "sensitive_parameters"
)

// searcher searches the bytes of parts. It is not safe for concurrent use.
type searcher struct{ document.Searcher }

// mayHoldSecret reports whether a value in p may be Sensitive, or list parameters that
// are. The type name has several spellings, so any rich value may be Sensitive.
func (s *searcher) mayHoldSecret(p part) bool {
	text, ok := s.Text(p.Bytes(), p.Wire())
	return !ok || document.HoldsTypes(text) || bytes.Contains(text, []byte(listKey))
}

// mayHide reports whether there may be a Sensitive in m that its value does not have: a
// rich value leaves out members that do not belong to it. Such a member is written anew,
// even if its value is the same.
func (s *searcher) mayHide(m *catalog.Member) bool {
	if text, ok := s.Text(m.Bytes(), m.Wire()); ok {
		return bytes.Contains(text, []byte("Sensitive"))
	}
	v, err := m.PlainValue()
	return err != nil || holdsPlainSensitive(v)
}
