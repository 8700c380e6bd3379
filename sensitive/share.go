package sensitive

import (
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Fork returns a Redactor that collects at the same time as r, in another goroutine.
// It redacts nothing: r learns what it knows by [Redactor.Join].
func (r *Redactor) Fork() *Redactor {
	fork := New(Options{Masker: r.masker, Parts: r.state().more})
	fork.forked = true
	return fork
}

// Join tells r of all that a Fork collected, as if r had collected it now. It returns
// the error that the Fork returned, with places that hold no secret: those of the
// Fork itself may.
func (r *Redactor) Join(fork *Redactor, err error) error {
	r.ready = false
	r.collected = r.collected || fork.collected
	r.state().join(fork.state())
	return r.scrub(err)
}

// join adds what others know, as if it was learned now.
func (s *secrets) join(others *secrets) {
	for name := range others.names {
		s.names[name] = true
	}
	others.settle()
	s.expect(len(others.order))
	for _, c := range others.order {
		s.add(c.text, c.at)
	}
	for _, k := range others.keys {
		s.addKey(k.text, k.at)
	}
}

// Share returns a Redactor that redacts at the same time as others of its kind, in
// a goroutine of its own; r must not be used by then but to Share and [Redactor.Count].
// All of them together give the markers that r would give to one document after the
// other: where one is new, and depends on those before, turn is called first. It
// returns when nothing more is redacted of the documents before, and may be called
// often.
func (r *Redactor) Share(turn func()) *Redactor {
	return r.share(inTurn(r.masker, turn))
}

func (r *Redactor) share(masker Masker) *Redactor {
	r.prepare()
	s := r.state().shared()
	shared := &Redactor{masker: masker, state: func() *secrets { return s }, collected: r.collected, ready: true, gone: r.gone}
	if r.before != nil {
		shared.before = r.before.share(masker)
	}
	return shared
}

// shared returns what knows the same, and has no memory in common that is written. It
// learns nothing more, so that it needs no candidates: those are settled later, perhaps.
func (s *secrets) shared() *secrets {
	own := *s
	own.scratch, own.binary, own.plan = nil, nil, nil
	own.order, own.settled = nil, 0
	return &own
}

// Count adds what a Redactor did that r shared to the [Report] of r.
func (r *Redactor) Count(shared *Redactor) {
	r.places += shared.places
	r.copies += shared.copies
	if r.before != nil {
		r.before.Count(shared.before)
	}
}

// inTurn returns a Masker for one of several documents that are redacted at the same
// time, which waits for its turn where what stands for a secret may depend on the
// documents before.
func inTurn(m Masker, turn func()) Masker {
	switch m := m.(type) {
	case *texts:
		return m.inTurn(turn)
	case *dropper:
		return &dropper{m.inTurn(turn)}
	case *encrypter:
		return &encrypter{m.inTurn(turn), m.function, m.sealer}
	}
	return &waiting{m, turn}
}

// inTurn is [inTurn]. What only depends on the text, or is known, needs no turn.
func (m *texts) inTurn(turn func()) *texts {
	if m.known == nil {
		return m
	}
	return &texts{
		replace: func(text string) string {
			if marker, ok := m.known(text); ok {
				return marker
			}
			turn()
			return m.replace(text)
		},
		reserve: m.reserve,
		known:   m.known,
	}
}

// waiting is a Masker of which nothing is known, so that it always waits for its turn.
type waiting struct {
	masker Masker
	turn   func()
}

// Value implements Masker.
func (w *waiting) Value(secret *pcore.Sensitive, at catalog.Location) (pcore.Value, error) {
	w.turn()
	return w.masker.Value(secret, at)
}

// Text implements Masker.
func (w *waiting) Text(copy *pcore.Sensitive) string {
	w.turn()
	return w.masker.Text(copy)
}
