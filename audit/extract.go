package audit

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/internal/secret"
)

// Extract contains what is searched in an input: its texts, decoded, each of them once, and the
// names that a weak secret may be by chance. [Updater.Search] searches it for new secrets in a
// fraction of the time of the input. It is immutable and safe for concurrent use.
//
// An Extract contains secrets. Printing it does not show them, but AppendBinary does. The zero
// value is the Extract of an empty input.
type Extract struct {
	hold func() []byte // the stored form; a closure hides the secrets from reflection
}

// extractFormat is the version of the stored form of an Extract.
const extractFormat = 1

// content returns the stored form.
func (x *Extract) content() []byte {
	if x == nil || x.hold == nil {
		return []byte{extractFormat, 0}
	}
	return x.hold()
}

// AppendBinary appends the stored form of the extract to b. It contains secrets in plain text:
// encrypt it before it leaves the process.
func (x *Extract) AppendBinary(b []byte) ([]byte, error) { return append(b, x.content()...), nil }

// UnmarshalBinary sets x to the extract that AppendBinary appended to nothing. The error is
// [ErrStored]. It must not be called while x is in use.
func (x *Extract) UnmarshalBinary(data []byte) error {
	data = bytes.Clone(data)
	next := Extract{hold: func() []byte { return data }}
	for _, ok := range next.texts {
		if !ok {
			return ErrStored
		}
	}
	*x = next
	return nil
}

// texts yields the names as one text, and then the texts. If the extract is damaged, ok is false
// in the end.
func (x *Extract) texts(yield func(text []byte, ok bool) bool) {
	rest := x.content()
	if len(rest) < 2 || rest[0] != extractFormat {
		yield(nil, false)
		return
	}
	for rest = rest[1:]; len(rest) > 0; {
		n, size := binary.Uvarint(rest)
		if size <= 0 || n > uint64(len(rest)-size) {
			yield(nil, false)
			return
		}
		end := size + int(n)
		if !yield(rest[size:end:end], true) {
			return
		}
		rest = rest[end:]
	}
}

// extractor gathers an [Extract]. The zero value is an empty one.
type extractor struct {
	names []byte // in lower case, one a line
	types map[string]struct{}
	texts []byte // each with its length before it
	known distinct
}

// begin forgets everything but memory.
func (e *extractor) begin() {
	if e.types == nil {
		e.types = map[string]struct{}{}
	}
	clear(e.types)
	e.known.clear()
	e.names, e.texts = e.names[:0], e.texts[:0]
}

// distinct is a set of texts that are parts of one buffer, without copies of them. The zero
// value is an empty set.
type distinct struct {
	seed  maphash.Seed
	slots []slot // a power of two, at most half of them in use
	n     int
}

// slot is a text that ends at a position; 0 is an empty slot.
type slot struct {
	hash       uint32
	start, end int
}

func (d *distinct) clear() {
	clear(d.slots)
	d.n = 0
}

// add adds a text that would be at a position of the buffer. It reports whether the set has
// an equal text already, and does not add it then.
func (d *distinct) add(buffer, text []byte, at int) (known bool) {
	if 2*d.n >= len(d.slots) {
		d.grow()
	}
	h := uint32(maphash.Bytes(d.seed, text))
	for i := h; ; i++ {
		s := &d.slots[int(i)&(len(d.slots)-1)]
		switch {
		case s.end == 0:
			*s = slot{h, at, at + len(text)}
			d.n++
			return false
		case s.hash == h && bytes.Equal(buffer[s.start:s.end], text):
			return true
		}
	}
}

func (d *distinct) grow() {
	old := d.slots
	if old == nil {
		d.seed = maphash.MakeSeed()
	}
	d.slots = make([]slot, max(512, 2*len(old)))
	for _, s := range old {
		if s.end == 0 {
			continue
		}
		i := s.hash
		for ; d.slots[int(i)&(len(d.slots)-1)].end != 0; i++ {
		}
		d.slots[int(i)&(len(d.slots)-1)] = s
	}
}

// name adds the names of a resource.
func (e *extractor) name(typ, title []byte) {
	if _, known := e.types[string(typ)]; !known {
		e.types[string(typ)] = struct{}{}
		e.word(typ)
	}
	e.word(title)
}

// word adds a name.
func (e *extractor) word(name []byte) {
	start := len(e.names)
	e.names = append(e.names, name...)
	for i, c := range e.names[start:] {
		if c >= utf8.RuneSelf {
			e.names = append(e.names[:start+i], bytes.ToLower(name[i:])...)
			break
		}
		if 'A' <= c && c <= 'Z' {
			e.names[start+i] = c + ('a' - 'A')
		}
	}
	e.names = append(e.names, '\n')
}

// end adds the name of the node of a catalog.
func (e *extractor) end(c *leaf.Catalog) {
	e.word([]byte(c.Node))
}

// text adds a text.
func (e *extractor) text(text []byte) {
	if len(text) < secret.MinLen { // no secret is in it
		return
	}
	start := len(e.texts)
	e.texts = binary.AppendUvarint(e.texts, uint64(len(text)))
	if e.known.add(e.texts, text, len(e.texts)) {
		e.texts = e.texts[:start]
		return
	}
	e.texts = append(e.texts, text...)
}

// extract returns what was added.
func (e *extractor) extract() *Extract {
	data := make([]byte, 1, 1+binary.MaxVarintLen64+len(e.names)+len(e.texts))
	data[0] = extractFormat
	data = binary.AppendUvarint(data, uint64(len(e.names)))
	data = append(append(data, e.names...), e.texts...)
	return &Extract{hold: func() []byte { return data }}
}

// Search reports whether an input needs no [Updater.Update] for the secrets that are new in k
// since the version seen: none of them occurs in x, which is the extract of the input. The
// error is [ErrStored] if x is damaged.
func (u *Updater) Search(x *Extract, seen uint64, k *Knowledge) (clean bool, err error) {
	newer := k.since(seen)
	if len(newer) == 0 {
		return true, nil
	}
	index := joined(newer)
	first := true
	for text, ok := range x.texts {
		switch {
		case !ok:
			return false, ErrStored
		case !first:
			if index.Contains(text) {
				return false, nil
			}
		case slices.ContainsFunc(newer, func(s *Segment) bool { return s.watch().MayOccur(text) }):
			return false, nil
		}
		first = false
	}
	return true, nil
}
