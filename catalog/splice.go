package catalog

import (
	"errors"
	"slices"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Splice replaces the bytes from Start to End of [Resource.Bytes], which must
// be one value, by Value.
type Splice struct {
	Start, End int
	Value      pcore.Value
}

// ValueAt decodes a range of [Resource.Bytes], which must be one value. The
// error is an *[Error] with the offset in the input.
func (r *Resource) ValueAt(start, end int) (pcore.Value, error) {
	return r.valueAt(start, end, (*datum).Value)
}

// PlainValueAt is ValueAt without rich data, as in [Member.PlainValue].
func (r *Resource) PlainValueAt(start, end int) (pcore.Value, error) {
	return r.valueAt(start, end, (*datum).PlainValue)
}

func (r *Resource) valueAt(start, end int, decode func(*datum) (pcore.Value, error)) (pcore.Value, error) {
	c := r.whole.content()
	if text, ok := plainText(c.from.form.Wire, c.raw[start:end]); ok {
		return pcore.String(text), nil
	}
	part := newDatum(content{raw: c.raw[start:end:end], offset: c.offsetOf(serialization.Raw{Offset: int64(start)}), from: c.from})
	v, err := decode(&part)
	var inner *serialization.Error
	if errors.As(err, &inner) {
		err = &Error{Offset: c.offset + int64(start), Err: discreet(inner, nil)} // may be part of a secret
	}
	return v, r.blame(err)
}

// WithSplices returns a copy of the resource with other values; the bytes
// between them are unchanged. The splices must be in order and must not
// overlap. Secrets among the values are written in plain text. The resource
// must have [Resource.Bytes]; the copy has the same Offset.
func (r *Resource) WithSplices(splices []Splice) (*Resource, error) {
	c := r.whole.content()
	raw := make([]byte, 0, len(c.raw)+16*len(splices))
	end := 0
	for _, s := range splices {
		raw = append(raw, c.raw[end:s.Start]...)
		var err error
		if raw, err = c.from.form.Append(raw, s.Value, serialization.EncodeOptions{Secrets: serialization.PlainSecrets}); err != nil {
			return nil, r.blame(located(err, Location{}, c.offset))
		}
		end = s.End
	}
	raw = append(raw, c.raw[end:]...)
	return &Resource{whole: newDatum(content{raw: slices.Clip(raw), offset: c.offset, from: c.from})}, nil
}

// IsRich reports whether the form of [Resource.Bytes] can represent every
// value.
func (r *Resource) IsRich() bool {
	c := r.whole.content()
	return c.raw != nil && c.from.form.Rich
}
