package pcore

import "github.com/pcatdev/pcat/pcore/timefmt"

// Timespan is a length of time with nanoseconds, which may be negative. It is
// held as seconds and a fraction. The zero value is no time.
type Timespan struct{ d timefmt.Span }

// NewTimespan returns a length of sec seconds and nsec nanoseconds. nsec may be
// any number, negative too; it is carried into the seconds. Of lengths that are
// out of range the nearest that is not is returned.
func NewTimespan(sec, nsec int64) Timespan {
	d, err := timefmt.NewSpan(sec, nsec)
	if err != nil {
		d, _ = timefmt.NewSpan(furthest(sec), 0)
	}
	return Timespan{d}
}

// TimespanOf returns d as a value.
func TimespanOf(d timefmt.Span) Timespan { return Timespan{d} }

// ParseTimespan reads a length of time in one of the default formats of the
// reference, among them the text that stands for the value on the wire.
func ParseTimespan(text string) (Timespan, error) {
	d, err := timefmt.ParseSpan(text)
	return Timespan{d}, err
}

// TimespanFrom returns what bounds a Timespan type as one: a Timespan, its
// text, or a number of seconds. The error is about other values, a text that
// cannot be read, and a number that is out of range.
func TimespanFrom(v Value) (Timespan, error) {
	switch v := v.(type) {
	case Timespan:
		return v, nil
	case String:
		return ParseTimespan(string(v))
	case Integer:
		return NewTimespan(int64(v), 0), nil
	case Float:
		d, err := timefmt.SpanFromSeconds(float64(v))
		return Timespan{d}, err
	default:
		return Timespan{}, errKind
	}
}

// Span returns the length with what can be done with it.
func (v Timespan) Span() timefmt.Span { return v.d }

// Seconds returns the whole seconds, rounded down: -1 for minus half a second.
func (v Timespan) Seconds() int64 { return v.d.Whole() }

// Nanosecond returns the nanoseconds above [Timespan.Seconds], 0 to
// 999,999,999.
func (v Timespan) Nanosecond() int { return v.d.Nanosecond() }

// Negative reports whether the length is below zero.
func (v Timespan) Negative() bool { return v.d.IsNegative() }

// Compare returns -1, 0 or 1 as v is shorter than, as long as or longer than w.
func (v Timespan) Compare(w Timespan) int { return v.d.Compare(w.d) }

// Text returns the default string form, days-hours:minutes:seconds.fraction,
// which stands for the value on the wire. The fraction has no trailing zeros
// but at least one digit. Real Puppet drops its leading zeros as well, and so
// loses value; here they are kept.
func (v Timespan) Text() string { return v.d.String() }

// Kind returns KindTimespan.
func (Timespan) Kind() Kind { return KindTimespan }

func (v Timespan) String() string { return format(v) }

func (Timespan) value() {}
