package pcore

import (
	"cmp"
	"strings"
)

// Timespan is a length of time with nanoseconds, which may be negative. It is
// held as seconds and a fraction. The zero value is no time.
type Timespan struct {
	sec  int64 // rounded down
	nsec int32
}

// NewTimespan returns a length of sec seconds and nsec nanoseconds. nsec may be
// any number, negative too; it is carried into the seconds.
func NewTimespan(sec, nsec int64) Timespan {
	s, n := carry(sec, nsec)
	return Timespan{s, n}
}

// Seconds returns the whole seconds, rounded down: -1 for minus half a second.
func (v Timespan) Seconds() int64 { return v.sec }

// Nanosecond returns the nanoseconds above [Timespan.Seconds], 0 to
// 999,999,999.
func (v Timespan) Nanosecond() int { return int(v.nsec) }

// Negative reports whether the length is below zero.
func (v Timespan) Negative() bool { return v.sec < 0 }

// Compare returns -1, 0 or 1 as v is shorter than, as long as or longer than w.
func (v Timespan) Compare(w Timespan) int {
	return cmp.Or(cmp.Compare(v.sec, w.sec), cmp.Compare(v.nsec, w.nsec))
}

// Text returns the default string form, days-hours:minutes:seconds.fraction,
// which stands for the value on the wire. The fraction has no trailing zeros
// but at least one digit. Real Puppet drops its leading zeros as well, and so
// loses value; here they are kept.
func (v Timespan) Text() string {
	sec, nsec := uint64(v.sec), int64(v.nsec)
	b := make([]byte, 0, 32)
	if v.Negative() {
		b = append(b, '-')
		sec = -sec
		if nsec > 0 {
			sec--
			nsec = 1e9 - nsec
		}
	}
	b = appendPadded(b, int64(sec/86400), 1)
	b = appendPadded(append(b, '-'), int64(sec/3600%24), 2)
	b = appendPadded(append(b, ':'), int64(sec/60%60), 2)
	b = appendPadded(append(b, ':'), int64(sec%60), 2)
	fraction := strings.TrimRight(string(appendPadded(nil, nsec, 9)), "0")
	if fraction == "" {
		fraction = "0"
	}
	return string(append(append(b, '.'), fraction...))
}

// Kind returns KindTimespan.
func (Timespan) Kind() Kind { return KindTimespan }

func (v Timespan) String() string { return format(v) }

func (Timespan) value() {}
