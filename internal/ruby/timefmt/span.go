package timefmt

import (
	"math"
	"math/big"
	"strings"
)

// Span is a length of time in seconds and nanoseconds, possibly negative. It
// covers about 292 billion years in either direction. Spans are comparable with
// ==. The zero value is a length of 0.
type Span struct{ stamp stamp }

// NewSpan returns a length of sec seconds and nsec nanoseconds. Each may be any
// number. The error is [ErrRange].
func NewSpan(sec, nsec int64) (Span, error) {
	s, err := carried(sec, nsec)
	return Span{s}, err
}

// SpanFromSeconds returns a length of f seconds, as Timespan(1.5) does. The
// error is [ErrRange], also if f is NaN.
func SpanFromSeconds(f float64) (Span, error) {
	s, err := ofFloat(f)
	return Span{s}, err
}

// Fields are the components of a new Timespan, given by position or in a hash.
// Each may be any number, also a negative one.
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

// Seconds returns the length, rounded as in Puppet's conversion of a Timespan
// to a Float.
func (d Span) Seconds() float64 { return d.stamp.float() }

// IsNegative reports whether the length is negative.
func (d Span) IsNegative() bool { return d.stamp.sec < 0 }

// Compare returns -1, 0 or 1 if d is less than, equal to or greater than e.
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

// MulFloat returns d×f: the nanoseconds multiplied in floating point, and
// truncated. The error is [ErrRange], also if the result is NaN.
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
		result.Sub(result, big.NewInt(1)) // the remainder of Euclidean division is not negative
	}
	return spanOf(result)
}

// DivFloat returns d÷f: the nanoseconds divided in floating point, and rounded
// down. The error is [ErrRange], also if f is 0.
func (d Span) DivFloat(f float64) (Span, error) {
	return spanOfFloat(math.Floor(d.floatNanoseconds() / f))
}

// Ratio returns d÷e. It is NaN or infinite if e is 0.
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

// magnitude returns the absolute value of the length.
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

// String returns d in the default format of a Timespan: days, hours, minutes,
// seconds and the fraction without trailing zeros, such as "1-02:03:04.005".
//
// Puppet uses the format %D-%H:%M:%S.%-N here, which also drops the leading
// zeros of the fraction: it prints and serializes 5 milliseconds as
// "0-00:00:00.5", half a second. Here [ParseSpan] restores the value from the
// result of String. An explicit format behaves as in Puppet; see
// [SpanFormat.Format].
func (d Span) String() string { return string(d.AppendText(make([]byte, 0, 32))) }

// AppendText appends the result of [Span.String] to dst.
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
