package pcore

import "github.com/pcatdev/pcat/internal/ruby/timefmt"

// Timespan is a duration in nanoseconds, which may be negative. It is stored as
// seconds and a fraction. The zero value is a duration of zero.
type Timespan struct{ d timefmt.Span }

// NewTimespan returns a duration of sec seconds and nsec nanoseconds. nsec may
// be any number, also negative; the excess is carried into the seconds. A
// duration out of range becomes the nearest valid one.
func NewTimespan(sec, nsec int64) Timespan {
	d, err := timefmt.NewSpan(sec, nsec)
	if err != nil {
		d, _ = timefmt.NewSpan(furthest(sec), 0)
	}
	return Timespan{d}
}

// parseTimespan parses a duration in one of the default formats of the
// reference implementation, which include the wire form of the value.
func parseTimespan(text string) (Timespan, error) {
	d, err := timefmt.ParseSpan(text)
	return Timespan{d}, err
}

// timespanFrom converts a bound of a Timespan type: a Timespan, its text, or a
// number of seconds. Other values, invalid texts, and numbers out of range are
// errors.
func timespanFrom(v Value) (Timespan, error) {
	switch v := v.(type) {
	case Timespan:
		return v, nil
	case String:
		return parseTimespan(string(v))
	case Integer:
		return NewTimespan(int64(v), 0), nil
	case Float:
		d, err := timefmt.SpanFromSeconds(float64(v))
		return Timespan{d}, err
	default:
		return Timespan{}, errKind
	}
}

// Seconds returns the whole seconds, rounded down: -1 for minus half a second.
func (v Timespan) Seconds() int64 { return v.d.Whole() }

// Nanosecond returns the nanoseconds above [Timespan.Seconds], 0 to
// 999,999,999.
func (v Timespan) Nanosecond() int { return v.d.Nanosecond() }

// Compare returns -1, 0 or 1 if v is shorter than, equal to or longer than w.
func (v Timespan) Compare(w Timespan) int { return v.d.Compare(w.d) }

// Text returns the default string form, days-hours:minutes:seconds.fraction,
// which is also the wire form. The fraction has at least one digit and no
// trailing zeros. Real Puppet also drops its leading zeros and so changes the
// value; this package keeps them.
func (v Timespan) Text() string { return v.d.String() }

// kind returns kindTimespan.
func (Timespan) kind() Kind { return kindTimespan }

func (v Timespan) String() string { return format(v) }

func (Timespan) value() {}
