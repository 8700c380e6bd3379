package timefmt

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// printStep is an element of an [InstantFormat] for printing: a directive or,
// if verb is 0, text.
type printStep struct {
	verb      byte
	text      string
	pad       byte // '0', ' ' or, for the default of the directive, 0
	width     int  // 0 for the default of the directive
	colons    int
	noPad     bool // the flag -
	upper     bool // the flag ^
	swap      bool // the flag #
	composite []printStep
}

// compositeSource returns the directives that a composite directive
// abbreviates, or "".
func compositeSource(verb byte) string {
	switch verb {
	case 'c':
		return "%a %b %e %H:%M:%S %Y"
	case 'D', 'x':
		return "%m/%d/%y"
	case 'F':
		return "%Y-%m-%d"
	case 'R':
		return "%H:%M"
	case 'r':
		return "%I:%M:%S %p"
	case 'T', 'X':
		return "%H:%M:%S"
	case 'v':
		return "%e-%^b-%4Y"
	default:
		return ""
	}
}

// printVerbs are all the directives.
const printVerbs = "%AaBbCcDdeFGgHhIjkLlMmNnPpRrSsTtUuVvWwXxYyZz"

// compilePrint compiles a format with the syntax of Ruby's Time#strftime: a %,
// then flags and a width in any order, and finally a modifier E or O, or
// colons. Text that is not a directive is literal.
func compilePrint(source string) ([]printStep, error) {
	var steps []printStep
	var text []byte
	flush := func() {
		if len(text) > 0 {
			steps = append(steps, printStep{text: string(text)})
			text = text[:0]
		}
	}
	padding := 0
	for rest := source; rest != ""; {
		before, after, found := strings.Cut(rest, "%")
		text = append(text, before...)
		if !found {
			break
		}
		at := len(source) - len(after) - 1
		step, n, complete := scanPrintStep(after)
		if !complete {
			return nil, printError(source, at, "a directive is not complete; write %% for a percent sign")
		}
		if padding += step.width; padding > MaxPadding {
			return nil, printError(source, at, "the widths are too large")
		}
		if step.verb == 0 {
			text = append(text, source[at:at+1+n]...)
		} else {
			flush()
			steps = append(steps, step)
		}
		rest = after[n:]
	}
	flush()
	return steps, nil
}

func printError(source string, at int, reason string) error {
	position := utf8.RuneCountInString(source[:at])
	return &FormatError{Format: source, Spec: source[at:min(len(source), at+16)], Position: position, Reason: reason}
}

// scanPrintStep parses the text after a %. n is the length of the directive or,
// if verb is 0, of the literal text. complete is false if s ends too early.
func scanPrintStep(s string) (step printStep, n int, complete bool) {
	for n < len(s) {
		c := s[n]
		n++
		switch {
		case isDigit(c):
			if c == '0' {
				step.pad = '0'
			}
			digits := 1 + scanDigits(s[n:])
			width, err := strconv.ParseInt(s[n-1:n-1+digits], 10, 32)
			n += digits - 1
			if err != nil {
				return printStep{}, n, true
			}
			step.width = int(width)
		case step.width > 0 && strings.IndexByte("-^#_", c) >= 0:
			return printStep{}, n, true
		case c == '-':
			step.noPad, step.pad, step.width = true, 0, 0
		case c == '^':
			step.upper = true
		case c == '#':
			step.swap = true
		case c == '_':
			step.pad = ' '
		case c == ':':
			colons := 1 + countColons(s[n:])
			if colons > 3 { // Ruby skips four colons, and no directive accepts them
				n, step.colons = n+3, 4
				continue
			}
			if n += colons - 1; n == len(s) || s[n] != 'z' {
				return printStep{}, n, true
			}
			step.colons = colons
		case c == 'E' || c == 'O':
			allowed := "cCxXyY"
			if c == 'O' {
				allowed = "deHkIlmMSuUVwWy"
			}
			if n == len(s) || strings.IndexByte(allowed, s[n]) < 0 {
				return printStep{}, n, true
			}
		case c == 'z' && step.colons > 3:
			return printStep{}, n, true
		case strings.IndexByte(printVerbs, c) >= 0:
			step.verb = c
			if source := compositeSource(c); source != "" {
				step.composite, _ = compilePrint(source)
			}
			return step, n, true
		default:
			return printStep{}, n, true
		}
	}
	return printStep{}, n, false
}

// countColons returns the number of leading colons of s.
func countColons(s string) int { return len(s) - len(strings.TrimLeft(s, ":")) }

// Format returns t in the time zone, by default UTC, formatted as in Puppet's
// strftime and Ruby's Time#strftime:
//
//	%Y %C %y      year, century, year of the century
//	%m %B %b %h   month: 01, January, Jan, Jan
//	%d %e %j      day of the month with zero or blank, day of the year
//	%H %k %I %l   hour: 00 to 23 with zero or blank, 01 to 12 with zero or blank
//	%P %p         am, AM
//	%M %S         minute, second
//	%L %N         fraction of the second: 3 or 9 digits, or the width
//	%z %:z %::z   offset from UTC: +0200, +02:00, +02:00:00; %:::z as short as possible
//	%Z            UTC, or nothing if a time zone is given
//	%A %a %u %w   weekday: Sunday, Sun, 7, 0
//	%G %g %V      year and week of ISO 8601
//	%U %W         week of the year, beginning with Sunday or Monday
//	%s            seconds since the beginning of 1970
//	%n %t %%      newline, tab, percent sign
//	%c %D %F %v %x %X %r %R %T   combinations of these
//
// A directive may have flags and a width after the %: - no padding, _ blanks, 0
// zeros, ^ upper case, # opposite case. The error is a [*FormatError], or a
// [*ZoneError].
func (f *InstantFormat) Format(t Instant, zone Zone) (string, error) {
	dst, err := f.AppendFormat(nil, t, zone)
	return string(dst), err
}

// AppendFormat appends the result of [InstantFormat.Format] to dst.
func (f *InstantFormat) AppendFormat(dst []byte, t Instant, zone Zone) ([]byte, error) {
	if f.printErr != nil {
		return dst, f.printErr
	}
	offset, utc, err := zone.clockSeconds()
	if err != nil {
		return dst, err
	}
	c := clock{civil: t.civil(offset), instant: t, offset: offset, utc: utc}
	return c.append(dst, f.print), nil
}

// clock is an instant in a time zone, ready for printing.
type clock struct {
	civil
	instant Instant
	offset  int64 // from UTC in seconds, positive to the east
	utc     bool
}

func (c *clock) append(dst []byte, steps []printStep) []byte {
	for i := range steps {
		dst = c.appendStep(dst, &steps[i])
	}
	return dst
}

func (c *clock) appendStep(dst []byte, step *printStep) []byte {
	switch step.verb {
	case 0:
		return append(dst, step.text...)
	case 'L':
		return c.appendFraction(dst, step, 3)
	case 'N':
		return c.appendFraction(dst, step, 9)
	case 'z':
		return c.appendOffset(dst, step)
	}
	if step.composite != nil {
		padded := *step
		padded.noPad = false // Ruby applies the width here
		return appendPadded(dst, c.append(nil, step.composite), &padded, step.upper)
	}
	if text, swapToLower, ok := c.word(step.verb); ok {
		if step.swap && swapToLower {
			text = strings.ToLower(text)
		}
		upper := step.upper || step.swap
		return appendPadded(dst, []byte(text), step, upper && !(step.swap && swapToLower))
	}
	n, pad, width := c.field(step.verb)
	if step.pad != 0 {
		pad = step.pad
	}
	if step.noPad {
		width = 1
	} else if step.width > 0 {
		width = step.width
	}
	return appendInt(dst, n, pad, width)
}

// appendPadded appends a text, padded on the left with blanks or zeros up to
// the width.
func appendPadded(dst, text []byte, step *printStep, upper bool) []byte {
	if len(text) == 0 {
		return dst
	}
	if upper {
		text = bytes.ToUpper(text)
	}
	if !step.noPad {
		pad := step.pad
		if pad == 0 {
			pad = ' '
		}
		for range step.width - len(text) {
			dst = append(dst, pad)
		}
	}
	return append(dst, text...)
}

// word returns the text of a textual directive. swapToLower reports that the
// flag # converts it to lower case rather than upper case.
func (c *clock) word(verb byte) (text string, swapToLower, ok bool) {
	switch verb {
	case 'A':
		return dayNames[c.weekDay], false, true
	case 'a':
		return dayNames[c.weekDay][:3], false, true
	case 'B':
		return monthNames[c.month-1], false, true
	case 'b', 'h':
		return monthNames[c.month-1][:3], false, true
	case 'p':
		return c.half(), true, true
	case 'P':
		return strings.ToLower(c.half()), false, true
	case 'Z':
		if c.utc {
			return "UTC", true, true
		}
		return "", true, true
	case 'n':
		return "\n", false, true
	case 't':
		return "\t", false, true
	case '%':
		return "%", false, true
	default:
		return "", false, false
	}
}

func (c *clock) half() string {
	if c.hour < 12 {
		return "AM"
	}
	return "PM"
}

// field returns the value of a numeric directive and its default padding.
func (c *clock) field(verb byte) (n int64, pad byte, width int) {
	switch verb {
	case 'C':
		n, _ = floorDiv(c.year, 100)
		return n, '0', 2
	case 'd':
		return c.day, '0', 2
	case 'e':
		return c.day, ' ', 2
	case 'G':
		n, _ = c.isoWeek()
		return n, '0', yearWidth(n)
	case 'g':
		n, _ = c.isoWeek()
		_, n = floorDiv(n, 100)
		return n, '0', 2
	case 'H':
		return c.hour, '0', 2
	case 'I':
		return c.hour12(), '0', 2
	case 'j':
		return c.yearDay + 1, '0', 3
	case 'k':
		return c.hour, ' ', 2
	case 'l':
		return c.hour12(), ' ', 2
	case 'M':
		return c.minute, '0', 2
	case 'm':
		return c.month, '0', 2
	case 'S':
		return c.second, '0', 2
	case 's':
		return c.instant.Unix(), '0', 1
	case 'U':
		return c.week(0), '0', 2
	case 'u':
		return (c.weekDay+6)%7 + 1, '0', 1
	case 'V':
		_, n = c.isoWeek()
		return n, '0', 2
	case 'W':
		return c.week(1), '0', 2
	case 'w':
		return c.weekDay, '0', 1
	case 'y':
		_, n = floorDiv(c.year, 100)
		return n, '0', 2
	default: // 'Y'
		return c.year, '0', yearWidth(c.year)
	}
}

// appendFraction appends the first digits of the fraction of the second,
// truncated.
func (c *clock) appendFraction(dst []byte, step *printStep, digits int) []byte {
	if step.width > 0 {
		digits = step.width
	}
	all := appendInt(nil, int64(c.instant.Nanosecond()), '0', 9)
	dst = append(dst, all[:min(digits, 9)]...)
	for range digits - 9 {
		dst = append(dst, '0')
	}
	return dst
}

// appendOffset appends the offset from UTC. The width applies to the whole; the
// padding is that of the hours.
func (c *clock) appendOffset(dst []byte, step *printStep) []byte {
	sign, offset := byte('+'), c.offset
	if offset < 0 || c.utc && step.noPad {
		sign, offset = '-', -offset
	}
	minutes, seconds, between := true, step.colons == 2, ""
	if step.colons > 0 {
		between = ":"
	}
	if step.colons == 3 {
		minutes = offset%hour != 0
	}
	others := 1 // the number of characters other than digits of the hour
	if minutes {
		others += len(between) + 2
	}
	if seconds {
		others += len(between) + 2
	}
	width := max(step.width-others, 2)
	hours := strconv.FormatInt(offset/hour, 10)
	pad := func(c byte) {
		for range width - len(hours) {
			dst = append(dst, c)
		}
	}
	if step.pad == ' ' {
		pad(' ')
		dst = append(dst, sign)
	} else {
		dst = append(dst, sign)
		pad('0')
	}
	dst = append(dst, hours...)
	if minutes {
		dst = appendInt(append(dst, between...), offset/minute%60, '0', 2)
	}
	if seconds {
		dst = appendInt(append(dst, between...), offset%60, '0', 2)
	}
	return dst
}

var (
	dayNames   = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August",
		"September", "October", "November", "December"}
)
