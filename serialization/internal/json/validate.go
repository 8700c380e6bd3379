package json

import (
	"bytes"
	"fmt"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/jsonwire"
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
	c, err := v.peek()
	if err != nil {
		return err
	}
	switch c {
	case '{':
		return v.within(v.object)
	case '[':
		return v.within(v.array)
	case '"':
		_, err = v.text()
		return err
	case 'n':
		return v.literal("null")
	case 't':
		return v.literal("true")
	case 'f':
		return v.literal("false")
	}
	if !jsonwire.BeginsNumber(c) {
		return v.unexpected("a value")
	}
	start := v.pos
	text, integer, err := v.numeral()
	if err == nil && !integer {
		_, err = v.float(text, start)
	}
	return err
}

func (v *validator) within(f func() error) error {
	if v.depth == 0 {
		return failAt(v.pos, fmt.Errorf("%w: more than %d levels of arrays and maps", serialization.ErrDepth, codec.Depth(v.Opts)))
	}
	v.depth--
	v.pos++
	err := f()
	v.depth++
	return err
}

func (v *validator) array() error {
	for i := 0; ; i++ {
		end, err := v.separator(']', i == 0)
		if end {
			return nil
		}
		if err == nil {
			err = v.value()
		}
		if err != nil {
			return wire.Under(err, pcore.Step{Kind: pcore.StepIndex, Index: i})
		}
	}
}

func (v *validator) object() error {
	v.keys.Open()
	defer v.keys.Close()
	var typ []byte
	begin := v.pos
	var members *wire.Members // nil until one is repeated
	for first := true; ; first = false {
		end, err := v.separator('}', first)
		if end || err != nil {
			return err
		}
		start := v.pos
		key, err := v.memberKey()
		if err != nil {
			return err
		}
		i, added := v.keys.Add(key)
		if !added && !v.Opts.AllowDuplicates {
			if members == nil {
				members = &wire.Members{Next: begin}
			}
			if err := v.repeated(members, start, key); err != nil {
				return wire.UnderEntry(err, entryStep(i, key), typ)
			}
			continue
		}
		if err := v.colon(); err != nil {
			return err // the path has no key before the value begins
		}
		start = v.pos
		if err := v.value(); err != nil {
			if v.pos = start; v.isAtEnd() {
				return err
			}
			return wire.UnderEntry(err, entryStep(i, key), typ)
		}
		if string(key) == dataconv.TypeKey {
			typ = bytes.Trim(bytes.TrimSpace(v.Data[start:v.pos]), `"`)
		}
	}
}

// repeated drops a member of a map that repeats another one. It fails if the values differ, and
// if repeated members are not dropped.
func (v *validator) repeated(m *wire.Members, start int, key []byte) error {
	duplicate := failAt(start, serialization.ErrDuplicateKey)
	if v.Repeated == nil {
		return duplicate
	}
	comma := bytes.LastIndexByte(v.Data[:start], ',')
	v.find(m, comma)
	if err := v.colon(); err != nil {
		return err
	}
	from := v.pos
	if err := v.value(); err != nil {
		return err
	}
	if !wire.AreEqual(syntax{}, m.Values[string(key)], v.Data[from:v.pos], *v.Opts) {
		return duplicate
	}
	v.Repeated.Cut(comma, v.pos)
	return nil
}

// find finds the values of the members up to end, which were read before.
func (v *validator) find(m *wire.Members, end int) {
	w := validator{scanner: v.scanner}
	for w.pos = m.Next; w.pos < end; {
		if c := w.Data[w.pos]; c == ',' || jsonwire.IsBlank(c) {
			w.pos++
			continue
		}
		key, err := w.memberKey()
		if err == nil {
			err = w.colon()
		}
		if err != nil {
			break // cannot be
		}
		from := w.pos
		w.pos = jsonwire.ValueEnd(w.Data, from)
		m.Add(key, w.Data[from:w.pos])
	}
	m.Next = end
}

// isAtEnd reports whether only whitespace follows.
func (v *validator) isAtEnd() bool {
	_, err := v.peek()
	return err != nil
}

func entryStep(i int, key []byte) pcore.Step {
	return pcore.Step{Kind: pcore.StepEntry, Index: i, Key: pcore.String(key)}
}

// memberKey returns a key that remains valid.
func (v *validator) memberKey() ([]byte, error) {
	start := v.pos
	key, err := v.key()
	if err == nil && v.pos-start != len(key)+2 { // it had escapes
		key = bytes.Clone(key)
	}
	return key, err
}
