package json

import (
	"math/big"

	"github.com/pcatdev/pcat/pcore"
)

// number pushes a number: an Integer, a BigInteger beyond 64 bits, or a Float
// when it has a fraction or an exponent.
func (d *decoder) number(i int) (end int, err error) {
	if n, end, ok := shortInteger(d.Data, i); ok {
		d.builder.Integer(n)
		return end, nil
	}
	if f, end, ok := shortFloat(d.Data, i); ok {
		d.builder.Float(f)
		return end, nil
	}
	d.pos = i
	if !isNumeral(d.Data[i]) {
		return i, d.unexpected("a value")
	}
	text, integer, err := d.numeral()
	if err != nil {
		return i, err
	}
	if !integer {
		f, err := d.float(text, i)
		if err != nil {
			return i, err
		}
		d.builder.Float(f)
		return d.pos, nil
	}
	n, ok := new(big.Int).SetString(string(text), 10)
	if !ok {
		return i, syntaxAt(i, "it is no number")
	}
	d.builder.Add(pcore.NewBigInteger(n))
	return d.pos, nil
}

// shortInteger reads an integer of so few digits that it surely fits 64 bits.
// ok is false for any other number, and where data ends before it is clear that
// the number does.
func shortInteger(data []byte, pos int) (v int64, end int, ok bool) {
	const surely = 18
	i := pos
	negative := data[i] == '-'
	if negative {
		i++
	}
	first := i
	for ; i < len(data); i++ {
		digit := data[i] - '0'
		if digit > 9 {
			break
		}
		v = 10*v + int64(digit) // wraps around when there are too many
	}
	switch n := i - first; {
	case i == len(data), n == 0, n > surely, n > 1 && data[first] == '0':
		return 0, pos, false
	case data[i] == '.', data[i]|0x20 == 'e':
		return 0, pos, false
	}
	if negative {
		v = -v
	}
	return v, i, true
}

// shortFloat reads a number with a fraction, without an exponent and with so
// few digits that its value is the quotient of two integers that a float holds
// exactly, which is rounded right. ok is false for any other number, and where
// data ends before it is clear that the number does.
func shortFloat(data []byte, pos int) (v float64, end int, ok bool) {
	const exactly = 15
	i, negative := pos, data[pos] == '-'
	if negative {
		i++
	}
	first := i
	var digits uint64
	for ; i < len(data) && i-first <= exactly && data[i]-'0' <= 9; i++ {
		digits = 10*digits + uint64(data[i]-'0')
	}
	whole := i - first
	if i == len(data) || data[i] != '.' || whole == 0 || whole > 1 && data[first] == '0' {
		return 0, pos, false
	}
	i++
	divisor := 1.0
	for ; i < len(data) && i-first <= exactly && data[i]-'0' <= 9; i++ {
		digits = 10*digits + uint64(data[i]-'0')
		divisor *= 10
	}
	switch {
	case i == len(data), divisor == 1, data[i]-'0' <= 9, data[i]|0x20 == 'e':
		return 0, pos, false
	}
	v = float64(digits) / divisor
	if negative {
		v = -v
	}
	return v, i, true
}
