package msgpack

import (
	"encoding/binary"
	"fmt"

	"github.com/pcatdev/pcat/internal/dataconv"
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
			return wire.FailAt(start, fmt.Errorf("%w: more than %d levels of arrays and maps", serialization.ErrDepth, v.Opts.Depth()))
		}
		v.depth--
		if h.kind == kindMap {
			err = v.members(h.n)
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

func (v *validator) members(n int) error {
	v.keys.Open()
	defer v.keys.Close()
	var typ []byte
	for i := range n {
		start := v.pos
		key, text, err := v.key()
		if err != nil {
			return err
		}
		if _, added := v.keys.Add(identity(key, text)); !added && !v.Opts.AllowDuplicates {
			return wire.UnderEntry(wire.FailAt(start, serialization.ErrDuplicateKey), entryStep(i, key, text), typ)
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
	return nil
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
