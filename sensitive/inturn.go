package sensitive

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// InTurn returns a Masker for one of several documents that are redacted concurrently,
// each by its own [Redactor]. Together they write the same markers of m as one Redactor
// that redacts the documents in order. The returned Masker calls wait before it makes a
// new marker that depends on earlier documents. wait must return once the earlier
// documents are completely redacted, and may be called often.
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

// inTurn is [InTurn]. Markers that depend on the text alone, or are known, need not wait.
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

// waiting is a Masker that always waits, because the wrapped Masker is not known to this
// package.
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
