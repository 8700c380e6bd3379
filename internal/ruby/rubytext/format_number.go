package rubytext

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

func (f *formatter) integer(d *directive, c byte) error {
	v, err := f.argument(d)
	if err != nil {
		return err
	}
	n, err := Integer(v)
	if err != nil {
		return err
	}
	base, prefix := radix(d, c)
	signed := base == 10 || d.plus || d.space
	var sign string
	var dots bool
	var fill byte = '0'
	digits := new(big.Int).Abs(n).Text(base)
	switch {
	case n.Sign() < 0 && !signed:
		dots = true
		digits, fill = complement(n, base)
	case n.Sign() < 0:
		sign = "-"
	case d.plus && signed:
		sign = "+"
	case d.space && signed:
		sign = " "
	}
	if c == 'X' {
		digits = strings.ToUpper(digits)
		if fill == 'f' {
			fill = 'F'
		}
	}
	return f.digitsOf(d, sign, prefix, dots, fill, digits)
}

func radix(d *directive, c byte) (base int, prefix string) {
	switch c {
	case 'o':
		base, prefix = 8, "0"
	case 'x', 'X':
		base, prefix = 16, "0"+string(c)
	case 'b', 'B':
		base, prefix = 2, "0"+string(c)
	default:
		base = 10
	}
	if !d.sharp {
		prefix = ""
	}
	return base, prefix
}

// digitsOf writes an integer from its parts.
func (f *formatter) digitsOf(d *directive, sign, prefix string, dots bool, fill byte, digits string) error {
	width, prec := d.width-len(sign), d.prec
	zero := digits == "0"
	switch {
	case prefix == "0" && dots, prefix == "0" && d.hasPrec && prec > len(digits):
		prefix = ""
	case prefix == "0" && zero:
		digits = ""
		if d.hasPrec {
			prec--
		}
	case zero:
		prefix = ""
	}
	width -= len(prefix)
	if dots {
		width -= 2
		if d.hasPrec {
			prec -= 2
		}
	}
	if d.zero && !d.minus && !d.hasPrec {
		prec, width = width, 0
	} else {
		if zero && d.hasPrec && d.prec == 0 && prefix == "" {
			digits = ""
		}
		if prec = max(prec, len(digits)); !d.hasPrec {
			prec = len(digits)
		}
		width -= prec
	}
	if !d.minus {
		if err := f.fill(' ', width); err != nil {
			return err
		}
		width = 0
	}
	f.out = append(append(f.out, sign...), prefix...)
	if dots {
		f.out = append(f.out, ".."...)
	}
	if err := f.fill(fill, prec-len(digits)); err != nil {
		return err
	}
	f.out = append(f.out, digits...)
	return f.fill(' ', width)
}

// complement returns the digits of a negative number in complement notation,
// which repeats one digit infinitely to the left: the digit once, followed by
// the other digits. It also returns the repeating digit.
func complement(n *big.Int, base int) (digits string, fill byte) {
	bits := map[int]uint{2: 1, 8: 3, 16: 4}[base]
	fill = map[int]byte{2: '1', 8: '7', 16: 'f'}[base]
	count := (uint(n.BitLen())/bits + 1)
	modulus := new(big.Int).Lsh(big.NewInt(1), count*bits)
	digits = modulus.Add(modulus, n).Text(base)
	digits = strings.Repeat("0", int(count)-len(digits)) + digits
	return string(fill) + strings.TrimLeft(digits, string(fill)), fill
}

func (f *formatter) float(d *directive, c byte) error {
	v, err := f.argument(d)
	if err != nil {
		return err
	}
	if n, ok := wholeNumber(v); ok && c == 'f' {
		return f.wholeFloat(d, n)
	}
	x, err := Float(v)
	if err != nil {
		return err
	}
	sign := ""
	switch {
	case math.Signbit(x) && !math.IsNaN(x):
		sign = "-"
		x = -x
	case d.plus:
		sign = "+"
	case d.space:
		sign = " "
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return f.padded(&directive{hasWidth: d.hasWidth, width: d.width, minus: d.minus}, sign, "", strings.TrimLeft(strconv.FormatFloat(x, 'f', -1, 64), "+"))
	}
	if d.prec > MaxFormat {
		return fmt.Errorf("the formatted text is longer than %d bytes", MaxFormat)
	}
	prec := 6
	if d.hasPrec {
		prec = d.prec
	}
	switch c {
	case 'a', 'A':
		return f.hexFloat(d, c, sign, x)
	case 'g', 'G':
		return f.padded(d, sign, "", general(x, prec, c, d.sharp))
	default:
		s := strconv.FormatFloat(x, c, prec, 64)
		if d.sharp && prec == 0 {
			s = withPoint(s)
		}
		return f.padded(d, sign, "", s)
	}
}

// padded writes a sign, a prefix and digits, padded to the width of d.
func (f *formatter) padded(d *directive, sign, prefix, digits string) error {
	fill := d.width - len(sign) - len(prefix) - len(digits)
	if !d.minus && !d.zero {
		if err := f.fill(' ', fill); err != nil {
			return err
		}
	}
	f.out = append(append(f.out, sign...), prefix...)
	if !d.minus && d.zero {
		if err := f.fill('0', fill); err != nil {
			return err
		}
	}
	f.out = append(f.out, digits...)
	if d.minus {
		return f.fill(' ', fill)
	}
	return nil
}

// wholeFloat writes an integer with %f: exactly, regardless of its size.
func (f *formatter) wholeFloat(d *directive, n *big.Int) error {
	sign := ""
	switch {
	case n.Sign() < 0:
		sign = "-"
	case d.plus:
		sign = "+"
	case d.space:
		sign = " "
	}
	prec := 6
	if d.hasPrec {
		prec = d.prec
	}
	if prec > MaxFormat {
		return fmt.Errorf("the formatted text is longer than %d bytes", MaxFormat)
	}
	digits := new(big.Int).Abs(n).String()
	if prec > 0 {
		digits += "." + strings.Repeat("0", prec)
	}
	return f.padded(d, sign, "", digits)
}

// general formats x as C's %g: the shorter of %e and %f, without trailing zeros
// unless sharp is set.
func general(x float64, prec int, c byte, sharp bool) string {
	prec = max(prec, 1)
	e := strconv.FormatFloat(x, 'e', prec-1, 64)
	exponent, _ := strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	if exponent >= -4 && exponent < prec {
		s := strconv.FormatFloat(x, 'f', prec-1-exponent, 64)
		if sharp {
			return withPoint(s)
		}
		return trimFraction(s)
	}
	mantissa, tail, _ := strings.Cut(e, "e")
	if sharp {
		mantissa = withPoint(mantissa)
	} else {
		mantissa = trimFraction(mantissa)
	}
	mark := "e"
	if c == 'G' {
		mark = "E"
	}
	return mantissa + mark + tail
}

// hexFloat formats x as C's %a.
func (f *formatter) hexFloat(d *directive, c byte, sign string, x float64) error {
	prec := -1
	if d.hasPrec {
		prec = d.prec
	}
	s := strconv.FormatFloat(x, 'x', prec, 64)
	mantissa, exponent, _ := strings.Cut(s[2:], "p")
	if d.sharp {
		mantissa = withPoint(mantissa)
	}
	// Go writes at least two digits of the exponent, C at least one.
	digits := strings.TrimLeft(exponent[1:], "0")
	if digits == "" {
		digits = "0"
	}
	s = mantissa + "p" + exponent[:1] + digits
	prefix := "0x"
	if c == 'A' {
		s, prefix = strings.ToUpper(s), "0X"
	}
	return f.padded(d, sign, prefix, s)
}

func withPoint(s string) string {
	if strings.Contains(s, ".") {
		return s
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		return s[:i] + "." + s[i:]
	}
	return s + "."
}

func trimFraction(s string) string {
	if strings.Contains(s, ".") {
		return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}
