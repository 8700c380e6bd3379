package sensitive

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// InTurn returns a Masker for one of several documents that are redacted at the same
// time, each by its own [Redactor]: all together write the markers of m that one
// Redactor would write, one document after the other. Where a marker is new and
// depends on the documents before, wait is called first. It returns once those are
// redacted to their end, and may be called often.
func InTurn(m Masker, wait func()) Masker {
	switch m := m.(type) {
	case *texts:
		return m.inTurn(wait)
	case *dropper:
		return &dropper{m.inTurn(wait)}
	case *encrypter:
		return &encrypter{m.inTurn(wait), m.function, m.sealer}
	}
	return &waiting{m, wait}
}

// inTurn is [InTurn]. A marker that depends on the text alone, or is known, needs no
// turn.
func (m *texts) inTurn(wait func()) *texts {
	if m.reserve == nil {
		return m
	}
	return &texts{
		replace: func(text string) string {
			if marker, ok := m.known(text); ok {
				return marker
			}
			wait()
			return m.replace(text)
		},
		reserve: m.reserve,
		known:   m.known,
	}
}

// waiting is a Masker that always waits for its turn, as the one in it is unknown.
type waiting struct {
	masker Masker
	wait   func()
}

// Value implements Masker.
func (w *waiting) Value(secret *pcore.Sensitive, at catalog.Location) (pcore.Value, error) {
	w.wait()
	return w.masker.Value(secret, at)
}

// Text implements Masker.
func (w *waiting) Text(copy *pcore.Sensitive) string {
	w.wait()
	return w.masker.Text(copy)
}
