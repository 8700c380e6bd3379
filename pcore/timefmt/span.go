package timefmt

import (
	"math"
	"math/big"
	"strings"
)

// A Span is a length of time, which may be negative: seconds and nanoseconds. It
// covers some 292 billion years either way. Two are the same when they are equal
// with ==. The zero value is no time.
type Span struct{ stamp stamp }

// NewSpan returns the length of sec seconds and nsec nanoseconds. Each may be any
// number. The error is [ErrRange].
func NewSpan(sec, nsec int64) (Span, error) {
	s, err := carried(sec, nsec)
	return Span{s}, err
}

// SpanFromSeconds returns the length of f seconds, as Timespan(1.5) is. The error is
// [ErrRange], also for what is not a number.
func SpanFromSeconds(f float64) (Span, error) {
	s, err := ofFloat(f)
	return Span{s}, err
}

// Fields are the parts of which a Timespan can be made, by position or from a hash. Each
// may be any number, negative too.
type Fields struct {
	Negative                                bool // reverses the sign of the sum
	Days, Hours, Minutes, Seconds           int64
	Milliseconds, Microseconds, Nanoseconds int64
}

// Span returns the sum of the fields. The error is [ErrRange].
func (f Fields) Span() (Span, error) {
	total := new(big.Int)
	for _, part := range []struct{ count, perNext int64 }{
		{f.Days, 24}, {f.Hours, 60}, {f.Minutes, 60}, {f.Seconds, 1000},
		{f.Milliseconds, 1000}, {f.Microseconds, 1000}, {f.Nanoseconds, 1},
	} {
		total.Add(total, big.NewInt(part.count))
		total.Mul(total, big.NewInt(part.perNext))
	}
	if f.Negative {
		total.Neg(total)
	}
	s, err := stampOf(total)
	return Span{s}, err
}

// Whole returns the whole seconds, rounded down: -1 for minus half a second.
func (d Span) Whole() int64 { return d.stamp.sec }

// Nanosecond returns the nanoseconds above [Span.Whole], 0 to 999,999,999.
func (d Span) Nanosecond() int { return int(d.stamp.nsec) }

// Seconds returns the length as Puppet converts a Timespan to a Float.
func (d Span) Seconds() float64 { return d.stamp.float() }

// IsNegative reports whether the length is below zero.
func (d Span) IsNegative() bool { return d.stamp.sec < 0 }

// Compare returns -1, 0 or 1 as d is below, the same as or above e.
func (d Span) Compare(e Span) int { return d.stamp.compare(e.stamp) }

// Neg returns -d. The error is [ErrRange].
func (d Span) Neg() (Span, error) { return Span{}.Sub(d) }

// Add returns d+e. The error is [ErrRange].
func (d Span) Add(e Span) (Span, error) {
	s, err := d.stamp.add(e.stamp)
	return Span{s}, err
}

// Sub returns d-e. The error is [ErrRange].
func (d Span) Sub(e Span) (Span, error) {
	s, err := d.stamp.sub(e.stamp)
	return Span{s}, err
}

// Mul returns d×n. The error is [ErrRange].
func (d Span) Mul(n int64) (Span, error) {
	return spanOf(new(big.Int).Mul(d.stamp.nanoseconds(), big.NewInt(n)))
}

// MulFloat returns d×f: the nanoseconds multiplied in float arithmetic, and truncated.
// The error is [ErrRange], also for what is not a number.
func (d Span) MulFloat(f float64) (Span, error) {
	return spanOfFloat(math.Trunc(d.floatNanoseconds() * f))
}

// Div returns d÷n, rounded down to the nanosecond. The error is [ErrRange], also for n = 0.
func (d Span) Div(n int64) (Span, error) {
	if n == 0 {
		return Span{}, ErrRange
	}
	by, rest := big.NewInt(n), new(big.Int)
	result, _ := new(big.Int).DivMod(d.stamp.nanoseconds(), by, rest)
	if n < 0 && rest.Sign() != 0 {
		result.Sub(result, big.NewInt(1)) // Euclidean division leaves a positive rest
	}
	return spanOf(result)
}

// DivFloat returns d÷f: the nanoseconds divided in float arithmetic, and rounded down.
// The error is [ErrRange], also for f = 0.
func (d Span) DivFloat(f float64) (Span, error) {
	return spanOfFloat(math.Floor(d.floatNanoseconds() / f))
}

// Ratio returns how many times e goes into d, not a number or infinite when e is zero.
func (d Span) Ratio(e Span) float64 {
	if e == (Span{}) {
		return d.Seconds() / 0
	}
	return quotient(d.stamp.nanoseconds(), e.stamp.nanoseconds())
}

func (d Span) floatNanoseconds() float64 {
	f, _ := new(big.Float).SetInt(d.stamp.nanoseconds()).Float64()
	return f
}

func spanOf(nanoseconds *big.Int) (Span, error) {
	s, err := stampOf(nanoseconds)
	return Span{s}, err
}

func spanOfFloat(nanoseconds float64) (Span, error) {
	if math.IsNaN(nanoseconds) || math.IsInf(nanoseconds, 0) {
		return Span{}, ErrRange
	}
	n, _ := big.NewFloat(nanoseconds).Int(nil)
	return spanOf(n)
}

// magnitude returns the length without its sign.
func (d Span) magnitude() (sec uint64, nsec int64) {
	if d.stamp.sec >= 0 {
		return uint64(d.stamp.sec), int64(d.stamp.nsec)
	}
	sec, nsec = -uint64(d.stamp.sec), int64(d.stamp.nsec)
	if nsec > 0 {
		sec, nsec = sec-1, second-nsec
	}
	return sec, nsec
}

// String returns the default form of a Timespan: days, hours, minutes, seconds and the
// fraction without the zeros at its end, "1-02:03:04.005".
//
// Puppet writes this form with the format %D-%H:%M:%S.%-N, which drops the zeros at the
// begin of the fraction too: its 5 milliseconds, and its text for them on the wire, are
// "0-00:00:00.5", half a second. Here [ParseSpan] reads back what String returns. A format
// that is given explicitly behaves as Puppet's; see [SpanFormat.Format].
func (d Span) String() string { return string(d.AppendText(make([]byte, 0, 32))) }

// AppendText appends what [Span.String] returns to dst.
func (d Span) AppendText(dst []byte) []byte {
	if d.IsNegative() {
		dst = append(dst, '-')
	}
	sec, nsec := d.magnitude()
	dst = appendInt(dst, int64(sec/day), '0', 1)
	dst = appendInt(append(dst, '-'), int64(sec/hour%24), '0', 2)
	dst = appendInt(append(dst, ':'), int64(sec/minute%60), '0', 2)
	dst = appendInt(append(dst, ':'), int64(sec%60), '0', 2)
	fraction := strings.TrimRight(string(appendInt(nil, nsec, '0', 9)), "0")
	if fraction == "" {
		fraction = "0"
	}
	return append(append(dst, '.'), fraction...)
}
