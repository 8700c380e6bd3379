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
