package convert

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

func numericConstructor() constructor {
	return constructor{
		name: "new_numeric",
		ways: []way{
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				return newNumeric(args[0], argument(args, 1))
			}, "from", "abs"),
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				h := args[0].(*pcore.Hash)
				return newNumeric(member(h, "from"), member(h, "abs"))
			}, "hash_args"),
		},
		refuse: func(args []pcore.Value) error { return refuseNumber(args, "Numeric") },
	}
}

func floatConstructor() constructor {
	return constructor{
		name: "new_float",
		ways: []way{
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				return newFloat(args[0], argument(args, 1))
			}, "from", "abs"),
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				h := args[0].(*pcore.Hash)
				return newFloat(member(h, "from"), member(h, "abs"))
			}, "hash_args"),
		},
		refuse: func(args []pcore.Value) error { return refuseNumber(args, "Float") },
	}
}

func integerConstructor() constructor {
	return constructor{
		name: "new",
		ways: []way{
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				return newInteger(args[0], argument(args, 1), argument(args, 2))
			}, "from", "radix", "abs"),
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				h := args[0].(*pcore.Hash)
				return newInteger(member(h, "from"), member(h, "radix"), member(h, "abs"))
			}, "hash_args"),
		},
		refuse: refuseInteger,
	}
}

// argument returns the argument at i, or nil if there is none.
func argument(args []pcore.Value, i int) pcore.Value {
	if i >= len(args) {
		return nil
	}
	return args[i]
}

// member returns the value at key, or nil if there is none.
func member(h *pcore.Hash, key string) pcore.Value {
	v, _ := h.GetString(key)
	return v
}

func newNumeric(from, abs pcore.Value) (pcore.Value, error) {
	v, err := numeric(from)
	if err != nil {
		return nil, err
	}
	return absoluteIf(abs, v), nil
}

func numeric(from pcore.Value) (pcore.Value, error) {
	switch from := from.(type) {
	case pcore.Boolean:
		return one(from), nil
	case pcore.Timespan:
		return pcore.Float(spanOf(from).Seconds()), nil
	case pcore.Timestamp:
		return pcore.Float(instantOf(from).Seconds()), nil
	case pcore.String:
		if prefixRadix(string(from)) == 2 {
			return parseInteger(string(from), 0)
		}
		v, ok := pcore.ParseNumber(string(from))
		if !ok {
			return nil, cannot(from, "Numeric")
		}
		return v, nil
	default:
		return from, nil
	}
}

func newFloat(from, abs pcore.Value) (pcore.Value, error) {
	v, err := float(from)
	if err != nil {
		return nil, err
	}
	return absoluteIf(abs, pcore.Float(v)), nil
}

func float(from pcore.Value) (float64, error) {
	switch from := from.(type) {
	case pcore.Boolean:
		return float64(one(from)), nil
	case pcore.Timespan:
		return spanOf(from).Seconds(), nil
	case pcore.Timestamp:
		return instantOf(from).Seconds(), nil
	case pcore.String:
		if prefixRadix(string(from)) == 2 {
			i, err := parseInteger(string(from), 0)
			if err != nil {
				return 0, err
			}
			return rubytext.Float(i)
		}
		return rubytext.ParseFloat(joinSign(string(from)))
	default:
		return rubytext.Float(from)
	}
}

func newInteger(from, radix, abs pcore.Value) (pcore.Value, error) {
	base := 0
	if n, ok := radix.(pcore.Integer); ok {
		base = int(n)
	}
	v, err := integer(from, base)
	if err != nil {
		return nil, err
	}
	return absoluteIf(abs, v), nil
}

func integer(from pcore.Value, radix int) (pcore.Value, error) {
	switch from := from.(type) {
	case pcore.Float:
		i, err := rubytext.Integer(from)
		if err != nil {
			return nil, err
		}
		return pcore.NewBigInteger(i), nil
	case pcore.Boolean:
		return one(from), nil
	case pcore.Timespan:
		return pcore.Integer(from.Seconds()), nil
	case pcore.Timestamp:
		return pcore.Integer(from.Unix()), nil
	case pcore.String:
		return parseInteger(string(from), radix)
	default:
		return from, nil
	}
}

func one(v pcore.Boolean) pcore.Integer {
	if v {
		return 1
	}
	return 0
}

// absoluteIf returns the absolute value of v if abs is true, otherwise v.
func absoluteIf(abs, v pcore.Value) pcore.Value {
	if abs != pcore.Value(pcore.Boolean(true)) {
		return v
	}
	switch v := v.(type) {
	case pcore.Float:
		return pcore.Float(math.Abs(float64(v)))
	case pcore.Integer:
		return pcore.NewBigInteger(new(big.Int).Abs(big.NewInt(int64(v))))
	case pcore.BigInteger:
		return pcore.NewBigInteger(new(big.Int).Abs(v.Big()))
	default:
		return v
	}
}

// rubySpace contains the blanks allowed before and after the sign of a number.
const rubySpace = " \t\n\v\f\r"

// joinSign removes the blanks before a number and after its sign.
func joinSign(text string) string {
	text = strings.TrimLeft(text, rubySpace)
	if text == "" || text[0] != '-' && text[0] != '+' {
		return text
	}
	return text[:1] + strings.TrimLeft(text[1:], rubySpace)
}

// prefixRadix returns the radix of the prefix of digits, or 10 without a
// prefix.
func prefixRadix(digits string) int {
	switch {
	case len(digits) < 2 || digits[0] != '0':
		return 10
	case digits[1] == 'x' || digits[1] == 'X':
		return 16
	case digits[1] == 'b' || digits[1] == 'B':
		return 2
	}
	return 8
}

// maxDigits limits the number of digits of an integer in text, because parsing
// takes quadratic time.
const maxDigits = 1 << 16

// parseInteger parses a text that is known to have the form of an integer. A
// radix of 0 means the radix of the prefix. A prefix is skipped only if it
// matches the radix; otherwise its letter may be a digit.
func parseInteger(text string, radix int) (pcore.Value, error) {
	signed := joinSign(text)
	digits := strings.TrimLeft(signed, "+-")
	if len(digits) > maxDigits {
		return nil, fmt.Errorf("an integer of %d digits is too long", len(digits))
	}
	switch prefix := prefixRadix(digits); {
	case radix != 0 && radix != prefix || prefix == 10:
	case prefix == 8:
		radix = 8
	default:
		digits, radix = digits[2:], prefix
	}
	if radix == 0 {
		radix = 10
	}
	i, ok := new(big.Int).SetString(digits, radix)
	if !ok {
		return nil, fmt.Errorf("invalid value for Integer(): %s", rubytext.Quote(text))
	}
	if signed[0] == '-' {
		i.Neg(i)
	}
	return pcore.NewBigInteger(i), nil
}

// refuseNumber returns the error for a call with one argument of any type, and
// optionally a Boolean.
func refuseNumber(args []pcore.Value, name string) error {
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && !pcore.Is[pcore.Boolean](args[1]) {
		return nil
	}
	return cannot(args[0], name)
}

// refuseInteger returns the error for a call with a hash, or with one argument
// of any type, and optionally an Integer and a Boolean.
func refuseInteger(args []pcore.Value) error {
	if len(args) == 0 || len(args) > 3 {
		return nil
	}
	if h, ok := args[0].(*pcore.Hash); ok && len(args) == 1 {
		return refuseIntegerHash(h)
	}
	if len(args) > 1 {
		radix, ok := args[1].(pcore.Integer)
		if !ok || len(args) > 2 && !pcore.Is[pcore.Boolean](args[2]) {
			return nil
		}
		if err := checkRadix(radix); err != nil {
			return err
		}
	}
	return cannot(args[0], "Integer")
}

func refuseIntegerHash(h *pcore.Hash) error {
	accepts, err := pcore.ConstructorParameters(&pcore.IntegerType{})
	if err != nil {
		return err
	}
	byPosition, byName := accepts[0].Types(), accepts[1].Types()
	if from, ok := h.GetString("from"); ok && !pcore.Contains(byPosition[0], from) {
		return cannot(from, "Integer")
	}
	if radix, ok := member(h, "radix").(pcore.Integer); ok {
		if err := checkRadix(radix); err != nil {
			return err
		}
	}
	if err := pcore.Mismatch("Integer.new has wrong type,", byName[0], h); err != nil {
		return err
	}
	return nil
}

func checkRadix(radix pcore.Integer) error {
	switch radix {
	case 2, 8, 10, 16:
		return nil
	}
	return &argumentError{fmt.Sprintf("Illegal radix: %d, expected 2, 8, 10, 16, or default", radix)}
}

func booleanConstructor() constructor {
	return constructor{
		name: "new_boolean",
		ways: []way{by(newBoolean, "from")},
		refuse: func(args []pcore.Value) error {
			if len(args) != 1 {
				return nil
			}
			return cannot(args[0], "Boolean")
		},
	}
}

func newBoolean(_ *Converter, args []pcore.Value) (pcore.Value, error) {
	switch v := args[0].(type) {
	case pcore.Float:
		return pcore.Boolean(v != 0), nil
	case pcore.Integer:
		return pcore.Boolean(v != 0), nil
	case pcore.BigInteger:
		return pcore.Boolean(true), nil
	case pcore.String:
		switch strings.ToLower(string(v)) {
		case "false", "no", "n":
			return pcore.Boolean(false), nil
		}
		return pcore.Boolean(true), nil
	default:
		return args[0], nil
	}
}
