package audit

import (
	"encoding/binary"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/internal/audit/taint"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive/secret"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// partFormat is the version of the stored form of a Part.
const partFormat = 1

// AppendBinary appends the stored form of the part to b. It contains secrets in plain text:
// encrypt it before it leaves the process.
func (p *Part) AppendBinary(b []byte) ([]byte, error) {
	c := p.content()
	w := &partWriter{b: b, catalogs: map[*leaf.Catalog]int{nil: 0}}
	w.number(partFormat)
	w.text(c.failure)
	w.flag(c.unread)
	w.number(c.seen)
	list(w, c.nodes, (*partWriter).text)
	list(w, c.catalogs(), func(w *partWriter, one *leaf.Catalog) {
		w.catalogs[one] = len(w.catalogs)
		w.text(one.Name)
		w.text(one.Node)
		w.number(uint64(one.Form))
	})
	list(w, c.declared, func(w *partWriter, d declaration) {
		w.text(d.text)
		w.integer(d.order)
		w.integer(d.places)
		if w.flag(d.followed); d.followed {
			w.text(d.at)
			w.raw(&d.origin)
		}
	})
	w.number(uint64(len(c.present)))
	for text, used := range c.present {
		w.text(text)
		w.number(uint64(used))
	}
	w.number(uint64(len(c.words)))
	for text, use := range c.words {
		w.text(text)
		w.flag(use.Name)
		w.flag(use.Kept)
		list(w, use.Titles, (*partWriter).number)
	}
	for _, hits := range [][]raw{c.found, c.copies} {
		list(w, hits, func(w *partWriter, h raw) { w.raw(&h) })
	}
	list(w, c.notes, func(w *partWriter, n note) {
		w.raw(&n.at)
		w.text(n.text)
		w.flag(n.cut)
	})
	return w.b, w.err
}

// partWriter writes the stored form of a part.
type partWriter struct {
	b        []byte
	catalogs map[*leaf.Catalog]int // their numbers, from 1
	err      error
}

func (w *partWriter) number(n uint64) { w.b = binary.AppendUvarint(w.b, n) }
func (w *partWriter) integer(n int)   { w.b = binary.AppendVarint(w.b, int64(n)) }

func (w *partWriter) text(s string) {
	w.number(uint64(len(s)))
	w.b = append(w.b, s...)
}

func (w *partWriter) flag(is bool) {
	n := byte(0)
	if is {
		n = 1
	}
	w.b = append(w.b, n)
}

// list writes the number of elements, and each of them.
func list[T any](w *partWriter, elements []T, write func(*partWriter, T)) {
	w.number(uint64(len(elements)))
	for _, e := range elements {
		write(w, e)
	}
}

func (w *partWriter) raw(h *raw) {
	w.number(uint64(w.catalogs[h.catalog]))
	for _, text := range []string{h.Rule, h.Secret, h.Name, h.spelled, h.ref.Type, h.ref.Title, h.file, h.base} {
		w.text(text)
	}
	list(w, h.Encodings, (*partWriter).text)
	list(w, h.again, func(w *partWriter, at span) {
		w.integer(at.start)
		w.integer(at.end)
	})
	for _, n := range []int{h.Start, h.End, int(h.Confidence), int(h.line), h.skip, int(h.offset)} {
		w.integer(n)
	}
	for _, is := range []bool{h.Loose, h.source != nil, h.exported, h.part} {
		w.flag(is)
	}
	list(w, h.path, (*partWriter).step)
}

// Kinds of the key of a step.
const (
	noKey = iota
	textKey
	otherKey // in rich JSON
)

func (w *partWriter) step(s pcore.Step) {
	w.number(uint64(s.Kind))
	w.integer(s.Index)
	w.flag(s.Listed)
	switch key := s.Key.(type) {
	case nil:
		w.number(noKey)
	case pcore.String:
		w.number(textKey)
		w.text(string(key))
	default:
		w.number(otherKey)
		text, err := formats.RichJSON().Append(nil, key, serialization.EncodeOptions{Secrets: serialization.ClearSecrets})
		if err != nil {
			w.err = err
		}
		w.text(string(text))
	}
}

// UnmarshalBinary sets p to the part that AppendBinary appended to nothing. The error is
// [ErrStored]. It must not be called while p is in use.
func (p *Part) UnmarshalBinary(data []byte) error {
	r := &partReader{rest: string(data)}
	if r.number() != partFormat {
		return ErrStored
	}
	c := &part{failure: r.text(), unread: r.flag(), seen: r.number(), nodes: elements(r, (*partReader).text)}
	r.catalogs = append([]*leaf.Catalog{nil}, elements(r, func(r *partReader) *leaf.Catalog {
		return &leaf.Catalog{Name: r.text(), Node: r.text(), Form: leaf.Form(r.small())}
	})...)
	c.declared = elements(r, func(r *partReader) declaration {
		d := declaration{text: r.text(), order: r.integer(), places: r.integer(), followed: r.flag()}
		if d.followed {
			d.at, d.origin = r.text(), r.raw()
		}
		return d
	})
	if n := r.count(); n > 0 {
		c.present = make(map[string]status, n)
		for range n {
			text := r.text()
			c.present[text] = status(r.small())
		}
	}
	if n := r.count(); n > 0 {
		c.words = make(map[string]secret.Use, n)
		for range n {
			text := r.text()
			c.words[text] = secret.Use{Name: r.flag(), Kept: r.flag(), Titles: elements(r, (*partReader).number)}
		}
	}
	c.found, c.copies = elements(r, (*partReader).raw), elements(r, (*partReader).raw)
	c.notes = elements(r, func(r *partReader) note { return note{at: r.raw(), text: r.text(), cut: r.flag()} })
	if r.bad || r.rest != "" {
		return ErrStored
	}
	*p = *newPart(c)
	return nil
}

// partReader reads the stored form of a part. Its texts share the memory of the form.
type partReader struct {
	rest     string
	catalogs []*leaf.Catalog
	bad      bool
}

// fail ends the reading of damaged data.
func (r *partReader) fail() { r.bad, r.rest = true, "" }

func (r *partReader) number() uint64 {
	var n uint64
	for i := range min(len(r.rest), binary.MaxVarintLen64) {
		c := r.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
	}
	r.fail()
	return 0
}

func (r *partReader) integer() int {
	n := r.number()
	return int(n>>1) ^ -int(n&1)
}

// small reads a number of one byte.
func (r *partReader) small() uint8 {
	n := r.number()
	if n > 0xff {
		r.fail()
	}
	return uint8(n)
}

// count reads the number of elements, each of which takes at least a byte.
func (r *partReader) count() int {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *partReader) text() string {
	n := r.count()
	text := r.rest[:n]
	r.rest = r.rest[n:]
	return text
}

func (r *partReader) flag() bool { return r.small() != 0 }

// elements reads a list.
func elements[T any](r *partReader, read func(*partReader) T) []T {
	n := r.count()
	if n == 0 {
		return nil
	}
	all := make([]T, 0, min(n, 1<<10)) // what is claimed may not be there
	for range n {
		if r.bad {
			return nil
		}
		all = append(all, read(r))
	}
	return all
}

// raw reads a hit. The source of a copy is a placeholder; a [Ledger] sets it.
func (r *partReader) raw() raw {
	h := raw{catalog: r.catalogAt(r.number())}
	for _, text := range []*string{&h.Rule, &h.Secret, &h.Name, &h.spelled, &h.ref.Type, &h.ref.Title, &h.file, &h.base} {
		*text = r.text()
	}
	h.Encodings = elements(r, (*partReader).text)
	h.again = elements(r, func(r *partReader) span { return span{r.integer(), r.integer()} })
	h.Start, h.End = r.integer(), r.integer()
	h.Confidence = rule.Confidence(r.integer())
	h.line, h.skip, h.offset = int64(r.integer()), r.integer(), int64(r.integer())
	h.Loose = r.flag()
	if r.flag() {
		h.source = new(taint.Source)
	}
	h.exported, h.part = r.flag(), r.flag()
	h.path = elements(r, (*partReader).step)
	if h.skip < 0 || h.skip > len(h.path) {
		r.fail()
		return raw{}
	}
	return h
}

func (r *partReader) catalogAt(n uint64) *leaf.Catalog {
	if n >= uint64(len(r.catalogs)) {
		r.fail()
		return nil
	}
	return r.catalogs[n]
}

func (r *partReader) step() pcore.Step {
	s := pcore.Step{Kind: pcore.StepKind(r.small()), Index: r.integer(), Listed: r.flag()}
	switch r.number() {
	case noKey:
	case textKey:
		s.Key = pcore.String(r.text())
	case otherKey:
		key, err := formats.RichJSON().Decode([]byte(r.text()), serialization.DecodeOptions{AllowUnknownTypes: true})
		if err != nil {
			r.fail()
		}
		s.Key = key
	default:
		r.fail()
	}
	return s
}
