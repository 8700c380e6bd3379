package pcore

import (
	"math"
	"time"

	"github.com/pcatdev/pcat/internal/ruby/timefmt"
)

// Timestamp is an instant in UTC with nanoseconds. It is stored as seconds
// since 1970 and a fraction, so that it covers all years of the reference
// implementation. The zero value is the beginning of 1970.
type Timestamp struct{ t timefmt.Instant }

// NewTimestamp returns the time sec seconds and nsec nanoseconds after the
// beginning of 1970. nsec may be any number; the excess is carried into the
// seconds. A time out of range becomes the nearest valid one.
func NewTimestamp(sec, nsec int64) Timestamp {
	t, err := timefmt.NewInstant(sec, nsec)
	if err != nil {
		t, _ = timefmt.NewInstant(furthest(sec), 0)
	}
	return Timestamp{t}
}

func furthest(sec int64) int64 {
	if sec < 0 {
		return math.MinInt64
	}
	return math.MaxInt64
}

// parseTimestamp parses a time in one of the default formats of the reference
// implementation, which include the wire form of the value.
func parseTimestamp(text string) (Timestamp, error) {
	t, err := timefmt.ParseInstant(text, timefmt.Zone{})
	return Timestamp{t}, err
}

// timestampFrom converts a bound of a Timestamp type: a Timestamp, its text, or
// a number of seconds since 1970. Other values, invalid texts, and numbers out
// of range are errors.
func timestampFrom(v Value) (Timestamp, error) {
	switch v := v.(type) {
	case Timestamp:
		return v, nil
	case String:
		return parseTimestamp(string(v))
	case Integer:
		return NewTimestamp(int64(v), 0), nil
	case Float:
		t, err := timefmt.InstantFromSeconds(float64(v))
		return Timestamp{t}, err
	default:
		return Timestamp{}, errKind
	}
}

// Unix returns the whole seconds since 1970, rounded down.
func (v Timestamp) Unix() int64 { return v.t.Unix() }

// Nanosecond returns the nanoseconds within the second, 0 to 999,999,999.
func (v Timestamp) Nanosecond() int { return v.t.Nanosecond() }

// Time returns the time as a time.Time.
func (v Timestamp) Time() time.Time { return v.t.Time() }

// Compare returns -1, 0 or 1 if v is before, equal to or after w.
func (v Timestamp) Compare(w Timestamp) int { return v.t.Compare(w.t) }

// Text returns the default string form, `%FT%T.%N %Z` with nine digits, which
// is also the wire form.
func (v Timestamp) Text() string { return v.t.String() }

// kind returns kindTimestamp.
func (Timestamp) kind() Kind { return kindTimestamp }

func (v Timestamp) String() string { return format(v) }

func (Timestamp) value() {}
