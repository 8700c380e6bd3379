package pcore

import (
	"math/big"
)

// Value is any value of the Puppet language. The set is closed: only the types
// of this package implement it, so a type switch can be complete. Values are
// immutable and safe for concurrent use. A nil Value is not a value: absence is
// [Undef].
//
//sumtype:decl
type Value interface {
	// String returns the value in the notation of the Puppet language, as the
	// format %p does, with every Sensitive replaced by [RedactedText]. It is
	// meant for people; the codecs of package serialization write the wire form.
	String() string

	kind() Kind
	value()
}

// Undef is the absence of a value, `undef` in the language, null on the wire.
type Undef struct{}

// Default is the value `default` of the language.
type Default struct{}

// Boolean is true or false.
type Boolean bool

// Integer is a 64 bit signed integer, the whole range of the specification.
type Integer int64

// BigInteger is an integer outside 64 bits. The language cannot create one, but
// the JSON of other programs contains them, and they must pass through
// unchanged. Use [NewBigInteger]; the zero value is 0 and has no use.
type BigInteger struct{ i *big.Int }

// Float is a 64 bit IEEE 754 number.
type Float float64

// String is UTF-8 text. Decoders reject invalid UTF-8, and programs are
// expected to create only valid text. Use [Binary] for arbitrary bytes.
type String string

// Symbol is a Ruby symbol. The language has no symbols, but old Puppet code
// writes them as rich data, so they are preserved.
type Symbol string

// kind returns kindUndef.
func (Undef) kind() Kind { return kindUndef }

// kind returns kindDefault.
func (Default) kind() Kind { return kindDefault }

// kind returns kindBoolean.
func (Boolean) kind() Kind { return kindBoolean }

// kind returns kindInteger.
func (Integer) kind() Kind { return kindInteger }

// kind returns kindBigInteger.
func (BigInteger) kind() Kind { return kindBigInteger }

// kind returns kindFloat.
func (Float) kind() Kind { return kindFloat }

// kind returns kindString.
func (String) kind() Kind { return kindString }

// kind returns kindSymbol.
func (Symbol) kind() Kind { return kindSymbol }

func (v Undef) String() string      { return format(v) }
func (v Default) String() string    { return format(v) }
func (v Boolean) String() string    { return format(v) }
func (v Integer) String() string    { return format(v) }
func (v BigInteger) String() string { return format(v) }
func (v Float) String() string      { return format(v) }
func (v String) String() string     { return format(v) }
func (v Symbol) String() string     { return format(v) }

func (Undef) value()      {}
func (Default) value()    {}
func (Boolean) value()    {}
func (Integer) value()    {}
func (BigInteger) value() {}
func (Float) value()      {}
func (String) value()     {}
func (Symbol) value()     {}

// NewBigInteger returns i as a value: an [Integer] when it fits 64 bits, a
// [BigInteger] otherwise. i is copied.
func NewBigInteger(i *big.Int) Value {
	if i.IsInt64() {
		return Integer(i.Int64())
	}
	return BigInteger{new(big.Int).Set(i)}
}

// Big returns a copy of the number.
func (v BigInteger) Big() *big.Int {
	if v.i == nil {
		return new(big.Int)
	}
	return new(big.Int).Set(v.i)
}

// Text returns the decimal digits of the number.
func (v BigInteger) Text() string {
	if v.i == nil {
		return "0"
	}
	return v.i.String()
}
