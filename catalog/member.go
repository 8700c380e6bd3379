package catalog

import (
	"bytes"
	"cmp"
	"sync"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/internal/mpwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// source is the form from which data was read and the options for decoding it.
type source struct {
	format  serialization.Format
	options serialization.DecodeOptions
	// decoders are reused, because a catalog contains many small documents. It
	// is a pool because resources are safe for concurrent use.
	decoders sync.Pool
}

// decode decodes a document.
func (s *source) decode(raw []byte) (pcore.Value, error) {
	d := s.decoders.Get()
	if d == nil {
		d = s.format.NewDecoder(new(bytes.Buffer), s.options)
	}
	defer s.decoders.Put(d)
	if d, ok := d.(serialization.Recycler); ok {
		return d.DecodeBytes(raw)
	}
	return s.format.Decode(raw, s.options)
}

// datum is a value, or bytes that are decoded on demand. Either may be a
// plain-text secret, so both are in a closure, which fmt cannot print, even by
// reflection. The zero value is undef.
type datum struct{ open func() content }

type content struct {
	value  pcore.Value
	raw    []byte // nil if there is a value
	offset int64  // of raw in the input
	from   *source
}

func newDatum(c content) datum {
	if raw, offset, from := c.raw, c.offset, c.from; raw != nil { // without the value, as there are many
		return datum{func() content { return content{raw: raw, offset: offset, from: from} }}
	}
	return datum{func() content { return c }}
}

func (d *datum) content() content {
	if d.open == nil {
		return content{}
	}
	return d.open()
}

// Value decodes the value, anew each time. The error is an *[Error] with the
// offset in the input.
func (d *datum) Value() (pcore.Value, error) {
	c := d.content()
	if c.raw == nil {
		if c.value == nil {
			return pcore.Undef{}, nil
		}
		return c.value, nil
	}
	v, err := c.from.decode(c.raw)
	return v, located(err, Location{}, c.offset)
}

// PlainValue is Value without rich data: `__ptype` is a key like any other, so members
// that a rich value leaves out are present, too. A value that a program made or changed
// is returned as it is.
func (d *datum) PlainValue() (pcore.Value, error) {
	c := d.content()
	if c.raw == nil {
		return d.Value()
	}
	o := c.from.options
	o.Plain = true
	v, err := c.from.format.Decode(c.raw, o)
	return v, located(err, Location{}, c.offset)
}

// Bytes returns the original bytes of the value, or nil if a program made or
// changed it. The caller must not modify them.
func (d *datum) Bytes() []byte { return d.content().raw }

// Wire returns the syntax of Bytes, as in [serialization.Format], or "" if
// there are none.
func (d *datum) Wire() string {
	c := d.content()
	if c.raw == nil {
		return ""
	}
	return c.from.format.Wire
}

// MayBeRich reports whether the value may be or contain rich data, for example
// a Sensitive or a Deferred. It inspects Bytes without decoding them; false is
// certain. It returns true if there are no bytes or if the form marks rich data
// other than by a key.
func (d *datum) MayBeRich() bool {
	raw := d.Bytes()
	switch d.Wire() {
	case "msgpack":
		return bytes.Contains(raw, []byte(typeKey))
	case "json", "yaml": // may spell the key with escapes
		return bytes.Contains(raw, []byte(typeKey)) || bytes.Contains(raw, []byte(`\u`)) || bytes.Contains(raw, []byte(`\x`))
	default:
		return true
	}
}

// Offset returns the position of Bytes in the input, or -1 if there are none.
func (d *datum) Offset() int64 {
	c := d.content()
	if c.raw == nil {
		return -1
	}
	return c.offset
}

// write writes the bytes if the form of w can contain them, and otherwise the
// value.
func (d *datum) write(w *Writer) error {
	if written, err := d.writeBytes(w); written || err != nil {
		return err
	}
	v, err := d.Value()
	if err != nil {
		return err
	}
	return w.out.Value(v)
}

// writeBytes writes the bytes, transcoded to the form of w if necessary. It
// reports false if the value must be decoded.
func (d *datum) writeBytes(w *Writer) (written bool, err error) {
	c := d.content()
	if c.raw == nil {
		return false, nil
	}
	if w.holds(c.from) {
		return true, w.out.Raw(c.raw)
	}
	if raw, ok := w.carried(c); ok {
		return true, w.out.Raw(raw)
	}
	return false, nil
}

// text returns the value if it is a String, and otherwise "".
func (d *datum) text() string {
	if c := d.content(); c.raw != nil {
		if text, ok := plainText(c.from.format.Wire, c.raw); ok {
			return text
		}
	}
	v, err := d.Value()
	if err != nil {
		return ""
	}
	s, _ := v.(pcore.String)
	return string(s)
}

// plainText returns the text of a string without escapes. raw is valid.
func plainText(wire string, raw []byte) (string, bool) {
	if wire == "json" && len(raw) > 1 && raw[0] == '"' && jsonwire.IsPlain(raw) {
		return string(raw[1 : len(raw)-1]), true
	}
	if wire == "msgpack" && len(raw) > 0 {
		if f := mpwire.First(raw[0]); f.Kind == mpwire.String && f.Size() <= len(raw) {
			return string(raw[f.Size():]), true
		}
	}
	return "", false
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

// Member is a key and a value of a catalog, a resource or the parameters of a
// resource. It is immutable and safe for concurrent use.
type Member struct {
	Key string
	datum
}

// NewMember returns a Member with the given value.
func NewMember(key string, value pcore.Value) Member {
	return Member{key, newDatum(content{value: value})}
}

// split returns the members of the map in d.
func (d *datum) split() ([]Member, error) {
	c := d.content()
	if c.raw == nil {
		return membersOf(c.value)
	}
	if c.from.format.IsJSON() {
		var few [16]span
		if spans, ok := splitJSON(few[:0], c.raw); ok {
			return c.members(spans), nil
		}
	}
	r := c.from.format.NewReader(bytes.NewBuffer(c.raw), c.from.options)
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
		members = append(members, Member{key, newDatum(content{
			raw: c.part(raw), offset: c.offsetOf(raw), from: c.from,
		})})
	}
}

// members returns the members at the given spans of c.
func (c *content) members(spans []span) []Member {
	members := make([]Member, len(spans))
	for i, s := range spans {
		// The members share c: a content for each would need twice the memory.
		members[i] = Member{s.key, datum{func() content { return c.span(s.start, s.end) }}}
	}
	return members
}

// span returns the content from start to end of the bytes of c.
func (c *content) span(start, end int) content {
	return content{raw: c.raw[start:end:end], offset: c.offsetOf(serialization.Raw{Offset: int64(start)}), from: c.from}
}

func (c *content) offsetOf(part serialization.Raw) int64 {
	if c.offset < 0 || part.Offset < 0 {
		return -1
	}
	return c.offset + part.Offset
}

// part returns the bytes of raw as a slice of c.raw if they are identical. If
// the form spells a part in another way than the whole, it returns a copy.
func (c *content) part(raw serialization.Raw) []byte {
	start, end := raw.Offset, raw.Offset+int64(len(raw.Bytes))
	if start >= 0 && end <= int64(len(c.raw)) && bytes.Equal(c.raw[start:end], raw.Bytes) {
		return c.raw[start:end:end]
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

// writeMembers writes members as a map.
func writeMembers(w *Writer, members []Member) error {
	if find(members, typeKey) >= 0 {
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
