package timefmt

import "time"

// Instant is a point in time: seconds since the beginning of 1970 in UTC,
// without leap seconds, and nanoseconds. It covers about 292 billion years
// before and after. Instants are comparable with ==. The zero value is the
// beginning of 1970.
type Instant struct{ stamp stamp }

// NewInstant returns the instant sec seconds and nsec nanoseconds after the
// beginning of 1970. Each may be any number. The error is [ErrRange].
func NewInstant(sec, nsec int64) (Instant, error) {
	s, err := carried(sec, nsec)
	return Instant{s}, err
}

// InstantFromSeconds returns the instant f seconds after the beginning of 1970,
// as Timestamp(1473150899.5) does. The error is [ErrRange], also if f is NaN.
func InstantFromSeconds(f float64) (Instant, error) {
	s, err := ofFloat(f)
	return Instant{s}, err
}

// InstantOf returns t as an Instant, without its location.
func InstantOf(t time.Time) Instant {
	return Instant{stamp{t.Unix(), int32(t.Nanosecond())}}
}

// Unix returns the whole seconds since the beginning of 1970, rounded down.
func (t Instant) Unix() int64 { return t.stamp.sec }

// Nanosecond returns the nanoseconds above [Instant.Unix], 0 to 999,999,999.
func (t Instant) Nanosecond() int { return int(t.stamp.nsec) }

// Seconds returns the seconds since the beginning of 1970, rounded as in
// Puppet's conversion of a Timestamp to a Float.
func (t Instant) Seconds() float64 { return t.stamp.float() }

// Time returns t as a time.Time in UTC.
func (t Instant) Time() time.Time { return time.Unix(t.stamp.sec, int64(t.stamp.nsec)).UTC() }

// Compare returns -1, 0 or 1 if t is before, equal to or after u.
func (t Instant) Compare(u Instant) int { return t.stamp.compare(u.stamp) }

// Add returns the instant d after t. The error is [ErrRange].
func (t Instant) Add(d Span) (Instant, error) {
	s, err := t.stamp.add(d.stamp)
	return Instant{s}, err
}

// Sub returns the time from u to t. The error is [ErrRange].
func (t Instant) Sub(u Instant) (Span, error) {
	s, err := t.stamp.sub(u.stamp)
	return Span{s}, err
}

// String returns t in the default format of a Timestamp, %FT%T.%N %Z in UTC:
// "2016-09-06T08:34:59.123456789 UTC".
func (t Instant) String() string { return string(t.AppendText(make([]byte, 0, 40))) }

// AppendText appends the result of [Instant.String] to dst.
func (t Instant) AppendText(dst []byte) []byte {
	c := t.civil(0)
	dst = appendInt(dst, c.year, '0', yearWidth(c.year))
	dst = appendInt(append(dst, '-'), c.month, '0', 2)
	dst = appendInt(append(dst, '-'), c.day, '0', 2)
	dst = appendInt(append(dst, 'T'), c.hour, '0', 2)
	dst = appendInt(append(dst, ':'), c.minute, '0', 2)
	dst = appendInt(append(dst, ':'), c.second, '0', 2)
	dst = appendInt(append(dst, '.'), int64(t.stamp.nsec), '0', 9)
	return append(dst, " UTC"...)
}
