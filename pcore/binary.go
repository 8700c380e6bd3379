package pcore

import (
	"encoding/base64"
	"strings"
)

// Binary is a sequence of bytes. The zero value is empty.
type Binary struct{ b string }

// NewBinary returns a Binary with a copy of b.
func NewBinary(b []byte) Binary { return Binary{string(b)} }

// NewBinaryString returns a Binary with the bytes of s.
func NewBinaryString(s string) Binary { return Binary{s} }

// ParseBinary decodes the strict base64 of rich data: the standard alphabet,
// padded, without line breaks.
func ParseBinary(s string) (Binary, error) {
	for _, c := range []byte("\r\n") { // package base64 ignores them
		if i := strings.IndexByte(s, c); i >= 0 {
			return Binary{}, base64.CorruptInputError(i)
		}
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil {
		return Binary{}, err
	}
	return Binary{string(b)}, nil
}

// kind returns kindBinary.
func (Binary) kind() Kind { return kindBinary }

func (v Binary) String() string { return format(v) }

func (Binary) value() {}

// Len returns the number of bytes.
func (v Binary) Len() int { return len(v.b) }

// Bytes returns a copy of the bytes.
func (v Binary) Bytes() []byte { return []byte(v.b) }

// Raw returns the bytes as a Go string, without copying.
func (v Binary) Raw() string { return v.b }

// Base64 returns the bytes in strict base64, the wire form of a Binary.
func (v Binary) Base64() string { return base64.StdEncoding.EncodeToString([]byte(v.b)) }
