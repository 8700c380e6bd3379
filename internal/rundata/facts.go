package rundata

import (
	"errors"

	"github.com/pcatdev/pcat/pcore"
)

// errFact reports a row of a factset that is no fact.
var errFact = errors.New("a fact has no name or no value")

// FactsOf returns the facts in a document, and the name of their node if it has one: the members of
// `values`, as `puppet facts` and the caches of Puppet have them, the ones of `facts` in a factset or
// a row of the inventory of PuppetDB, or else the whole document.
func FactsOf(doc *pcore.Hash) (facts *pcore.Hash, node string, err error) {
	for _, key := range [...]string{"name", "certname"} {
		if text, ok := Member[pcore.String](doc, key); ok {
			node = string(text)
		}
	}
	if values, ok := Member[*pcore.Hash](doc, "values"); ok {
		return values, node, nil
	}
	stored, ok := Member[*pcore.Hash](doc, "facts")
	if _, isRow := doc.GetString("certname"); !ok || !isRow {
		return doc, "", nil // its name is a fact
	}
	if list, ok := Member[*pcore.Array](stored, "data"); ok {
		stored, err = factset(list)
	}
	return stored, node, err
}

// factset returns the facts in a factset of PuppetDB.
func factset(list *pcore.Array) (*pcore.Hash, error) {
	b := pcore.NewHashBuilder(list.Len())
	for _, row := range list.All() {
		fact, _ := row.(*pcore.Hash)
		name, ok := Member[pcore.String](fact, "name")
		value, hasValue := fact.GetString("value")
		if !ok || !hasValue {
			return nil, errFact
		}
		b.Set(name, value)
	}
	return b.Hash(), nil
}

// Member returns a member of a map, such as one of a document with facts, if it has the type.
func Member[T pcore.Value](h *pcore.Hash, key string) (v T, ok bool) {
	value, _ := h.GetString(key)
	v, ok = value.(T)
	return v, ok
}
