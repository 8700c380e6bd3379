package sensitive

import (
	"maps"
	"sync"
)

// layer is one of several sets of secrets that are replaced one after the other. It
// is safe for concurrent use. Both fields are closures, so that no reflection sees
// the secrets.
type layer struct {
	matcher func() *matcher
	plan    func() *plan // of the document that was collected last, once; nil for none
}

func newLayer(f facts) *layer {
	return &layer{matcher: sync.OnceValue(func() *matcher { return newMatcher(f) })}
}

// besides returns the layer for catalogs that consist of more words.
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
