package catalog

import (
	"bytes"
	"cmp"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// source is the form that data was read from, and how it is decoded.
type source struct {
	form    serialization.Format
	options serialization.DecodeOptions
}

// datum is a value, or the bytes that it is decoded from when asked for.
type datum struct {
	value  pcore.Value
	raw    []byte // nil when there is a value
	offset int64  // of raw in the input
	from   *source
}

// Value returns the value, decoded anew each time. The error is an *[Error]
// with the offset in the input.
func (d *datum) Value() (pcore.Value, error) {
	if d.raw == nil {
		if d.value == nil {
			return pcore.Undef{}, nil
		}
		return d.value, nil
	}
	v, err := d.from.form.Decode(d.raw, d.from.options)
	return v, located(err, Location{}, d.offset)
}

// Bytes returns the bytes that the value was read from, and nil when it was
// made or changed by a program. They must not be changed.
func (d *datum) Bytes() []byte { return d.raw }

// Wire names the syntax of Bytes, as [serialization.Format] does; empty when
// there are none.
func (d *datum) Wire() string {
	if d.raw == nil {
		return ""
	}
	return d.from.form.Wire
}

// Offset returns the position in the input of Bytes, -1 when there are none.
func (d *datum) Offset() int64 {
	if d.raw == nil {
		return -1
	}
	return d.offset
}

// write writes the bytes when the form of w can hold them, else the value.
func (d *datum) write(w *Writer) error {
	if d.raw != nil && w.holds(d.from) {
		return w.out.Raw(d.raw)
	}
	v, err := d.Value()
	if err != nil {
		return err
	}
	return w.out.Value(v)
}

// text returns a String, and "" for anything else.
func (d *datum) text() string {
	v, err := d.Value()
	if err != nil {
		return ""
	}
	s, _ := v.(pcore.String)
	return string(s)
}

// texts returns the Strings of an Array.
func (d *datum) texts() []string {
	v, err := d.Value()
	if err != nil {
		return nil
	}
	list, _ := v.(*pcore.Array)
	var texts []string
	for e := range list.Values() {
		if s, ok := e.(pcore.String); ok {
			texts = append(texts, string(s))
		}
	}
	return texts
}

func textArray(texts []string) *pcore.Array {
	elems := make([]pcore.Value, len(texts))
	for i, t := range texts {
		elems[i] = pcore.String(t)
	}
	return pcore.NewArray(elems...)
}

// Member is a key with its value, of a catalog, a resource or the parameters
// of one. It is immutable and safe for concurrent use.
type Member struct {
	Key string
	datum
}

// NewMember returns a Member with the given value.
func NewMember(key string, value pcore.Value) Member {
	return Member{key, datum{value: value}}
}

// split returns the members of the map that d holds.
func (d *datum) split() ([]Member, error) {
	if d.raw == nil {
		return membersOf(d.value)
	}
	r := d.from.form.NewReader(bytes.NewBuffer(d.raw), d.from.options)
	if t, err := r.Token(); err != nil || t != serialization.TokenMap {
		return nil, cmp.Or(err, ErrShape)
	}
	n, err := r.Enter()
	if err != nil {
		return nil, err
	}
	members := make([]Member, 0, max(n, 8))
	for {
		t, err := r.Token()
		if err != nil {
			return nil, err
		}
		if t == serialization.TokenEnd {
			return members, nil
		}
		key, err := r.Key()
		if err != nil {
			return nil, err
		}
		raw, err := r.Raw()
		if err != nil {
			return nil, err
		}
		members = append(members, Member{key, datum{
			raw: d.part(raw), offset: d.offsetOf(raw), from: d.from,
		}})
	}
}

func (d *datum) offsetOf(part serialization.Raw) int64 {
	if d.offset < 0 || part.Offset < 0 {
		return -1
	}
	return d.offset + part.Offset
}

// part returns the bytes of raw as a part of those of d where they are one,
// and a copy where the form spells a part in another way than the whole.
func (d *datum) part(raw serialization.Raw) []byte {
	start, end := raw.Offset, raw.Offset+int64(len(raw.Bytes))
	if start >= 0 && end <= int64(len(d.raw)) && bytes.Equal(d.raw[start:end], raw.Bytes) {
		return d.raw[start:end:end]
	}
	return bytes.Clone(raw.Bytes)
}

func membersOf(v pcore.Value) ([]Member, error) {
	h, ok := v.(*pcore.Hash)
	if !ok {
		return nil, ErrShape
	}
	members := make([]Member, 0, h.Len())
	for k, e := range h.All() {
		key, ok := k.(pcore.String)
		if !ok {
			return nil, ErrShape
		}
		members = append(members, NewMember(string(key), e))
	}
	return members, nil
}

// writeMembers writes a map of the members.
func writeMembers(w *Writer, members []Member) error {
	if find(members, "__ptype") >= 0 {
		// Not a plain map on the wire.
		h, err := hashOf(members)
		if err != nil {
			return err
		}
		return w.out.Value(h)
	}
	if err := w.out.BeginMap(len(members)); err != nil {
		return err
	}
	for i := range members {
		m := &members[i]
		if err := w.out.Key(m.Key); err != nil {
			return err
		}
		if err := m.write(w); err != nil {
			return located(err, Location{Path: path(m.Key)}, -1)
		}
	}
	return w.out.End()
}

func hashOf(members []Member) (*pcore.Hash, error) {
	b := pcore.NewHashBuilder(len(members))
	for i := range members {
		v, err := members[i].Value()
		if err != nil {
			return nil, err
		}
		b.SetString(members[i].Key, v)
	}
	return b.Hash(), nil
}

func find(members []Member, key string) int {
	for i := range members {
		if members[i].Key == key {
			return i
		}
	}
	return -1
}
