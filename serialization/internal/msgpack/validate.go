package msgpack

import (
	"encoding/binary"
	"fmt"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/mpwire/pack"
	"github.com/pcatdev/pcat/internal/wire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// validator checks a value without decoding it. It makes all checks of the
// decoder except the checks of types.
type validator struct {
	scanner
	depth int // the number of additional levels allowed
	keys  *wire.Keys
}

func (v *validator) value() error {
	start := v.pos
	h, err := v.header()
	if err != nil {
		return err
	}
	switch h.kind {
	case kindString, kindBinary:
		_, err = v.bytes(h)
		return err
	case kindArray, kindMap:
		if v.depth == 0 {
			return wire.FailAt(start, fmt.Errorf("%w: more than %d levels of arrays and maps", serialization.ErrDepth, codec.Depth(v.Opts)))
		}
		v.depth--
		if h.kind == kindMap {
			err = v.members(start, h.n)
		} else {
			err = v.array(h.n)
		}
		v.depth++
	default:
	}
	return err
}

func (v *validator) array(n int) error {
	for i := range n {
		if err := v.value(); err != nil {
			return wire.Under(err, pcore.Step{Kind: pcore.StepIndex, Index: i})
		}
	}
	return nil
}

// members reads the n members of the map whose header begins at a position.
func (v *validator) members(begin, n int) error {
	v.keys.Open()
	defer v.keys.Close()
	var typ []byte
	header := v.pos
	var members *wire.Members // nil until one is repeated
	for i := range n {
		start := v.pos
		key, text, err := v.key()
		if err != nil {
			return err
		}
		if _, added := v.keys.Add(identity(key, text)); !added && !v.Opts.AllowDuplicates {
			if members == nil {
				members = &wire.Members{Next: header}
			}
			if err := v.repeated(members, start, identity(key, text)); err != nil {
				return wire.UnderEntry(err, entryStep(i, key, text), typ)
			}
			continue
		}
		start = v.pos
		switch err := v.value(); {
		case err != nil && start == len(v.Data):
			return err // the path has no key before the value begins
		case err != nil:
			return wire.UnderEntry(err, entryStep(i, key, text), typ)
		}
		if string(text) == dataconv.TypeKey {
			typ = shortText(v.Data[start:v.pos])
		}
	}
	if members != nil {
		v.Repeated.Insert(wire.Edit{Start: begin, End: header, By: pack.Count(nil, n-members.Count, pack.FixMap, pack.Map16)})
	}
	return nil
}

// repeated drops a member of a map that repeats another one. It fails if the values differ, and
// if repeated members are not dropped.
func (v *validator) repeated(m *wire.Members, start int, name []byte) error {
	duplicate := wire.FailAt(start, serialization.ErrDuplicateKey)
	if v.Repeated == nil {
		return duplicate
	}
	v.find(m, start)
	from := v.pos
	if err := v.value(); err != nil {
		return err
	}
	if !wire.AreEqual(syntax{}, m.Values[string(name)], v.Data[from:v.pos], *v.Opts) {
		return duplicate
	}
	v.Repeated.Cut(start, v.pos)
	m.Count++
	return nil
}

// find finds the values of the members up to end.
func (v *validator) find(m *wire.Members, end int) {
	lenient := *v.Opts
	lenient.AllowDuplicates = true
	in := v.Input
	in.Opts, in.Keys, in.Repeated = &lenient, &wire.Keys{}, nil
	w := validator{scanner: newScanner(in), depth: v.depth, keys: in.Keys}
	w.pos = m.Next
	for w.pos < end {
		key, text, err := w.key()
		from := w.pos
		if err == nil {
			err = w.value()
		}
		if err != nil {
			return // cannot be: it was read before
		}
		m.Add(identity(key, text), w.Data[from:w.pos])
	}
	m.Next = end
}

// shortText returns the text of a string with a header of one byte, and nil for
// other values. The type names that matter to paths are that short.
func shortText(value []byte) []byte {
	const fixed = 0xa0
	if len(value) == 0 || value[0]&0xe0 != fixed {
		return nil
	}
	return value[1:]
}

// key reads a key, and its bytes if it is a string or byte string.
func (v *validator) key() (h header, text []byte, err error) {
	start := v.pos
	if h, err = v.header(); err != nil {
		return h, nil, err
	}
	switch h.kind {
	case kindArray, kindMap:
		return h, nil, badKey(start)
	case kindString, kindBinary:
		text, err = v.bytes(h)
	default:
	}
	return h, text, err
}

// identity returns bytes that are unique to the key: the text of a string, and
// bytes that are not valid text for any other key.
func identity(h header, text []byte) []byte {
	switch h.kind {
	case kindString:
		return text
	case kindBinary:
		return append([]byte{0xff, byte(h.kind)}, text...)
	default:
		return binary.BigEndian.AppendUint64([]byte{0xff, byte(h.kind)}, h.bits)
	}
}

func entryStep(i int, h header, text []byte) pcore.Step {
	step := pcore.Step{Kind: pcore.StepEntry, Index: i}
	switch h.kind {
	case kindString:
		step.Key = pcore.String(text)
	case kindBinary:
		step.Key = pcore.NewBinary(text)
	default:
		step.Key = h.scalar()
	}
	return step
}
