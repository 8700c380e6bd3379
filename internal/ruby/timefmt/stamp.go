package timefmt

import (
	"cmp"
	"errors"
	"math"
	"math/big"
)

// ErrRange is wrapped by the error of a computation or a conversion whose
// result exceeds the range of an [Instant] or a [Span].
var ErrRange = errors.New("the time is out of range")

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
	second = 1_000_000_000 // in nanoseconds
)

// stamp is a count of nanoseconds, as whole seconds rounded down and the
// remainder: half a second before zero is -1 and 500,000,000.
type stamp struct {
	sec  int64
	nsec int32 // 0 to 999,999,999
}

// carried returns the stamp of sec seconds and any number of nanoseconds.
func carried(sec, nsec int64) (stamp, error) {
	carry := nsec / second
	if nsec %= second; nsec < 0 {
		nsec += second
		carry--
	}
	sum := sec + carry
	if (sum > sec) != (carry > 0) && carry != 0 {
		return stamp{}, ErrRange
	}
	return stamp{sum, int32(nsec)}, nil
}

func (s stamp) compare(o stamp) int {
	return cmp.Or(cmp.Compare(s.sec, o.sec), cmp.Compare(s.nsec, o.nsec))
}

// nanoseconds returns the count as an unbounded integer.
func (s stamp) nanoseconds() *big.Int {
	n := big.NewInt(s.sec)
	n.Mul(n, big.NewInt(second))
	return n.Add(n, big.NewInt(int64(s.nsec)))
}

func stampOf(nanoseconds *big.Int) (stamp, error) {
	sec, nsec := new(big.Int).DivMod(nanoseconds, big.NewInt(second), new(big.Int))
	if !sec.IsInt64() {
		return stamp{}, ErrRange
	}
	return stamp{sec.Int64(), int32(nsec.Int64())}, nil
}

func (s stamp) add(o stamp) (stamp, error) {
	sum := s.sec + o.sec
	if (s.sec < 0) == (o.sec < 0) && (sum < 0) != (s.sec < 0) {
		// Only the sum of two negative seconds can return to the range, by a
		// carry of one.
		return stampOf(new(big.Int).Add(s.nanoseconds(), o.nanoseconds()))
	}
	return carried(sum, int64(s.nsec)+int64(o.nsec))
}

func (s stamp) sub(o stamp) (stamp, error) {
	return stampOf(new(big.Int).Sub(s.nanoseconds(), o.nanoseconds()))
}

// float returns the count in seconds.
func (s stamp) float() float64 { return quotient(s.nanoseconds(), big.NewInt(second)) }

// quotient returns n/d rounded as in Ruby's fdiv: after reduction, either
// rounded once or, if d has few enough digits, rounded before and after the
// division. d must not be zero.
func quotient(n, d *big.Int) float64 {
	r := new(big.Rat).SetFrac(n, d)
	if n, d = r.Num(), r.Denom(); isFixnum(d) && (!isFixnum(n) || d.BitLen() <= 53) {
		dividend, _ := new(big.Float).SetInt(n).Float64()
		divisor, _ := new(big.Float).SetInt(d).Float64()
		return dividend / divisor
	}
	f, _ := r.Float64()
	return f
}

// isFixnum reports whether Ruby stores n in a machine word.
func isFixnum(n *big.Int) bool { return n.BitLen() <= 62 }

// ofFloat returns the stamp of f seconds. The nanoseconds are f × 10⁹ in
// floating point, truncated.
func ofFloat(f float64) (stamp, error) {
	f *= second
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return stamp{}, ErrRange
	}
	n, _ := big.NewFloat(f).Int(nil)
	return stampOf(n)
}
