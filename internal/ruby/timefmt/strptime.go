package timefmt

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// ErrNoYear is wrapped by the error for a format without a year.
var ErrNoYear = errors.New("the format gives no year")

// ErrTwoZones is wrapped by the error for a text that contains a time zone
// although one is given as an argument.
var ErrTwoZones = errors.New("the format reads a timezone although one is given")

// ParseError reports a text that does not match a format, or does not denote a
// valid time.
type ParseError struct {
	Text    string
	Formats []string
	Err     error // the reason, if the text does match
}

func (e *ParseError) Error() string {
	formats := strings.Join(e.Formats, ", ")
	switch {
	case e.Err != nil:
		return fmt.Sprintf("unable to parse %q using format %s: %v", e.Text, formats, e.Err)
	case len(e.Formats) == 1:
		return fmt.Sprintf("unable to parse %q using format %s", e.Text, formats)
	default:
		return fmt.Sprintf("unable to parse %q using any of the formats %s", e.Text, formats)
	}
}

// Unwrap returns e.Err.
func (e *ParseError) Unwrap() error { return e.Err }

// scanStep is an element of an [InstantFormat] for parsing: a directive or, if
// verb is 0, text. The verb blank matches any blanks.
type scanStep struct {
	verb byte
	text string
	// packed reports that digits follow, so that a number has at most its usual
	// length.
	packed bool
}

const (
	blank = ' '
	// never represents colons without a z after them, which never match.
	never = ':'
)

// compileScan compiles a format with the syntax of Ruby's DateTime.strptime: it
// has no flags or widths, and blanks match any number of blanks, including
// none. Text that is not a directive is literal.
func compileScan(source string) []scanStep {
	var c scanCompiler
	c.compile(source)
	return c.finish()
}

// scanCompiler compiles a format to steps.
type scanCompiler struct {
	steps []scanStep
	text  []byte
}

func (c *scanCompiler) finish() []scanStep {
	if len(c.text) > 0 {
		c.steps = append(c.steps, scanStep{text: string(c.text)})
		c.text = c.text[:0]
	}
	return c.steps
}

func (c *scanCompiler) add(verb byte, packed bool) {
	c.steps = append(c.finish(), scanStep{verb: verb, packed: packed})
}

func (c *scanCompiler) compile(source string) {
	for i := 0; i < len(source); i++ {
		switch b := source[i]; {
		case isSpace(b):
			c.add(blank, false)
		case b == '%':
			i += c.directive(source[i+1:])
		default:
			c.text = append(c.text, b)
		}
	}
}

// directive compiles a directive after its %, and returns its length.
func (c *scanCompiler) directive(s string) int {
	n := scanModifier(s)
	if n == len(s) || s[n] == 'E' || s[n] == 'O' { // a modifier without a directive
		c.text = append(c.text, '%')
		return n
	}
	switch verb := s[n]; verb {
	case ':':
		c.add(never, false)
	case '%':
		c.text = append(c.text, '%')
	case 'n', 't':
		c.add(blank, false)
	case '+':
		c.compile("%a %b %e %H:%M:%S %Z %Y")
	case 'v':
		c.compile("%e-%b-%Y")
	default:
		if composite := compositeSource(verb); composite != "" {
			c.compile(composite)
		} else if strings.IndexByte(scanVerbs, verb) >= 0 {
			c.add(verb, digitsFollow(s[n+1:]))
		} else {
			c.text = append(c.text, '%', verb)
		}
	}
	return n + 1
}

// scanVerbs are the directives other than composites.
const scanVerbs = "AaBbCdeGgHhIjkLlMmNPpQSsUuVWwYyZz"

// scanModifier returns the length of the modifier before a directive: E, O, or
// up to three colons.
func scanModifier(s string) int {
	switch {
	case len(s) > 1 && s[0] == 'E' && strings.IndexByte("cCxXyY", s[1]) >= 0,
		len(s) > 1 && s[0] == 'O' && strings.IndexByte("deHImMSuUVwWy", s[1]) >= 0:
		return 1
	}
	if n := countColons(s); n > 0 && n <= 3 && n < len(s) && s[n] == 'z' {
		return n
	}
	return 0
}

// digitsFollow reports whether the rest of a format begins with a number.
func digitsFollow(rest string) bool {
	if rest == "" || rest[0] != '%' {
		return rest != "" && isDigit(rest[0])
	}
	if rest = rest[1:]; rest != "" && (rest[0] == 'E' || rest[0] == 'O') {
		rest = rest[1:]
	}
	return rest != "" && (isDigit(rest[0]) || strings.IndexByte("CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy", rest[0]) >= 0)
}

// ParseInstant parses a Timestamp with the first format that matches all of the
// text. The default formats are %FT%T.%N, %FT%T, %F %T.%N, %F %T and %F, first
// each with " %Z" after it, then each without. If zone is set, a format that
// parses a zone does not match. See [InstantFormat.Parse].
func ParseInstant(text string, zone Zone, formats ...*InstantFormat) (Instant, error) {
	if len(formats) == 0 {
		formats = defaultInstantFormats()
		if zone.IsSet() {
			formats = formats[len(formats)/2:]
		}
	}
	for _, f := range formats {
		if found, ok := f.scanAll(text); ok && !(zone.IsSet() && found.zone != "") {
			return found.result(f, text, zone)
		}
	}
	failed := &ParseError{Text: text}
	for _, f := range formats {
		failed.Formats = append(failed.Formats, f.source)
	}
	return Instant{}, failed
}

// Parse parses a Timestamp. It supports the directives of
// [InstantFormat.Format] and %Q, %s and %+, but neither flags nor widths;
// numbers may have fewer digits than in the output of Format. Only the year,
// which is required, month, day, time and zone matter; %s, %j and weeks are
// parsed and ignored. A day beyond the end of its month, the hour 24 and the
// second 60 carry over.
//
// The time is in the given zone or, if that is not set, in the zone in the
// text, or else in UTC. The error is a [*ParseError], or a [*ZoneError] for an
// unknown zone.
func (f *InstantFormat) Parse(text string, zone Zone) (Instant, error) {
	found, ok := f.scanAll(text)
	if !ok {
		return Instant{}, &ParseError{Text: text, Formats: []string{f.source}}
	}
	if zone.IsSet() && found.zone != "" {
		return Instant{}, &ParseError{Text: text, Formats: []string{f.source}, Err: ErrTwoZones}
	}
	return found.result(f, text, zone)
}

func (p *parts) result(f *InstantFormat, text string, zone Zone) (Instant, error) {
	if !zone.IsSet() {
		var err error
		if zone, err = ParseZone(p.zone); err != nil {
			return Instant{}, err
		}
	}
	t, err := p.instant(zone)
	if err != nil {
		return Instant{}, &ParseError{Text: text, Formats: []string{f.source}, Err: err}
	}
	return t, nil
}

// parts are the values that directives have parsed.
type parts struct {
	year, century        optional
	month, day           optional
	hour, minute, second int64
	afternoon            optional // 0 or 12
	hasHour              bool
	nanosecond           int64
	beforeSecond         bool // the fraction has a minus sign
	zone                 string
}

type optional struct {
	value int64
	set   bool
}

func given(n int64) optional { return optional{n, true} }

func (o optional) or(n int64) int64 {
	if o.set {
		return o.value
	}
	return n
}

// instant returns the instant that the parts denote.
func (p *parts) instant(zone Zone) (Instant, error) {
	if !p.year.set {
		return Instant{}, ErrNoYear
	}
	year := p.year.value + 100*p.century.or(0)
	if year < -maxYear || year > maxYear {
		return Instant{}, ErrRange
	}
	hours := p.hour
	if p.afternoon.set && p.hasHour {
		hours = hours%12 + p.afternoon.value
	}
	if hours == 24 && (p.minute > 0 || p.second > 0) {
		return Instant{}, fmt.Errorf("no minutes and seconds go with the hour 24: %w", ErrRange)
	}
	if p.beforeSecond {
		return Instant{}, fmt.Errorf("the fraction of a second is negative: %w", ErrRange)
	}
	month, dayOfMonth := p.month.or(1), p.day.or(1)
	days := daysBefore(year, month, dayOfMonth)
	sec := hours*hour + p.minute*minute + p.second
	if days < 0 {
		days, sec = days+1, sec-day // avoids overflow on the first day of the range, which begins before the first second
	}
	if days < math.MinInt64/day || days > math.MaxInt64/day {
		return Instant{}, ErrRange
	}
	ofDay, err := carried(sec, p.nanosecond-zone.offset)
	if err != nil {
		return Instant{}, err
	}
	t, err := stamp{sec: days * day}.add(ofDay)
	return Instant{t}, err
}

// maxYear prevents overflow in the arithmetic on years. It is far beyond the
// last year of an Instant.
const maxYear = 1e12

// scanAll parses all of text. ok is false if the text does not match.
func (f *InstantFormat) scanAll(text string) (p parts, ok bool) {
	s := parser{text: text}
	for _, step := range f.scan {
		if !s.step(step) {
			return parts{}, false
		}
	}
	return s.parts, s.at == len(text)
}

// parser parses a text from left to right.
type parser struct {
	text string
	at   int
	parts
}

func (s *parser) rest() string { return s.text[s.at:] }

// upTo returns at most width bytes of the rest.
func (s *parser) upTo(width int) string { return s.rest()[:min(width, len(s.rest()))] }

func (s *parser) step(step scanStep) bool {
	switch step.verb {
	case 0:
		if !strings.HasPrefix(s.rest(), step.text) {
			return false
		}
		s.at += len(step.text)
		return true
	case blank:
		s.at += scanSpace(s.rest())
		return true
	case never:
		return false
	case 'A', 'a':
		_, ok := s.name(dayNames[:])
		return ok
	case 'B', 'b', 'h':
		n, ok := s.name(monthNames[:])
		s.month = given(int64(n) + 1)
		return ok
	case 'P', 'p':
		return s.half()
	case 'L':
		return s.fraction(step, 3)
	case 'N':
		return s.fraction(step, 9)
	case 'Z', 'z':
		n := scanZone(s.rest())
		s.zone = s.rest()[:n]
		s.at += n
		return n > 0
	case 'Y', 'G', 'C':
		return s.yearNumber(step)
	case 'Q', 's':
		if strings.HasPrefix(s.rest(), "-") {
			s.at++
		}
		_, ok := s.digits(len(s.text))
		return ok
	default:
		return s.field(step.verb)
	}
}

// field parses a number and checks its bounds.
func (s *parser) field(verb byte) bool {
	low, high, width := int64(0), int64(0), 2
	switch verb {
	case 'd', 'e':
		low, high = 1, 31
	case 'g', 'y':
		high = 99
	case 'H', 'k':
		high = 24
	case 'I', 'l':
		low, high = 1, 12
	case 'j':
		low, high, width = 1, 366, 3
	case 'M':
		high = 59
	case 'm':
		low, high = 1, 12
	case 'S':
		high = 60
	case 'U', 'W':
		high = 53
	case 'u':
		low, high, width = 1, 7, 1
	case 'V':
		low, high = 1, 53
	case 'w':
		high, width = 6, 1
	}
	if strings.IndexByte("deHkIl", verb) >= 0 && strings.HasPrefix(s.rest(), " ") {
		s.at++
		width = 1
	}
	n, ok := s.digits(width)
	if !ok || n < low || n > high {
		return false
	}
	s.keep(verb, n)
	return true
}

// keep stores a field that matters for the time.
func (s *parser) keep(verb byte, n int64) {
	switch verb {
	case 'd', 'e':
		s.day = given(n)
	case 'H', 'k', 'I', 'l':
		s.hour, s.hasHour = n, true
	case 'M':
		s.minute = n
	case 'm':
		s.month = given(n)
	case 'S':
		s.second = n
	case 'y':
		s.year = given(n)
	}
	if (verb == 'y' || verb == 'g') && !s.century.set {
		s.century = given(19 + b2i(n < 69))
	}
}

// yearNumber parses a year or a century, which may have any number of digits.
func (s *parser) yearNumber(step scanStep) bool {
	negative := false
	if rest := s.rest(); step.verb == 'Y' && rest != "" && isSign(rest[0]) {
		negative = rest[0] == '-'
		s.at++
	}
	width := len(s.text)
	if step.packed {
		width = 4 - 2*int(b2i(step.verb == 'C'))
	}
	n, ok := s.digits(width)
	if negative {
		n = -n
	}
	switch step.verb {
	case 'Y':
		s.year = given(n)
	case 'C':
		s.century = given(n)
	}
	return ok
}

// digits parses a number of one to width digits. A number too large for any use
// becomes 10¹⁵.
func (s *parser) digits(width int) (n int64, ok bool) {
	const enough = 1e15
	count := scanDigits(s.upTo(width))
	for _, c := range []byte(s.rest()[:count]) {
		n = min(n*10+int64(c-'0'), enough)
	}
	s.at += count
	return n, count > 0
}

// fraction parses the fraction of the second, truncated to nanoseconds.
func (s *parser) fraction(step scanStep, width int) bool {
	negative := false
	if rest := s.rest(); rest != "" && isSign(rest[0]) {
		negative = rest[0] == '-'
		s.at++
	}
	if !step.packed {
		width = len(s.text)
	}
	count := scanDigits(s.upTo(width))
	digits := s.rest()[:count]
	s.at += count
	s.nanosecond = number((digits + "00000000")[:min(9, len(digits)+8)])
	s.beforeSecond = negative && strings.Trim(digits, "0") != ""
	return count > 0
}

// name parses one of names, or the first three letters of one, and returns its
// index.
func (s *parser) name(names []string) (index int, ok bool) {
	for i, name := range names {
		for _, form := range []string{name, name[:3]} {
			if hasPrefixFold(s.rest(), form) {
				s.at += len(form)
				return i, true
			}
		}
	}
	return 0, false
}

// half parses am, a.m., pm or p.m.
func (s *parser) half() bool {
	for i, forms := range [...][2]string{{"am", "a.m."}, {"pm", "p.m."}} {
		for _, form := range forms {
			if hasPrefixFold(s.rest(), form) {
				s.at += len(form)
				s.afternoon = given(int64(12 * i))
				return true
			}
		}
	}
	return false
}
