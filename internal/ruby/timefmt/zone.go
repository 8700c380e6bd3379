package timefmt

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ZoneError reports a text that is not the name of a time zone or, if Format is
// set, a zone whose offset is too large to format a time.
type ZoneError struct {
	Name   string
	Format bool
}

func (e *ZoneError) Error() string {
	if e.Format {
		return fmt.Sprintf("the timezone %q is a day or more away from UTC", e.Name)
	}
	return fmt.Sprintf("illegal timezone %q: give an offset like +02:00, or an abbreviation like UTC or CEST", e.Name)
}

// Zone is the offset of local time from UTC. The zero value means no time zone:
// times are formatted in UTC, and parsed with the zone in their text or else in
// UTC. A Zone is immutable.
type Zone struct {
	name   string
	offset int64 // from UTC in nanoseconds, positive to the east; used for parsing
	clock  int64 // from UTC in minutes, positive to the east; used for formatting
	utc    bool  // is printed as UTC rather than as +00:00
}

// ParseZone parses the name of a time zone in the notations that Ruby's
// DateTime and Puppet support:
//
//   - an offset, with or without UTC or GMT before it: +2, +0200, +02:00,
//     +02:00:00, or in hours with a fraction, +2.5
//   - an abbreviation: UTC, CEST, pst, also with "dst" after it, or a military
//     letter
//   - a Windows name with "standard time" or "daylight time": W. Europe
//     Standard Time
//   - current: the current zone of this machine
//
// Text after such a name is ignored. The empty name gives the zero Zone. The
// error is a [*ZoneError]; Puppet does not support names such as Europe/Berlin.
func ParseZone(name string) (Zone, error) {
	switch {
	case name == "":
		return Zone{}, nil
	case strings.EqualFold(name, "current"):
		_, offset := time.Now().Zone()
		return wholeZone(name, int64(offset)), nil
	}
	z, ok := zoneOf(name[:scanZone(name)])
	if !ok {
		return Zone{}, &ZoneError{Name: name}
	}
	z.name = name
	if isClockOffset(name) {
		z.clock, z.utc = clockOffset(name)
	}
	return z, nil
}

// IsSet reports whether z is a time zone.
func (z Zone) IsSet() bool { return z.name != "" }

// String returns the name passed to ParseZone.
func (z Zone) String() string { return z.name }

// clockSeconds returns the offset from UTC for formatting, and whether to print
// it as UTC.
func (z Zone) clockSeconds() (seconds int64, utc bool, err error) {
	if !z.IsSet() {
		return 0, true, nil
	}
	if z.clock <= -24*60 || z.clock >= 24*60 {
		return 0, false, &ZoneError{Name: z.name, Format: true}
	}
	return z.clock * minute, z.utc, nil
}

func wholeZone(name string, seconds int64) Zone {
	clock, _ := floorDiv(seconds, minute)
	return Zone{name: name, offset: seconds * second, clock: clock}
}

// isClockOffset reports whether name has the form +hh:mm or -hh:mm, which
// Puppet does not convert.
func isClockOffset(name string) bool {
	return len(name) == 6 && isSign(name[0]) && isDigit(name[1]) && isDigit(name[2]) &&
		name[3] == ':' && isDigit(name[4]) && isDigit(name[5])
}

// clockOffset returns the minutes of +hh:mm, out of range if mm is. -00:00 is
// UTC.
func clockOffset(name string) (minutes int64, utc bool) {
	h, m := int64(name[1]-'0')*10+int64(name[2]-'0'), int64(name[4]-'0')*10+int64(name[5]-'0')
	if m > 59 {
		h = 24
	}
	if name[0] == '-' {
		return -(h*60 + m), h == 0 && m == 0
	}
	return h*60 + m, false
}

// scanZone returns the length of the time zone at the beginning of s, or 0.
func scanZone(s string) int {
	if n := scanOffset(s); n > 0 {
		return n
	}
	if n := scanWindowsZone(s); n > 0 {
		return n
	}
	return scanAbbreviation(s)
}

// scanOffset returns the length of an offset: a sign and up to three numbers.
func scanOffset(s string) int {
	n := 0
	for _, prefix := range []string{"gmt", "utc", "ut"} {
		if hasPrefixFold(s, prefix) {
			n = len(prefix)
			break
		}
	}
	if n == len(s) || !isSign(s[n]) {
		return 0
	}
	digits := scanDigits(s[n+1:])
	if digits == 0 {
		return 0
	}
	n += 1 + digits
	for _, separators := range []string{",.:", ":"} {
		if n == len(s) || strings.IndexByte(separators, s[n]) < 0 {
			break
		}
		if digits = scanDigits(s[n+1:]); digits == 0 {
			break
		}
		n += 1 + digits
	}
	return n
}

// scanWindowsZone returns the length of the longest run of letters, dots and
// blanks that ends with "standard time" or "daylight time".
func scanWindowsZone(s string) int {
	const longest = 256 // far longer than any name, but short enough for a fast search
	s = s[:min(len(s), longest)]
	end := 0
	for end < len(s) && (isLetter(s[end]) || s[end] == '.' || isSpace(s[end])) {
		end++
	}
	for i := end - 1; i > 0; i-- {
		for _, word := range []string{"standard", "daylight"} {
			if !hasPrefixFold(s[i:], word) {
				continue
			}
			n := i + len(word)
			blanks := scanSpace(s[n:])
			if n += blanks; blanks > 0 && hasPrefixFold(s[n:], "time") && wordEnds(s, n+4) {
				return n + 4
			}
		}
	}
	return 0
}

// scanAbbreviation returns the length of a word and an optional "dst" after it.
func scanAbbreviation(s string) int {
	n := 0
	for n < len(s) && isLetter(s[n]) {
		n++
	}
	if n == 0 {
		return 0
	}
	if blanks := scanSpace(s[n:]); blanks > 0 && hasPrefixFold(s[n+blanks:], "dst") && wordEnds(s, n+blanks+3) {
		return n + blanks + 3
	}
	if wordEnds(s, n) {
		return n
	}
	return 0
}

// wordEnds reports whether the word that contains s[n-1] ends there.
func wordEnds(s string, n int) bool {
	return n == len(s) || !isLetter(s[n]) && !isDigit(s[n]) && s[n] != '_'
}

// zoneOf returns the zone of a text that [scanZone] has matched.
func zoneOf(text string) (z Zone, ok bool) {
	name, summer := zoneName(strings.ToLower(text))
	if seconds, ok := zoneOffset(squeezed(name)); ok {
		if summer {
			seconds += hour
		}
		return wholeZone(text, int64(seconds)), true
	}
	if len(text) > 3 && (hasPrefixFold(text, "gmt") || hasPrefixFold(text, "utc")) {
		text = text[3:]
	}
	if text == "" || !isSign(text[0]) {
		return Zone{}, false
	}
	return offsetZone(text[1:], text[0] == '-')
}

// squeezed returns name with each run of blanks replaced by one space. As in
// Ruby, a name without two adjacent blanks is unchanged, so a single tab does
// not become a space.
func squeezed(name string) string {
	var b []byte
	for i := range len(name) {
		if !isSpace(name[i]) {
			b = append(b, name[i])
		} else if i == 0 || !isSpace(name[i-1]) {
			b = append(b, ' ')
		}
	}
	if len(b) == len(name) {
		return name
	}
	return string(b)
}

// zoneName removes the words for standard or summer time from a lower-case
// name, and reports whether it is summer time.
func zoneName(text string) (name string, summer bool) {
	if before, ok := cutWord(text, "time"); ok {
		if name, ok := cutWord(before, "standard"); ok {
			return name, false
		}
		if name, ok := cutWord(before, "daylight"); ok {
			return name, true
		}
		return text, false
	}
	name, summer = cutWord(text, "dst")
	return name, summer
}

// cutWord removes a word and the blanks before it from the end of s.
func cutWord(s, word string) (string, bool) {
	before, ok := strings.CutSuffix(s, word)
	trimmed := strings.TrimRightFunc(before, isSpaceRune)
	if !ok || len(trimmed) == len(before) {
		return s, false
	}
	return trimmed, true
}

// offsetZone parses the numbers of an offset.
func offsetZone(text string, negative bool) (z Zone, ok bool) {
	n := scanDigits(text)
	fraction := n < len(text) && text[n] != ':'
	var nanoseconds int64
	switch {
	case n == len(text) && n > 2:
		text += "0000"
		h := 2 - n%2
		nanoseconds = clockTime(text[:h], text[h:h+2], text[h+2:h+4])
		if n < 5 {
			nanoseconds = clockTime(text[:h], text[h:h+2], "")
		}
	case fraction:
		nanoseconds = clockTime(text[:n], "", "") + hourFraction(text[n+1:])
	default:
		h, rest, _ := strings.Cut(text, ":")
		m, s, _ := strings.Cut(rest, ":")
		nanoseconds = clockTime(h, m, s)
	}
	if nanoseconds > maxOffset {
		return Zone{}, false
	}
	if negative {
		nanoseconds = -nanoseconds
	}
	clock, _ := floorDiv(nanoseconds, minute*second)
	if fraction {
		clock = nanoseconds / (minute * second)
	}
	return Zone{name: text, offset: nanoseconds, clock: clock, utc: fraction && negative && clock == 0}, true
}

// maxOffset is far larger than any useful offset, and prevents overflow.
const maxOffset = 1000 * day * second

// clockTime returns hours, minutes and seconds as nanoseconds, or more than
// maxOffset.
func clockTime(h, m, s string) int64 {
	var nanoseconds int64
	for _, part := range []struct {
		digits string
		unit   int64
	}{{h, hour}, {m, minute}, {s, 1}} {
		digits := strings.TrimLeft(part.digits, "0")
		if len(digits) > 5 {
			return maxOffset + 1
		}
		nanoseconds += number(digits) * part.unit * second
	}
	return nanoseconds
}

// number returns the value of at most 18 digits, or 0 if there are none.
func number(digits string) int64 {
	n, _ := strconv.ParseInt(digits, 10, 64) // callers pass digits only
	return n
}

// hourFraction returns the nanoseconds in the decimal fraction of an hour at
// the beginning of digits.
func hourFraction(digits string) int64 {
	digits = digits[:scanDigits(digits)]
	return number((digits + "00000000")[:min(9, len(digits)+8)]) * hour // of 10⁻⁹ hours
}

func isSign(c byte) bool   { return c == '+' || c == '-' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isSpace reports whether c is a blank as defined by C's isspace.
func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func isSpaceRune(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' }

func scanDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func scanSpace(s string) int {
	n := 0
	for n < len(s) && isSpace(s[n]) {
		n++
	}
	return n
}

// hasPrefixFold reports whether s begins with prefix, ignoring ASCII case.
func hasPrefixFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		a, b := s[i], prefix[i]
		if a != b && !(isLetter(a) && a|0x20 == b|0x20) {
			return false
		}
	}
	return true
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
