package sensitive

import (
	"sync"

	"github.com/pcatdev/pcat/internal/secret"
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

// besides returns the layer for catalogs that also consist of other words.
func (l *layer) besides(words *secret.Vocabulary) *layer {
	return &layer{matcher: sync.OnceValue(func() *matcher {
		f := l.matcher().facts
		f.words = f.words.Clone()
		f.words.Include(words)
		return newMatcher(f)
	})}
}
