package json

import (
	"math/big"

	"github.com/pcatdev/pcat/pcore"
)

// number pushes a number: an Integer, a BigInteger beyond 64 bits, or a Float
// when it has a fraction or an exponent.
func (d *decoder) number() error {
	if i, end, ok := shortInteger(d.Data, d.pos); ok {
		d.pos = end
		d.builder.Integer(i)
		return nil
	}
	start := d.pos
	text, integer, err := d.numeral()
	if err != nil {
		return err
	}
	if !integer {
		f, err := d.float(text, start)
		if err != nil {
			return err
		}
		d.builder.Float(f)
		return nil
	}
	i, ok := new(big.Int).SetString(string(text), 10)
	if !ok {
		return syntaxAt(start, "it is no number")
	}
	d.builder.Add(pcore.NewBigInteger(i))
	return nil
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
