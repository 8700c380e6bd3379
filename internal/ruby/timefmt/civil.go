package timefmt

import "strconv"

// civil is an instant in the proleptic Gregorian calendar and the local time of
// a time zone.
type civil struct {
	year, month, day     int64 // month 1 to 12
	hour, minute, second int64
	yearDay              int64 // 0 to 365
	weekDay              int64 // 0 is Sunday
}

// civil returns t at the given offset from UTC in seconds, less than a day.
func (t Instant) civil(offset int64) civil {
	days, sec := floorDiv(t.stamp.sec, day)
	ahead, sec := floorDiv(sec+offset, day)
	days += ahead
	c := civil{hour: sec / hour, minute: sec / minute % 60, second: sec % 60}
	c.year, c.month, c.day = date(days)
	c.yearDay = days - daysBefore(c.year, 1, 1)
	_, c.weekDay = floorDiv(days+4, 7) // 1970 began on a Thursday
	return c
}

// floorDiv returns the quotient rounded down, and the non-negative remainder.
func floorDiv(a, b int64) (quotient, rest int64) {
	quotient, rest = a/b, a%b
	if rest < 0 {
		return quotient - 1, rest + b
	}
	return quotient, rest
}

const (
	daysIn400Years = 146097
	// daysToEpoch is the number of days from March 1st of the year 0 to the
	// beginning of 1970.
	daysToEpoch = 719468
)

// date returns the date that is the given number of days after the beginning of
// 1970. It counts years from March on, so that a leap day is the last day of
// its year, and months from March on have 30.6 days on average.
func date(days int64) (year, month, dayOfMonth int64) {
	era, dayOfEra := floorDiv(days+daysToEpoch, daysIn400Years)
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/(daysIn400Years-1)) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	marchMonth := (5*dayOfYear + 2) / 153
	dayOfMonth = dayOfYear - (153*marchMonth+2)/5 + 1
	year = yearOfEra + 400*era
	if month = marchMonth + 3; month > 12 {
		return year + 1, month - 12, dayOfMonth
	}
	return year, month, dayOfMonth
}

// daysBefore returns the number of days from the beginning of 1970 to a date. A
// day beyond the end of the month is in the next month.
func daysBefore(year, month, dayOfMonth int64) int64 {
	if month < 3 {
		year, month = year-1, month+12
	}
	era, yearOfEra := floorDiv(year, 400)
	dayOfYear := (153*(month-3)+2)/5 + dayOfMonth - 1
	return era*daysIn400Years + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - daysToEpoch
}

// hour12 returns the hour of a 12-hour clock, 1 to 12.
func (c civil) hour12() int64 { return (c.hour+11)%12 + 1 }

// week returns the number of the week of the year. Weeks begin with the given
// weekday; the days before the first such day are week 0.
func (c civil) week(first int64) int64 {
	return (c.yearDay + 7 - (c.weekDay-first+7)%7) / 7
}

// isoWeek returns the ISO 8601 week and its year, which is that of the week's
// Thursday.
func (c civil) isoWeek() (year, week int64) {
	days := daysBefore(c.year, c.month, c.day)
	thursday := days - (c.weekDay+6)%7 + 3
	year, _, _ = date(thursday)
	return year, (thursday-daysBefore(year, 1, 1))/7 + 1
}

// yearWidth returns the minimum width of a year in Ruby's output.
func yearWidth(year int64) int {
	if year < 0 {
		return 5
	}
	return 4
}

// appendInt appends n in at least width characters. It pads with zeros between
// the sign and the digits, or with blanks before both.
func appendInt(dst []byte, n int64, pad byte, width int) []byte {
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], n, 10)
	if pad == '0' && n < 0 {
		dst, digits, width = append(dst, '-'), digits[1:], width-1
	}
	for range width - len(digits) {
		dst = append(dst, pad)
	}
	return append(dst, digits...)
}
