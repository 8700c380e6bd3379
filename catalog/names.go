package catalog

import "slices"

// Names tells which names a list has, in a time that does not grow with it: a
// resource can list very many. The zero value has none. It is immutable and safe
// for concurrent use.
type Names struct {
	few  []string
	many map[string]struct{}
}

// NamesOf returns the names of a list, which must not be changed as long as they
// are used.
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

// Has reports whether a name is among them.
func (n Names) Has(name string) bool {
	if n.many == nil {
		return slices.Contains(n.few, name)
	}
	_, ok := n.many[name]
	return ok
}
