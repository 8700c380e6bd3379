package stdlib

import (
	"errors"
	"math"
	"math/big"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func numberFunctions() []function.Function {
	return []function.Function{
		{
			Name: "abs",
			Doc:  "Returns a number without its sign.",
			Dispatches: []function.Dispatch{
				on("Numeric val", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) { return abs(args[0]), nil }),
				on("String val", absText),
			},
		},
		{
			Name: "ceiling",
			Doc:  "Returns the least integer that is not below a number.",
			Dispatches: []function.Dispatch{
				on("Numeric val", rounded(math.Ceil)),
				on("String val", roundedText("ceiling", math.Ceil)),
			},
		},
		{
			Name: "floor",
			Doc:  "Returns the greatest integer that is not above a number.",
			Dispatches: []function.Dispatch{
				on("Numeric val", rounded(math.Floor)),
				on("String val", roundedText("floor", math.Floor)),
			},
		},
		{
			Name:       "round",
			Doc:        "Returns the integer that is nearest to a number; a half is rounded away from 0.",
			Dispatches: one("Numeric val", round),
		},
	}
}

func abs(v pcore.Value) pcore.Value {
	switch v := v.(type) {
	case pcore.Float:
		return pcore.Float(math.Abs(float64(v)))
	case pcore.BigInteger:
		return pcore.NewBigInteger(new(big.Int).Abs(v.Big()))
	case pcore.Integer:
		if v == math.MinInt64 {
			return pcore.NewBigInteger(new(big.Int).Abs(big.NewInt(math.MinInt64)))
		}
		return max(v, -v)
	default:
		return v
	}
}

// absText returns the absolute value of the decimal number in a text.
func absText(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	deprecated(c, "The abs() function's auto conversion of String to Numeric is deprecated - change to convert input before calling")
	s := str(args[0])
	whole, fraction, hasPoint := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if !areDigits(whole) || hasPoint && !areDigits(fraction) {
		return nil, errors.New("Requires float or integer to work with - was given non decimal string") //nolint:staticcheck // the reference's words
	}
	if !hasPoint {
		n, _ := new(big.Int).SetString(whole, 10)
		return pcore.NewBigInteger(n), nil
	}
	f, err := rubytext.ParseFloat(s)
	return pcore.Float(math.Abs(f)), err
}

func areDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func rounded(f func(float64) float64) function.Implementation {
	return func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
		x, ok := args[0].(pcore.Float)
		if !ok {
			return args[0], nil
		}
		return wholeNumber(f(float64(x)))
	}
}

func roundedText(name string, f func(float64) float64) function.Implementation {
	return func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
		deprecated(c, "The "+name+"() function's auto conversion of String to Float is deprecated - change to convert input before calling")
		x, err := rubytext.ParseFloat(str(args[0]))
		if err != nil {
			return nil, errors.New("cannot convert given value to a floating point value.") //nolint:staticcheck,revive // the reference's words
		}
		return wholeNumber(f(x))
	}
}

// round adds one half and truncates, in floating point even for integers.
func round(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	x, err := rubytext.Float(args[0])
	if err != nil {
		return nil, err
	}
	if x > 0 {
		return wholeNumber(math.Trunc(x + 0.5))
	}
	return wholeNumber(math.Trunc(x - 0.5))
}

// wholeNumber converts a float without a fraction to an integer.
func wholeNumber(x float64) (pcore.Value, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, errors.New(pcore.Float(x).String() + " is no integer")
	}
	n, _ := big.NewFloat(x).Int(nil)
	return pcore.NewBigInteger(n), nil
}
