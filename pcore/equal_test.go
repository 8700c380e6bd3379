package pcore_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

func TestEqualAndIdentical(t *testing.T) {
	str := func(s string) pcore.Value { return pcore.String(s) }
	arr := func(v ...pcore.Value) pcore.Value { return pcore.NewArray(v...) }
	hash := func(k, v pcore.Value) pcore.Value { return pcore.NewHash(pcore.Entry{Key: k, Value: v}) }
	huge := pcore.NewBigInteger(new(big.Int).Lsh(big.NewInt(1), 64))
	for _, c := range []struct {
		a, b             pcore.Value
		equal, identical bool
	}{
		{str("a"), str("A"), true, false},
		{str("é"), str("É"), false, false},
		{pcore.Integer(1), pcore.Float(1), true, false},
		{pcore.Integer(math.MaxInt64), pcore.Float(math.MaxInt64), false, false},
		{huge, pcore.Float(math.Ldexp(1, 64)), true, false},
		{huge, pcore.NewBigInteger(new(big.Int).Lsh(big.NewInt(1), 64)), true, true},
		{pcore.Float(0), pcore.Float(math.Copysign(0, -1)), true, true},
		{pcore.Float(math.NaN()), pcore.Float(math.NaN()), false, false},
		{pcore.Undef{}, pcore.Boolean(false), false, false},
		{pcore.Undef{}, pcore.Undef{}, true, true},
		{arr(str("x"), str("Y")), arr(str("X"), str("y")), true, false},
		{arr(str("x")), arr(str("x"), str("x")), false, false},
		{hash(str("k"), str("V")), hash(str("k"), str("v")), true, false},
		{hash(str("k"), str("v")), hash(str("K"), str("v")), false, false},
		{pcore.NewSensitive(str("a")), pcore.NewSensitive(str("a")), true, true},
		{pcore.NewSensitive(str("a")), pcore.NewSensitive(str("A")), false, false},
		{pcore.NewSensitive(str("a")), str("a"), false, false},
		{pcore.NewTimestamp(1, 0), pcore.NewTimestamp(0, 1e9), true, true},
		{pcore.NewTimespan(-1, 0), pcore.NewTimespan(0, -1e9), true, true},
		{pcore.NewBinaryString("a"), pcore.NewBinary([]byte("a")), true, true},
		{pcore.NewRegexp("a"), pcore.NewRegexp("a"), true, true},
		{pcore.NewDeferred("f", nil), pcore.NewDeferred("f", pcore.NewArray()), false, false},
	} {
		if got := pcore.Equal(c.a, c.b); got != c.equal {
			t.Errorf("Equal(%v, %v) = %v", c.a, c.b, got)
		}
		if got := pcore.Equal(c.b, c.a); got != c.equal {
			t.Errorf("Equal(%v, %v) = %v", c.b, c.a, got)
		}
		if got := pcore.Identical(c.a, c.b); got != c.identical {
			t.Errorf("Identical(%v, %v) = %v", c.a, c.b, got)
		}
	}
}
