package json

import (
	"math/big"

	"github.com/pcatdev/pcat/internal/jsonwire"
	"github.com/pcatdev/pcat/pcore"
)

// number pushes a number: an Integer, a BigInteger if it exceeds 64 bits, or a
// Float if it has a fraction or an exponent.
func (d *decoder) number(i int) (end int, err error) {
	switch n, f, end, class := jsonwire.SmallNumber(d.Data, i); class {
	case jsonwire.SmallInteger:
		d.builder.Integer(n)
		return end, nil
	case jsonwire.SmallFloat:
		d.builder.Float(f)
		return end, nil
	case jsonwire.NotSmall:
	}
	d.pos = i
	if !jsonwire.BeginsNumber(d.Data[i]) {
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
		return i, syntaxAt(i, "invalid number")
	}
	d.builder.Add(pcore.NewBigInteger(n))
	return d.pos, nil
}
