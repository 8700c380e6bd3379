package sensitive

import (
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// A rich value leaves out members that do not belong to it, for example all members of a
// Default beside its type. They may contain secrets, which only a value that was decoded
// without rich data shows.

// errReference is the error for a secret whose value is elsewhere. No Puppet writes such a
// catalog, and its value may be in another parameter.
var errReference = fmt.Errorf("%w: a secret refers to another value", serialization.ErrReference)

// takePlain adds the texts of the secrets in a value that was decoded without rich data.
// isSecret is set if the whole value is a secret. Texts that the rich value has, too, are
// known already.
func (s *learned) takePlain(v pcore.Value, isSecret bool, at catalog.Location) error {
	switch v := v.(type) {
	case *pcore.Array:
		for i, e := range v.All() {
			in := at
			if !isSecret { // paths do not continue inside a secret
				in = at.Join(pcore.Path{}.Index(i))
			}
			if err := s.takePlain(e, isSecret, in); err != nil {
				return err
			}
		}
		return nil
	case *pcore.Hash:
		return s.takePlainMembers(v, isSecret, at)
	default:
	}
	if text, isText := v.(pcore.String); isSecret && !(isText && s.isApart[string(text)] == secret.NameOnly) {
		s.takeValue(v, origin{Location: at})
	}
	return nil
}

func (s *learned) takePlainMembers(h *pcore.Hash, isSecret bool, at catalog.Location) error {
	typ := plainType(h)
	isSecret = isSecret || isSensitive(typ)
	if isSecret && typ == "LocalRef" {
		return &catalog.Error{At: at, Offset: -1, Err: errReference}
	}
	for k, e := range h.All() {
		list, isList := e.(*pcore.Array)
		if isList && k == pcore.String(valueKey) && typ == "Hash" {
			if err := s.takePlainPairs(list, isSecret, at); err != nil {
				return err
			}
			continue
		}
		isWord := pcore.Is[pcore.String](e) && isPlainWord(typ, k)
		in := at
		if !isSecret && (typ == "" || typ == "Deferred" && isList) {
			in = at.Join(pcore.Path{{Kind: pcore.StepEntry, Key: k}})
		}
		if err := s.takePlain(e, isSecret && !isWord, in); err != nil {
			return err
		}
	}
	return nil
}

// takePlainPairs is takePlain for the keys and values of a Hash, of which the keys that
// are texts are no secrets.
func (s *learned) takePlainPairs(list *pcore.Array, isSecret bool, at catalog.Location) error {
	for i, e := range list.All() {
		isKey := i%2 == 0 && pcore.Is[pcore.String](e)
		if err := s.takePlain(e, isSecret && !isKey, at); err != nil {
			return err
		}
	}
	return nil
}

// isPlainWord reports whether a text at a key of a rich value is not a secret of its own:
// the type, the text of a rich value, which has its own spelling, or a word that makes up
// a call or a type.
func isPlainWord(typ string, key pcore.Value) bool {
	switch {
	case key == pcore.String(typeKey), typ == "Deferred", strings.HasPrefix(typ, "Pcore::"):
		return true
	}
	return key == pcore.String(valueKey) && typ != "" && !isSensitive(typ)
}

// plainType returns the type of a rich value that was decoded without rich data, or "".
func plainType(h *pcore.Hash) string {
	typ, _ := h.GetString(typeKey)
	text, _ := typ.(pcore.String)
	return string(text)
}

// isSensitive reports whether a type is Sensitive, possibly with the type of its value.
func isSensitive(typ string) bool {
	return typ == "Sensitive" || strings.HasPrefix(typ, "Sensitive[")
}

// holdsPlainSensitive reports whether there is a Sensitive in a value that was decoded
// without rich data.
func holdsPlainSensitive(v pcore.Value) bool {
	return pcore.Search(v, func(v pcore.Value) (found, inside bool) {
		h, isHash := v.(*pcore.Hash)
		// A format may have its own notation for a Sensitive.
		return isHash && isSensitive(plainType(h)) || pcore.Is[*pcore.Sensitive](v), true
	})
}
