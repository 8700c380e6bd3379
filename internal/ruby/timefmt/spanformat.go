package timefmt

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// ErrFractionAlone is wrapped by the error for a text parsed with a format that
// has %L or %N but no larger unit.
var ErrFractionAlone = errors.New("%L and %N are fractions and need %S, %M, %H or %D beside them")

// SpanFormat is a format of Timespans: text with the directives %D, %H, %M, %S,
// %L and %N. It is compiled once, immutable, and safe for concurrent use. The
// zero value is the empty format.
type SpanFormat struct {
	source   string
	segments []segment

	once       sync.Once // the first call of Parse compiles the pattern
	pattern    *regexp.Regexp
	patternErr error
}

// segment is a directive or, if unit is literal, text.
type segment struct {
	unit  unit
	text  string
	pad   byte // '0', ' ', or 0 for the flag -
	width int  // noWidth if absent
	// total reports that the segment includes the amount of larger units.
	total bool
}

const noWidth = -1

// unit is the unit of a directive, the smallest first.
type unit uint8

const (
	literal unit = iota
	nanoseconds
	milliseconds
	seconds
	minutes
	hours
	days
)

// unitOf returns the unit of a directive, or literal for other characters.
func unitOf(verb rune) unit {
	switch verb {
	case 'D':
		return days
	case 'H':
		return hours
	case 'M':
		return minutes
	case 'S':
		return seconds
	case 'L':
		return milliseconds
	case 'N':
		return nanoseconds
	default:
		return literal
	}
}

// inSeconds returns the length of the unit, or 1 for units of at most a second.
func (u unit) inSeconds() uint64 {
	switch u {
	case days:
		return day
	case hours:
		return hour
	case minutes:
		return minute
	default:
		return 1
	}
}

// defaultWidth returns the number of digits of a unit within the next larger
// one.
func (u unit) defaultWidth() int {
	switch u {
	case nanoseconds:
		return 9
	case milliseconds:
		return 3
	case days:
		return 1
	default:
		return 2
	}
}

// NewSpanFormat compiles a format. A directive is %, an optional flag - (no
// padding), _ (blanks) or 0 (zeros, the default), an optional width, and D, H,
// M, S, L or N for days, hours, minutes, seconds, milliseconds or nanoseconds.
// %% is a percent sign. The error, for anything else after %, is a
// [*FormatError].
func NewSpanFormat(source string) (*SpanFormat, error) {
	f := &SpanFormat{source: source}
	if err := f.compile(); err != nil {
		return nil, err
	}
	f.totalHighest()
	return f, nil
}

func (f *SpanFormat) compile() error {
	var text []byte
	padding := 0
	for rest := f.source; rest != ""; {
		before, after, found := strings.Cut(rest, "%")
		text = append(text, before...)
		if !found {
			break
		}
		s, n, reason := scanSegment(after)
		if padding += max(s.width, 0); reason == "" && padding > MaxPadding {
			reason = "the widths are too large"
		}
		if reason != "" {
			at := len(f.source) - len(after) - 1
			spec := f.source[at : at+1+n]
			return &FormatError{Format: f.source, Spec: spec, Reason: reason, Position: utf8.RuneCountInString(f.source[:at+1+n])}
		}
		if s.unit == literal {
			text = append(text, '%')
		} else {
			f.appendText(text)
			f.segments = append(f.segments, s)
			text = text[:0]
		}
		rest = after[n:]
	}
	f.appendText(text)
	return nil
}

func (f *SpanFormat) appendText(text []byte) {
	if len(text) > 0 {
		f.segments = append(f.segments, segment{text: string(text)})
	}
}

// scanSegment parses the text after a %. n is the length of the directive or,
// in case of an error, of its valid part; reason describes the error.
func scanSegment(text string) (s segment, n int, reason string) {
	s = segment{pad: '0', width: noWidth}
	for i, c := range text {
		switch {
		case c == '%':
			return segment{}, i + 1, ""
		case unitOf(c) != literal:
			s.unit = unitOf(c)
			return s, i + 1, ""
		case i == 0 && c == '-':
			s.pad = 0
		case i == 0 && c == '_':
			s.pad = ' '
		case i == 0 && c == '0':
		case '0' <= c && c <= '9':
			s.width = min(max(s.width, 0)*10+int(c-'0'), MaxPadding+1)
		default:
			return s, i, "only a flag -, _ or 0, a width, and D, H, M, S, L or N may follow %"
		}
	}
	return s, len(text), "a directive is not complete; write %% for a percent sign"
}

// totalHighest makes the first segment of the largest unit include the amount
// of larger units.
func (f *SpanFormat) totalHighest() {
	highest := -1
	for i, s := range f.segments {
		if s.unit != literal && (highest < 0 || s.unit > f.segments[highest].unit) {
			highest = i
		}
	}
	if highest >= 0 {
		f.segments[highest].total = true
	}
}

// Format returns d in the format, with a minus sign if d is negative. The
// largest unit in the format includes the amount of all larger units.
//
// %L and %N are left-aligned, padded with blanks, and drop trailing zeros
// unless padded with zeros. They always drop leading zeros, as in Puppet, so
// "%S.%-N" formats 5 milliseconds as "0.5". Only [Span.String] keeps them.
func (f *SpanFormat) Format(d Span) string { return string(f.AppendFormat(nil, d)) }

// AppendFormat appends the result of [SpanFormat.Format] to dst.
func (f *SpanFormat) AppendFormat(dst []byte, d Span) []byte {
	if d.IsNegative() {
		dst = append(dst, '-')
	}
	sec, nsec := d.magnitude()
	for _, s := range f.segments {
		switch s.unit {
		case literal:
			dst = append(dst, s.text...)
		case milliseconds, nanoseconds:
			dst = s.appendFraction(dst, sec, nsec)
		default:
			dst = s.appendCount(dst, sec)
		}
	}
	return dst
}

// appendCount appends the number of units in sec.
func (s segment) appendCount(dst []byte, sec uint64) []byte {
	n := sec / s.unit.inSeconds()
	switch {
	case s.total || s.unit == days:
	case s.unit == hours:
		n %= 24
	default:
		n %= 60
	}
	width := s.widthOr(s.unit.defaultWidth())
	if s.pad == 0 {
		width = 1
	}
	return appendUint(dst, n, s.pad, width)
}

// appendFraction appends the fraction of a second: as milliseconds, or with as
// many digits as the width, up to nanoseconds. If the segment is total, the
// digits of the seconds precede it.
func (s segment) appendFraction(dst []byte, sec uint64, nsec int64) []byte {
	precision := 3
	if s.unit == nanoseconds {
		precision = min(s.widthOr(9), 9)
	}
	digits := string(appendInt(nil, nsec, '0', 9)[:precision])
	if s.total {
		digits = strconv.FormatUint(sec, 10) + digits
	} else if s.pad != '0' {
		digits = strings.TrimRight(digits, "0")
	}
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		digits = "0"
	}
	dst = append(dst, digits...)
	if s.pad == 0 {
		return dst
	}
	for range s.widthOr(s.unit.defaultWidth()) - len(digits) {
		dst = append(dst, ' ')
	}
	return dst
}

func (s segment) widthOr(width int) int {
	if s.width == noWidth {
		return width
	}
	return s.width
}

// appendUint is [appendInt] for unsigned numbers.
func appendUint(dst []byte, n uint64, pad byte, width int) []byte {
	digits := strconv.FormatUint(n, 10)
	for range width - len(digits) {
		dst = append(dst, pad)
	}
	return append(dst, digits...)
}

const (
	// MaxParseWidth is the maximum sum of the widths in a format that can
	// parse.
	MaxParseWidth = 500
	// maxParseDirectives is the maximum number of directives in such a format.
	maxParseDirectives = 32
	// maxDigits is the maximum number of digits of a directive without a width.
	// A Span has at most 28.
	maxDigits = 256
)

// compilePattern returns the regular expression that Parse uses. Its groups are
// the same as Puppet's, because they decide how digits are divided between
// directives.
func (f *SpanFormat) compilePattern() (*regexp.Regexp, error) {
	var b strings.Builder
	b.WriteString(`\A-?`)
	width, directives := 0, 0
	for _, s := range f.segments {
		if s.unit == literal {
			b.WriteString(regexp.QuoteMeta(s.text))
			continue
		}
		b.WriteString(s.pattern())
		width += max(s.width, 0)
		directives++
		if width > MaxParseWidth || directives > maxParseDirectives || s.width == 0 && s.pad == 0 {
			return nil, &FormatError{
				Format: f.source, Spec: f.source, Position: utf8.RuneCountInString(f.source),
				Reason: fmt.Sprintf("it cannot parse: it may have %d directives, with widths above 0 and all together at most %d",
					maxParseDirectives, MaxParseWidth),
			}
		}
	}
	b.WriteString(`\z`)
	return regexp.Compile(b.String())
}

// pattern returns the group of a directive.
func (s segment) pattern() string {
	const digit, digitOrBlank = `[0-9]`, `[0-9\t-\r ]`
	given, width := s.width != noWidth, s.widthOr(s.unit.defaultWidth())
	switch {
	case !given && s.total && s.pad == ' ':
		return fmt.Sprintf(`[\t-\r ]{0,%d}(%s{1,%d})`, maxDigits, digit, maxDigits)
	case !given && s.total:
		return fmt.Sprintf(`(%s{1,%d})`, digit, maxDigits)
	case !given && s.pad == ' ':
		return fmt.Sprintf(`(%s{1,%d})`, digitOrBlank, width)
	case !given, s.pad == 0:
		return fmt.Sprintf(`(%s{1,%d})`, digit, width)
	case s.pad == ' ':
		return fmt.Sprintf(`(%s{%d})`, digitOrBlank, width)
	default:
		return fmt.Sprintf(`(%s{%d})`, digit, width)
	}
}

// ParseSpan parses a Timespan with the first format that matches. The default
// formats are %D-%H:%M:%S.%-N, %H:%M:%S.%-N, %M:%S.%-N, %S.%-N, %D-%H:%M:%S,
// %H:%M:%S, %D-%H:%M and %S. The error is a [*ParseError].
func ParseSpan(text string, formats ...*SpanFormat) (Span, error) {
	if len(formats) == 0 {
		formats = defaultSpanFormats()
	}
	failed := &ParseError{Text: text}
	for _, f := range formats {
		d, err := f.Parse(text)
		if err == nil {
			return d, nil
		}
		if bad := (*FormatError)(nil); errors.Is(err, ErrRange) || errors.As(err, &bad) {
			return Span{}, err
		}
		failed.Formats = append(failed.Formats, f.source)
	}
	return Span{}, failed
}

// defaultSpanFormats returns the default formats of a Timespan.
var defaultSpanFormats = sync.OnceValue(func() []*SpanFormat {
	var formats []*SpanFormat
	for _, source := range []string{
		"%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S",
	} {
		f, err := NewSpanFormat(source)
		if err == nil {
			formats = append(formats, f)
		}
	}
	return formats
})

// Parse parses a Timespan, which may have a minus sign. A directive matches as
// many digits as Format prints, or fewer if it has no width; the largest unit
// matches up to 256. %L and %N are fractions: 5 is half a second, regardless of
// the width. The error is a [*ParseError].
func (f *SpanFormat) Parse(text string) (Span, error) {
	fail := func(err error) (Span, error) {
		return Span{}, &ParseError{Text: text, Formats: []string{f.source}, Err: err}
	}
	f.once.Do(func() { f.pattern, f.patternErr = f.compilePattern() })
	if f.patternErr != nil {
		return fail(f.patternErr)
	}
	groups := f.pattern.FindStringSubmatch(text)
	if groups == nil {
		return fail(nil)
	}
	var err error
	sum := magnitude{negative: strings.HasPrefix(text, "-")}
	group := 0
	for _, s := range f.segments {
		if s.unit == literal {
			continue
		}
		group++
		digits := strings.TrimLeft(groups[group], "\t\n\v\f\r ")
		if scanDigits(digits) != len(digits) || digits == "" {
			return fail(nil)
		}
		if err == nil {
			err = sum.add(s, digits)
		}
	}
	d, rangeErr := sum.span()
	if err = cmp.Or(err, rangeErr); err != nil {
		return fail(err)
	}
	return d, nil
}

// magnitude accumulates a length and its sign.
type magnitude struct {
	negative bool
	sec      uint64
	nsec     int64
}

func (m *magnitude) add(s segment, digits string) error {
	per := s.unit.inSeconds()
	if s.unit == milliseconds || s.unit == nanoseconds {
		if s.total {
			return ErrFractionAlone
		}
		// Up to nine digits are a decimal fraction. More digits are a number of
		// nanoseconds: the digits before the last nine are seconds.
		digits += strings.Repeat("0", max(9-len(digits), 0))
		m.nsec += number(digits[len(digits)-9:])
		digits = "0" + digits[:len(digits)-9]
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	over, sec := bits.Mul64(n, per)
	var carry uint64
	m.sec, carry = bits.Add64(m.sec, sec, 0)
	if err != nil || over+carry > 0 {
		return ErrRange
	}
	return nil
}

func (m *magnitude) span() (Span, error) {
	sec, carry := bits.Add64(m.sec, uint64(m.nsec/second), 0)
	nsec := m.nsec % second
	if !m.negative {
		if carry > 0 || sec > math.MaxInt64 {
			return Span{}, ErrRange
		}
		return NewSpan(int64(sec), nsec)
	}
	if nsec > 0 {
		sec, nsec = sec+1, second-nsec
	}
	if carry > 0 || sec > 1<<63 {
		return Span{}, ErrRange
	}
	return NewSpan(int64(-sec), nsec)
}
