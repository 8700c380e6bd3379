package pcore_test

import (
	"math"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

func TestString(t *testing.T) {
	for _, c := range []struct {
		v    pcore.Value
		want string
	}{
		{pcore.Undef{}, "undef"},
		{pcore.Default{}, "default"},
		{pcore.Boolean(true), "true"},
		{pcore.Integer(-5), "-5"},
		{pcore.String("it's"), `'it\'s'`},
		{pcore.String(`a\b`), `'a\b'`},
		{pcore.String(`a\`), `'a\'`},
		{pcore.String("a$\n\x01\""), `"a\$\n\u{1}\""`},
		{pcore.NewRegexp(`/a\/b`), `/\/a\/b/`},
		{pcore.NewBinaryString("\xff"), `Binary("/w==")`},
		{pcore.NewTimestamp(0, 0), "Timestamp('1970-01-01T00:00:00.000000000 UTC')"},
		{pcore.NewTimestamp(-1, 5e8), "Timestamp('1969-12-31T23:59:59.500000000 UTC')"},
		{pcore.NewTimespan(93784, 5e6), "Timespan('1-02:03:04.005')"},
		{pcore.NewTimespan(0, -5e8), "Timespan('-0-00:00:00.5')"},
		{pcore.NewTimespan(math.MinInt64, 0), "Timespan('-106751991167300-15:30:08.0')"},
	} {
		if got := c.v.String(); got != c.want {
			t.Errorf("String() = %s, want %s", got, c.want)
		}
	}
}

// The expected texts are printed by Ruby.
func TestAppendFloat(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want string
	}{
		{0, "0.0"}, {math.Copysign(0, -1), "-0.0"}, {1, "1.0"}, {-2.5, "-2.5"},
		{1e14, "100000000000000.0"}, {1e15, "1.0e+15"}, {999999999999999.9, "999999999999999.9"},
		{1000007629394531.25, "1000007629394531.2"}, {-4503599627370495.5, "-4503599627370495.5"},
		{4503599627370497, "4.503599627370497e+15"}, {9999999999999998, "9.999999999999998e+15"}, {1e16, "1.0e+16"},
		{123456789012345680.0, "1.2345678901234568e+17"}, {1e100, "1.0e+100"},
		{0.0001, "0.0001"}, {0.00001234, "1.234e-05"}, {1e-5, "1.0e-05"}, {5e-324, "5.0e-324"},
		{math.NaN(), "NaN"}, {math.Inf(-1), "-Infinity"},
	} {
		if got := string(pcore.AppendFloat(nil, c.f)); got != c.want {
			t.Errorf("%v: %s, want %s", c.f, got, c.want)
		}
	}
}
