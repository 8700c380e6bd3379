package audit

import (
	"github.com/pcatdev/pcat/audit/internal/detect"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/taint"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// partFormat is the version of the stored form of a Part.
const partFormat = 4

// AppendBinary appends the stored form of the part to b. It contains secrets in plain text:
// encrypt it before it leaves the process.
func (p *Part) AppendBinary(b []byte) ([]byte, error) {
	c := p.content()
	w := &encoder{b: b, catalogs: map[*leaf.Catalog]int{nil: 0}}
	w.number(partFormat)
	w.text(c.failure)
	w.flag(c.unread)
	w.number(c.seen)
	list(w, c.nodes, (*encoder).text)
	w.text(string(c.kind))
	list(w, c.catalogs(), func(w *encoder, one *leaf.Catalog) {
		w.catalogs[one] = len(w.catalogs)
		w.text(one.Name)
		w.text(one.Node)
		w.number(uint64(one.Form))
	})
	list(w, c.declared, func(w *encoder, d declaration) {
		w.text(d.text)
		w.integer(d.order)
		w.integer(d.locations)
		if w.flag(d.followed); d.followed {
			w.text(d.origin.name)
			w.location(&d.origin.location)
		}
	})
	pairs(w, c.present, func(w *encoder, used status) { w.number(uint64(used)) })
	pairs(w, c.words, func(w *encoder, use secret.Use) {
		w.flag(use.Name)
		w.flag(use.Kept)
		list(w, use.Titles, (*encoder).number)
	})
	for _, hits := range [][]raw{c.found, c.copies} {
		list(w, hits, func(w *encoder, h raw) { w.raw(&h) })
	}
	list(w, c.notes, func(w *encoder, n note) {
		w.location(&n.at)
		w.text(n.text)
		w.flag(n.cut)
	})
	return w.b, w.err
}

func (w *encoder) raw(h *raw) {
	for _, text := range []string{h.Rule, h.Secret, h.Name, h.spelled} {
		w.text(text)
	}
	list(w, h.Encodings, (*encoder).text)
	list(w, h.again, func(w *encoder, at span) {
		w.integer(at.start)
		w.integer(at.end)
	})
	for _, n := range []int{h.Start, h.End, int(h.Confidence), int(h.offset), int(h.role), int(h.exposure)} {
		w.integer(n)
	}
	for _, is := range []bool{h.Loose, h.source != nil, h.part} {
		w.flag(is)
	}
	w.location(&h.location)
}

func (w *encoder) location(p *location) {
	w.number(uint64(w.catalogs[p.catalog]))
	for _, text := range []string{p.ref.Type, p.ref.Title, p.file, p.base} {
		w.text(text)
	}
	w.integer(int(p.line))
	w.integer(p.skip)
	w.flag(p.exported)
	list(w, p.path, (*encoder).step)
}

// Kinds of the key of a step.
const (
	noKey = iota
	textKey
	otherKey // in rich JSON
)

func (w *encoder) step(s pcore.Step) {
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
		text, err := formats.RichJSON().Append(nil, key, serialization.EncodeOptions{Secrets: serialization.PlainSecrets})
		if err != nil {
			w.err = err
		}
		w.text(string(text))
	}
}

// UnmarshalBinary sets p to the part that AppendBinary appended to nothing. The error is
// [ErrStored]. It must not be called while p is in use.
func (p *Part) UnmarshalBinary(data []byte) error {
	r := &decoder{rest: string(data)}
	if r.number() != partFormat {
		return ErrStored
	}
	c := &part{failure: r.text(), unread: r.flag(), seen: r.number(), nodes: elements(r, (*decoder).text), kind: rundata.Kind(r.text())}
	r.catalogs = append([]*leaf.Catalog{nil}, elements(r, func(r *decoder) *leaf.Catalog {
		return &leaf.Catalog{Name: r.text(), Node: r.text(), Form: leaf.Form(r.small())}
	})...)
	c.declared = elements(r, func(r *decoder) declaration {
		d := declaration{text: r.text(), order: r.integer(), locations: r.integer(), followed: r.flag()}
		if d.followed {
			d.origin = &origin{name: r.text(), location: r.location()}
		}
		return d
	})
	c.present = table(r, func(r *decoder) status { return status(r.small()) })
	c.words = table(r, func(r *decoder) secret.Use {
		return secret.Use{Name: r.flag(), Kept: r.flag(), Titles: elements(r, (*decoder).number)}
	})
	c.found, c.copies = elements(r, (*decoder).raw), elements(r, (*decoder).raw)
	c.notes = elements(r, func(r *decoder) note { return note{at: r.location(), text: r.text(), cut: r.flag()} })
	if !r.complete() {
		return ErrStored
	}
	*p = *newPart(c)
	return nil
}

// raw reads a hit. The source of a copy is a placeholder; a [Ledger] sets it.
func (r *decoder) raw() raw {
	h := raw{Hit: detect.Hit{Rule: r.text(), Secret: r.text(), Name: r.text()}, spelled: r.text()}
	h.Encodings = elements(r, (*decoder).text)
	h.again = elements(r, func(r *decoder) span { return span{r.integer(), r.integer()} })
	h.Start, h.End = r.integer(), r.integer()
	h.Confidence = rule.Confidence(r.integer())
	h.offset = int64(r.integer())
	h.role, h.exposure = role(r.bounded(int(root))), exposure(r.bounded(int(inPuppetDB)))
	h.Loose = r.flag()
	if r.flag() {
		h.source = new(taint.Source)
	}
	h.part, h.location = r.flag(), r.location()
	return h
}

func (r *decoder) location() location {
	p := location{
		catalog: r.catalogAt(r.number()), ref: catalog.Ref{Type: r.text(), Title: r.text()}, file: r.text(), base: r.text(),
		line: int64(r.integer()), skip: r.integer(), exported: r.flag(), path: elements(r, (*decoder).step),
	}
	if p.skip < 0 || p.skip > len(p.path) {
		r.fail()
		return location{}
	}
	return p
}

func (r *decoder) catalogAt(n uint64) *leaf.Catalog {
	if n >= uint64(len(r.catalogs)) {
		r.fail()
		return nil
	}
	return r.catalogs[n]
}

func (r *decoder) step() pcore.Step {
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
