package eval

import (
	"sync"

	"github.com/pcatdev/pcat/pcore/syntax"
)

// templates are the templates that were parsed last: a catalog has the same one
// again and again, with other parameters.
type templates struct {
	mu    sync.Mutex
	known map[templateKey]*syntax.EPP
	bytes int
}

// templateKey tells templates apart; the file is what errors name.
type templateKey struct{ file, text string }

// keptBytes bounds the texts and names of the templates that are kept.
const keptBytes = 1 << 20

func (t *templates) get(k templateKey) (*syntax.EPP, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	epp, ok := t.known[k]
	return epp, ok
}

// put keeps a template, and forgets all others when they become too many.
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

// parse returns the template, which is parsed once as long as it is kept.
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
