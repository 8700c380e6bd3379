package pcore

import (
	"cmp"
	"strconv"
	"time"
)

// Timestamp is a point in time with nanoseconds, in UTC. It is held as seconds
// since 1970 and a fraction, so that any year of the reference fits. The zero
// value is the beginning of 1970.
type Timestamp struct {
	sec  int64
	nsec int32
}

// NewTimestamp returns the time sec seconds and nsec nanoseconds after the
// beginning of 1970. nsec may be any number; it is carried into the seconds.
func NewTimestamp(sec, nsec int64) Timestamp {
	s, n := carry(sec, nsec)
	return Timestamp{s, n}
}

// Unix returns the whole seconds since 1970, rounded down.
func (v Timestamp) Unix() int64 { return v.sec }

// Nanosecond returns the nanoseconds within the second, 0 to 999,999,999.
func (v Timestamp) Nanosecond() int { return int(v.nsec) }

// Time returns the point in time as the standard library has it.
func (v Timestamp) Time() time.Time { return time.Unix(v.sec, int64(v.nsec)).UTC() }

// Compare returns -1, 0 or 1 as v is before, at or after w.
func (v Timestamp) Compare(w Timestamp) int {
	return cmp.Or(cmp.Compare(v.sec, w.sec), cmp.Compare(v.nsec, w.nsec))
}

// Text returns the default string form, `%FT%T.%N %Z` with nine digits, which
// stands for the value on the wire.
func (v Timestamp) Text() string {
	t := v.Time()
	b := make([]byte, 0, 40)
	b = appendYear(b, t.Year())
	b = t.AppendFormat(b, "-01-02T15:04:05.000000000 UTC")
	return string(b)
}

// Kind returns KindTimestamp.
func (Timestamp) Kind() Kind { return KindTimestamp }

func (v Timestamp) String() string { return format(v) }

func (Timestamp) value() {}

func appendYear(b []byte, year int) []byte {
	if year < 0 {
		b = append(b, '-')
		year = -year
	}
	return appendPadded(b, int64(year), 4)
}

func appendPadded(b []byte, n int64, width int) []byte {
	digits := strconv.FormatInt(n, 10)
	for range width - len(digits) {
		b = append(b, '0')
	}
	return append(b, digits...)
}

// carry brings nsec into 0 to 999,999,999.
func carry(sec, nsec int64) (int64, int32) {
	const second = int64(time.Second)
	sec += nsec / second
	nsec %= second
	if nsec < 0 {
		sec--
		nsec += second
	}
	return sec, int32(nsec)
}
