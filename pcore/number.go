package pcore

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// numberSyntax matches a number as the language accepts it in text: a
// hexadecimal, octal or decimal integer, or a float. Blanks may surround the
// number and follow its sign.
var numberSyntax = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\A[\p{Zs}\t]*([-+]?)[\p{Zs}\t]*(?:(0[xX][0-9A-Fa-f]+)|(0?\d+)((?:\.\d+)?(?:[eE]-?\d+)?))[\p{Zs}\t]*\z`)
})

// ParseNumber converts text to a number as the language does where it requires
// one: an Integer, octal with a leading 0 and hexadecimal with 0x, or a Float.
// An integer outside 64 bits is a [BigInteger]. ok is false for any other text.
func ParseNumber(text string) (number Value, ok bool) {
	m := numberSyntax().FindStringSubmatch(strings.TrimPrefix(text, "::"))
	if m == nil {
		return nil, false
	}
	if m[4] != "" {
		f, err := strconv.ParseFloat(m[3]+m[4], 64)
		if err != nil {
			return nil, false
		}
		if m[1] == "-" {
			f = -f
		}
		return Float(f), true
	}
	i, ok := new(big.Int).SetString(rubyDigits(m[2] + m[3]))
	if !ok {
		return nil, false
	}
	if m[1] == "-" {
		i.Neg(i)
	}
	return NewBigInteger(i), true
}

// rubyDigits returns digits without their prefix, and the base that it
// indicates.
func rubyDigits(digits string) (string, int) {
	switch {
	case len(digits) > 2 && (digits[1] == 'x' || digits[1] == 'X'):
		return digits[2:], 16
	case len(digits) > 1 && digits[0] == '0':
		return digits[1:], 8
	}
	return digits, 10
}
