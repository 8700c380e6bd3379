package catalog

import "slices"

// Names is a set of names whose lookup time does not grow with its size,
// because a resource can list very many names. The zero value is empty. It is
// immutable and safe for concurrent use.
type Names struct {
	few  []string
	many map[string]struct{}
}

// NamesOf returns the set of the names in list, which must not be modified
// while the set is in use.
func NamesOf(list []string) Names {
	const few = 16
	if len(list) <= few {
		return Names{few: list}
	}
	many := make(map[string]struct{}, len(list))
	for _, name := range list {
		many[name] = struct{}{}
	}
	return Names{many: many}
}

// Has reports whether the set contains name.
func (n Names) Has(name string) bool {
	if n.many == nil {
		return slices.Contains(n.few, name)
	}
	_, ok := n.many[name]
	return ok
}
