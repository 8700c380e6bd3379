package sensitive

import (
	"maps"
	"sync"
)

// layer is one of several sets of secrets that are replaced in sequence. It is safe for
// concurrent use. Both fields are closures, which hide the secrets from reflection.
type layer struct {
	matcher func() *matcher
	plan    func() *plan // returns the plan of the last collected document, once; may be nil
}

func newLayer(f facts) *layer {
	return &layer{matcher: sync.OnceValue(func() *matcher { return newMatcher(f) })}
}

// besides returns the layer for catalogs that also consist of the words in names.
func (l *layer) besides(names map[string]bool) *layer {
	return &layer{matcher: sync.OnceValue(func() *matcher {
		f := l.matcher().facts
		f.names = maps.Clone(f.names)
		if f.names == nil {
			f.names = map[string]bool{}
		}
		maps.Copy(f.names, names)
		return newMatcher(f)
	})}
}
