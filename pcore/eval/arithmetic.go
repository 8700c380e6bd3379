package eval

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// arithmetic applies an operator to numbers or times. An integer result beyond
// 64 bits is errOverflow. An infinite float is an error, too.
func arithmetic(op syntax.Operator, x, y pcore.Value) (pcore.Value, error) {
	if isTime(x) || isTime(y) {
		return timeArithmetic(op, x, y)
	}
	a, aInt := integer(x)
	b, bInt := integer(y)
	if aInt && bInt {
		return integerArithmetic(op, a, b)
	}
	return floatArithmetic(op, x, y)
}

func isTime(v pcore.Value) bool {
	switch v.(type) {
	case pcore.Timespan, pcore.Timestamp:
		return true
	default:
		return false
	}
}

func integer(v pcore.Value) (*big.Int, bool) {
	switch v := v.(type) {
	case pcore.Integer:
		return big.NewInt(int64(v)), true
	case pcore.BigInteger:
		return v.Big(), true
	default:
		return nil, false
	}
}

func notApplicable(op syntax.Operator, x, y pcore.Value) error {
	return fmt.Errorf("%w: '%s' with %s and %s", ErrOperand, op, typeName(x), typeName(y))
}

var errDivisionByZero = errors.New("division by 0")

func integerArithmetic(op syntax.Operator, a, b *big.Int) (pcore.Value, error) {
	result := new(big.Int)
	switch op {
	case syntax.OpPlus:
		result.Add(a, b)
	case syntax.OpMinus:
		result.Sub(a, b)
	case syntax.OpTimes:
		result.Mul(a, b)
	case syntax.OpDivide, syntax.OpModulo:
		if b.Sign() == 0 {
			return nil, errDivisionByZero
		}
		quotient, rest := floorDivide(a, b)
		result = quotient
		if op == syntax.OpModulo {
			result = rest
		}
	case syntax.OpLeftShift:
		return shift(a, b)
	case syntax.OpRightShift:
		return shift(a, new(big.Int).Neg(b))
	}
	return inRange(result)
}

func inRange(n *big.Int) (pcore.Value, error) {
	if !n.IsInt64() {
		return nil, errOverflow
	}
	return pcore.Integer(n.Int64()), nil
}

// floorDivide rounds the quotient down, so the rest has the sign of b.
func floorDivide(a, b *big.Int) (quotient, rest *big.Int) {
	quotient, rest = new(big.Int).QuoRem(a, b, new(big.Int))
	if rest.Sign() != 0 && rest.Sign() != b.Sign() {
		quotient.Sub(quotient, big.NewInt(1))
		rest.Add(rest, b)
	}
	return quotient, rest
}

// shift shifts a to the left, or to the right if by is negative.
func shift(a, by *big.Int) (pcore.Value, error) {
	const far = 1 << 10 // beyond any bit in the range of results
	n := int64(far)
	if by.IsInt64() {
		n = max(-far, min(far, by.Int64()))
	} else if by.Sign() < 0 {
		n = -far
	}
	if n < 0 {
		return inRange(new(big.Int).Rsh(a, uint(-n)))
	}
	return inRange(new(big.Int).Lsh(a, uint(n)))
}

func float(v pcore.Value) float64 {
	switch v := v.(type) {
	case pcore.Float:
		return float64(v)
	case pcore.Integer:
		return float64(v)
	case pcore.BigInteger:
		f, _ := new(big.Float).SetInt(v.Big()).Float64()
		return f
	default:
		return math.NaN()
	}
}

func floatArithmetic(op syntax.Operator, x, y pcore.Value) (pcore.Value, error) {
	a, b := float(x), float(y)
	var result float64
	switch op {
	case syntax.OpPlus:
		result = a + b
	case syntax.OpMinus:
		result = a - b
	case syntax.OpTimes:
		result = a * b
	case syntax.OpDivide:
		result = a / b
	case syntax.OpLeftShift, syntax.OpRightShift:
		if n, ok := integer(x); ok && !math.IsNaN(b) && !math.IsInf(b, 0) {
			by, _ := big.NewFloat(b).Int(nil)
			return integerArithmetic(op, n, by)
		}
		return nil, notApplicable(op, x, y)
	default:
		return nil, notApplicable(op, x, y)
	}
	return finite(op, result)
}

func finite(op syntax.Operator, f float64) (pcore.Value, error) {
	if math.IsInf(f, 0) {
		return nil, fmt.Errorf("the result of the '%s' expression is Infinity", op)
	}
	return pcore.Float(f), nil
}

func negate(v pcore.Value) (pcore.Value, error) {
	switch v := v.(type) {
	case pcore.Float:
		return -v, nil
	case pcore.Timespan:
		return timespan(new(big.Int).Neg(nanoseconds(v)))
	default:
	}
	n, ok := integer(v)
	if !ok {
		return nil, fmt.Errorf("%w: '-' with %s", ErrOperand, typeName(v))
	}
	return pcore.NewBigInteger(n.Neg(n)), nil // the reference does not limit this result
}

// second is a second in nanoseconds.
const second = 1_000_000_000

func nanoseconds(v pcore.Value) *big.Int {
	switch v := v.(type) {
	case pcore.Timespan:
		return secondsAnd(v.Seconds(), v.Nanosecond())
	case pcore.Timestamp:
		return secondsAnd(v.Unix(), v.Nanosecond())
	default:
		return new(big.Int)
	}
}

func secondsAnd(sec int64, nsec int) *big.Int {
	n := new(big.Int).Mul(big.NewInt(sec), big.NewInt(second))
	return n.Add(n, big.NewInt(int64(nsec)))
}

// split returns the seconds in n nanoseconds, rounded down, and the remainder.
func split(n *big.Int) (sec, nsec int64, err error) {
	q, r := floorDivide(n, big.NewInt(second))
	if !q.IsInt64() {
		return 0, 0, errOverflow
	}
	return q.Int64(), r.Int64(), nil
}

func timespan(n *big.Int) (pcore.Value, error) {
	sec, nsec, err := split(n)
	return pcore.NewTimespan(sec, nsec), err
}

func timestamp(n *big.Int) (pcore.Value, error) {
	sec, nsec, err := split(n)
	return pcore.NewTimestamp(sec, nsec), err
}

// scaled returns n times the number v, truncated to an integer.
func scaled(n *big.Int, v pcore.Value) (*big.Int, bool) {
	if i, ok := integer(v); ok {
		return i.Mul(i, n), true
	}
	f, ok := v.(pcore.Float)
	if !ok || math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
		return nil, false
	}
	product, _ := new(big.Float).SetInt(n).Float64()
	product *= float64(f)
	if math.IsInf(product, 0) {
		return nil, false
	}
	whole, _ := big.NewFloat(product).Int(nil)
	return whole, true
}

// asNanoseconds converts a time, or a number of seconds, to nanoseconds.
func asNanoseconds(v pcore.Value) (*big.Int, bool) {
	if isTime(v) {
		return nanoseconds(v), true
	}
	return scaled(big.NewInt(second), v)
}

func timeArithmetic(op syntax.Operator, x, y pcore.Value) (pcore.Value, error) {
	_, spanRight := y.(pcore.Timespan)
	if !isTime(x) {
		switch {
		case op == syntax.OpPlus, op == syntax.OpTimes && spanRight:
			x, y = y, x
		case op == syntax.OpMinus && spanRight:
			n, ok := asNanoseconds(x)
			if !ok {
				return nil, notApplicable(op, x, y)
			}
			return timespan(n.Sub(n, nanoseconds(y)))
		default:
			return nil, notApplicable(op, x, y)
		}
	}
	switch x := x.(type) {
	case pcore.Timespan:
		return timespanArithmetic(op, x, y)
	case pcore.Timestamp:
		return timestampArithmetic(op, x, y)
	default:
		return nil, notApplicable(op, x, y)
	}
}

func timespanArithmetic(op syntax.Operator, x pcore.Timespan, y pcore.Value) (pcore.Value, error) {
	_, stamp := y.(pcore.Timestamp)
	switch op {
	case syntax.OpPlus:
		n, ok := asNanoseconds(y)
		if !ok {
			break
		}
		if stamp {
			return timestamp(n.Add(n, nanoseconds(x)))
		}
		return timespan(n.Add(n, nanoseconds(x)))
	case syntax.OpMinus:
		if n, ok := asNanoseconds(y); ok && !stamp {
			return timespan(n.Sub(nanoseconds(x), n))
		}
	case syntax.OpTimes:
		if n, ok := scaled(nanoseconds(x), y); ok && !isTime(y) {
			return timespan(n)
		}
	case syntax.OpDivide:
		return divideTimespan(x, y)
	case syntax.OpModulo:
		if n, ok := integer(y); ok {
			return integerArithmetic(op, big.NewInt(x.Seconds()), n)
		}
	}
	return nil, notApplicable(op, x, y)
}

func divideTimespan(x pcore.Timespan, y pcore.Value) (pcore.Value, error) {
	switch y := y.(type) {
	case pcore.Timespan:
		a, _ := new(big.Float).SetInt(nanoseconds(x)).Float64()
		b, _ := new(big.Float).SetInt(nanoseconds(y)).Float64()
		return finite(syntax.OpDivide, a/b)
	case pcore.Integer:
		if y == 0 {
			return nil, errDivisionByZero
		}
		q, _ := floorDivide(nanoseconds(x), big.NewInt(int64(y)))
		return timespan(q)
	case pcore.Float:
		if y == 0 {
			return nil, errDivisionByZero
		}
		n, _ := new(big.Float).SetInt(nanoseconds(x)).Float64()
		q := math.Floor(n / float64(y))
		if math.IsNaN(q) || math.IsInf(q, 0) {
			break
		}
		whole, _ := big.NewFloat(q).Int(nil)
		return timespan(whole)
	default:
	}
	return nil, notApplicable(syntax.OpDivide, x, y)
}

func timestampArithmetic(op syntax.Operator, x pcore.Timestamp, y pcore.Value) (pcore.Value, error) {
	_, stamp := y.(pcore.Timestamp)
	n, ok := asNanoseconds(y)
	switch {
	case !ok:
	case op == syntax.OpPlus && !stamp:
		return timestamp(n.Add(n, nanoseconds(x)))
	case op == syntax.OpMinus && stamp:
		return timespan(n.Sub(nanoseconds(x), n))
	case op == syntax.OpMinus:
		return timestamp(n.Sub(nanoseconds(x), n))
	}
	return nil, notApplicable(op, x, y)
}
