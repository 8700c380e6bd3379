package eval

import (
	"sync"

	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// templates caches parsed templates: a catalog often contains the same template
// with different parameters.
type templates struct {
	mu    sync.Mutex
	known map[templateKey]*syntax.EPP
	bytes int
}

// templateKey identifies a template. Errors contain the file.
type templateKey struct{ file, text string }

// keptBytes is the maximum size of the cached texts and names.
const keptBytes = 1 << 20

func (t *templates) get(k templateKey) (*syntax.EPP, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	epp, ok := t.known[k]
	return epp, ok
}

// put caches a template. It discards all others if the cache is full.
func (t *templates) put(k templateKey, epp *syntax.EPP) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(k.file) + len(k.text) + 1
	if n > keptBytes {
		return
	}
	if t.known == nil || t.bytes+n > keptBytes {
		t.known, t.bytes = make(map[templateKey]*syntax.EPP), 0
	}
	t.known[k] = epp
	t.bytes += n
}

// parse returns the parsed template, from the cache if possible.
func (e *Evaluator) parse(file, text string) (*syntax.EPP, error) {
	k := templateKey{file, text}
	if epp, ok := e.templates.get(k); ok {
		return epp, nil
	}
	epp, err := e.syntax().ParseEPP(file, text)
	if err == nil {
		e.templates.put(k, epp)
	}
	return epp, err
}
