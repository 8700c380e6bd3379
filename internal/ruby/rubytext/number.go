package rubytext

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Integer converts v as Ruby's Kernel#Integer does: it truncates floats, and
// parses texts with [ParseInteger]. Other values are an error.
func Integer(v pcore.Value) (*big.Int, error) {
	switch v := v.(type) {
	case pcore.Float:
		x := float64(v)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%s", v.String())
		}
		n, _ := big.NewFloat(x).Int(nil)
		return n, nil
	case pcore.String:
		return ParseInteger(string(v))
	default:
		if n, ok := wholeNumber(v); ok {
			return n, nil
		}
		return nil, fmt.Errorf("can't convert %s into Integer", describe(v))
	}
}

// Float converts v as Ruby's Kernel#Float does: it parses texts with
// [ParseFloat]. Values other than numbers and texts are an error.
func Float(v pcore.Value) (float64, error) {
	switch v := v.(type) {
	case pcore.Float:
		return float64(v), nil
	case pcore.Integer:
		return float64(v), nil
	case pcore.BigInteger:
		x, _ := new(big.Float).SetInt(v.Big()).Float64()
		return x, nil
	case pcore.String:
		return ParseFloat(string(v))
	default:
		return 0, fmt.Errorf("can't convert %s into Float", describe(v))
	}
}

// implicitInteger converts v where Ruby requires a number.
func implicitInteger(v pcore.Value) (int64, error) {
	switch v := v.(type) {
	case pcore.Integer:
		return int64(v), nil
	case pcore.Float:
		x := math.Trunc(float64(v))
		if x < math.MinInt64 || x >= math.MaxInt64 || x != x {
			return 0, fmt.Errorf("float %.10g out of range of integer", x)
		}
		return int64(x), nil
	case pcore.BigInteger:
		return 0, errors.New("bignum too big to convert into `long'")
	case pcore.Undef:
		return 0, errors.New("no implicit conversion from nil to integer")
	default:
		return 0, fmt.Errorf("no implicit conversion of %s into Integer", describe(v))
	}
}

// fitsInt returns an error for a number that does not fit C's int.
func fitsInt(n int64) error {
	switch {
	case n > math.MaxInt32:
		return fmt.Errorf("integer %d too big to convert to `int'", n)
	case n < math.MinInt32:
		return fmt.Errorf("integer %d too small to convert to `int'", n)
	default:
		return nil
	}
}

func wholeNumber(v pcore.Value) (*big.Int, bool) {
	switch v := v.(type) {
	case pcore.Integer:
		return big.NewInt(int64(v)), true
	case pcore.BigInteger:
		return v.Big(), true
	default:
		return nil, false
	}
}

// describe returns the name of a value in an error: its text if that reveals no
// content, otherwise its kind.
func describe(v pcore.Value) string {
	switch v := v.(type) {
	case pcore.Undef:
		return "nil"
	case pcore.Boolean:
		return v.String()
	default:
		return pcore.KindOf(v).String()
	}
}

// ParseInteger parses s as Ruby's Kernel#Integer does: with blanks around it, a
// sign, a radix prefix 0b, 0o, 0, 0d or 0x, and single underscores between
// digits.
func ParseInteger(s string) (*big.Int, error) {
	t := trimSpace(s)
	negative := false
	if t != "" && (t[0] == '+' || t[0] == '-') {
		negative = t[0] == '-'
		t = t[1:]
	}
	base, digits := splitRadix(t)
	plain, ok := withoutUnderscores(digits)
	if ok {
		if n, ok := new(big.Int).SetString(plain, base); ok && isAlnum(plain[0]) {
			if negative {
				n.Neg(n)
			}
			return n, nil
		}
	}
	return nil, fmt.Errorf("invalid value for Integer(): %s", Quote(s))
}

func splitRadix(s string) (base int, digits string) {
	if len(s) < 2 || s[0] != '0' {
		return 10, s
	}
	switch s[1] {
	case 'b', 'B':
		return 2, s[2:]
	case 'o', 'O':
		return 8, s[2:]
	case 'd', 'D':
		return 10, s[2:]
	case 'x', 'X':
		return 16, s[2:]
	case '_':
		return 8, s[2:]
	default:
		return 8, s[1:]
	}
}

// withoutUnderscores removes the underscores from digits; each must be between
// two digits.
func withoutUnderscores(digits string) (string, bool) {
	if digits == "" || digits[0] == '_' || digits[len(digits)-1] == '_' || strings.Contains(digits, "__") {
		return "", false
	}
	return strings.ReplaceAll(digits, "_", ""), true
}

// ParseFloat parses s as Ruby's Kernel#Float does: with blanks around it,
// decimal or hexadecimal, with digits on both sides of a point, and single
// underscores between digits.
func ParseFloat(s string) (float64, error) {
	t := trimSpace(s)
	if !isFloatText(t) {
		return 0, fmt.Errorf("invalid value for Float(): %s", Quote(s))
	}
	t = strings.ReplaceAll(t, "_", "")
	if strings.ContainsAny(t, "xX") && !strings.ContainsAny(t, "pP") {
		t += "p0" // Go requires the exponent
	}
	x, err := strconv.ParseFloat(t, 64)
	if err != nil && !math.IsInf(x, 0) {
		return 0, fmt.Errorf("invalid value for Float(): %s", Quote(s))
	}
	return x, nil
}

func isFloatText(s string) bool {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "+"), "-")
	digit, mark := isDigit, "eE"
	if len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		digit, mark, s = isHexDigit, "pP", s[2:]
	}
	mantissa, exponent, hasExponent := cutAny(s, mark)
	whole, fraction, hasPoint := strings.Cut(mantissa, ".")
	switch {
	case hasPoint && !areDigits(fraction, digit),
		hasPoint && whole == "" && mark == "pP",
		!(hasPoint && whole == "") && !areDigits(whole, digit):
		return false
	}
	exponent = strings.TrimPrefix(strings.TrimPrefix(exponent, "+"), "-")
	return !hasExponent || areDigits(exponent, isDigit)
}

func areDigits(s string, digit func(byte) bool) bool {
	plain, ok := withoutUnderscores(s)
	for i := range len(plain) {
		ok = ok && digit(plain[i])
	}
	return ok
}

func cutAny(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isHexDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
func isAlnum(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

func trimSpace(s string) string { return strings.Trim(s, " \t\n\v\f\r") }
