package native

import (
	"errors"
	"math"
	"math/big"
	"reflect"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
)

type boolPlan struct{ goType reflect.Type }

func (boolPlan) marshal(_ *encoder, v reflect.Value) (pcore.Value, error) {
	return pcore.Boolean(v.Bool()), nil
}

func (p boolPlan) unmarshal(_ *decoder, v pcore.Value, dst reflect.Value) error {
	b, ok := v.(pcore.Boolean)
	if !ok {
		return misfit(v, p.goType)
	}
	dst.SetBool(bool(b))
	return nil
}

func (boolPlan) describe(*typer) (pcore.Type, error) { return &pcore.BooleanType{}, nil }

type intPlan struct{ goType reflect.Type }

func (intPlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	return e.slab.Integer(v.Int()), nil
}

func (p intPlan) unmarshal(_ *decoder, v pcore.Value, dst reflect.Value) error {
	switch v := v.(type) {
	case pcore.Integer:
		if p.goType.OverflowInt(int64(v)) {
			return outOfRange(v, p.goType)
		}
		dst.SetInt(int64(v))
		return nil
	case pcore.BigInteger:
		return outOfRange(v, p.goType)
	default:
		return misfit(v, p.goType)
	}
}

func (p intPlan) describe(*typer) (pcore.Type, error) {
	bits := p.goType.Bits()
	if bits == 64 {
		return &pcore.IntegerType{}, nil
	}
	return pcore.NewIntegerType(pcore.At(int64(-1)<<(bits-1)), pcore.At(int64(1)<<(bits-1)-1))
}

type uintPlan struct{ goType reflect.Type }

func (uintPlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	u := v.Uint()
	if u > math.MaxInt64 {
		return pcore.NewBigInteger(new(big.Int).SetUint64(u)), nil
	}
	return e.slab.Integer(int64(u)), nil
}

func (p uintPlan) unmarshal(_ *decoder, v pcore.Value, dst reflect.Value) error {
	var u uint64
	switch v := v.(type) {
	case pcore.Integer:
		if v < 0 {
			return outOfRange(v, p.goType)
		}
		u = uint64(v)
	case pcore.BigInteger:
		b := v.Big()
		if !b.IsUint64() {
			return outOfRange(v, p.goType)
		}
		u = b.Uint64()
	default:
		return misfit(v, p.goType)
	}
	if p.goType.OverflowUint(u) {
		return outOfRange(v, p.goType)
	}
	dst.SetUint(u)
	return nil
}

func (p uintPlan) describe(*typer) (pcore.Type, error) {
	to := pcore.Bound[int64]{}
	if bits := p.goType.Bits(); bits < 64 {
		to = pcore.At(int64(1)<<bits - 1)
	}
	return pcore.NewIntegerType(pcore.At[int64](0), to)
}

type floatPlan struct{ goType reflect.Type }

func (floatPlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	return e.slab.Float(v.Float()), nil
}

func (p floatPlan) unmarshal(_ *decoder, v pcore.Value, dst reflect.Value) error {
	var f float64
	switch v := v.(type) {
	case pcore.Float:
		f = float64(v)
	case pcore.Integer:
		f = float64(v)
		if !exact(int64(v), p.goType.Bits()) {
			return outOfRange(v, p.goType)
		}
	default:
		return misfit(v, p.goType)
	}
	if p.goType.OverflowFloat(f) {
		return outOfRange(v, p.goType)
	}
	dst.SetFloat(f)
	return nil
}

// exact reports whether a float of the given size can represent i.
func exact(i int64, bits int) bool {
	mantissa := 53
	if bits == 32 {
		mantissa = 24
	}
	limit := int64(1) << mantissa
	return -limit <= i && i <= limit
}

func (floatPlan) describe(*typer) (pcore.Type, error) { return &pcore.FloatType{}, nil }

type stringPlan struct{ goType reflect.Type }

func (stringPlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	return marshalText(e, v.String())
}

func marshalText(e *encoder, text string) (pcore.Value, error) {
	if !utf8.ValidString(text) {
		return nil, errText()
	}
	return e.slab.String(text), nil
}

func errText() error { return &Error{Err: errors.New("the text is not valid UTF-8; use []byte")} }

func (p stringPlan) unmarshal(_ *decoder, v pcore.Value, dst reflect.Value) error {
	s, ok := v.(pcore.String)
	if !ok {
		return misfit(v, p.goType)
	}
	dst.SetString(string(s))
	return nil
}

func (stringPlan) describe(*typer) (pcore.Type, error) { return &pcore.StringType{}, nil }

// bytesPlan converts a slice or an array of bytes to a Binary and back.
type bytesPlan struct{ goType reflect.Type }

func (bytesPlan) marshal(_ *encoder, v reflect.Value) (pcore.Value, error) {
	if v.Kind() == reflect.Array && !v.CanAddr() {
		v = addressable(v)
	}
	return pcore.NewBinary(v.Bytes()), nil
}

func (p bytesPlan) unmarshal(_ *decoder, v pcore.Value, dst reflect.Value) error {
	b, ok := v.(pcore.Binary)
	switch {
	case !ok && pcore.Is[pcore.Undef](v) && dst.Kind() == reflect.Slice:
		dst.SetZero()
	case !ok:
		return misfit(v, p.goType)
	case dst.Kind() == reflect.Slice:
		dst.SetBytes(b.Bytes())
	case b.Len() != dst.Len():
		return lengthMisfit(b.Len(), p.goType)
	default:
		copy(dst.Bytes(), b.Raw())
	}
	return nil
}

func (bytesPlan) describe(*typer) (pcore.Type, error) { return pcore.BinaryType{}, nil }

// addressable returns a copy of v that can be addressed.
func addressable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}
