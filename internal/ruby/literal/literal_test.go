package literal_test

import (
	"math"
	"testing"

	"github.com/pcatdev/pcat/internal/ruby/literal"
)

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
		if got := string(literal.AppendFloat(nil, c.f)); got != c.want {
			t.Errorf("%v: %s, want %s", c.f, got, c.want)
		}
	}
}
