package psych

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
)

// The patterns of plain scalars that are not words.
var (
	instant  = lazyregexp.New(`^(-?\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt]|[\s\v]+)(\d{1,2}):(\d\d):(\d\d)(?:\.(\d*))?(?:[\s\v]*(Z|[-+]\d{1,2}:?(?:\d\d)?))?$`)
	date     = lazyregexp.New(`^\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)$`)
	base60   = lazyregexp.New(`^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}(\.[0-9_]*)?$`)
	float    = lazyregexp.New(`^[-+]?([0-9][0-9_,]*)?\.[0-9]*([eE][-+][0-9]+)?$`)
	integer  = lazyregexp.New(`^(?:[-+]?0b[0-1_,]+|[-+]?0[0-7_,]+|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)|[-+]?0x[0-9a-fA-F_,]+)$`)
	noDigits = lazyregexp.New(`^[-+]?\.$`)
	quoted   = lazyregexp.New(`^:(?:"(.*)"|'(.*)')`)
)

// Scalar returns the value of a plain scalar, as Psych's ScalarScanner does: undef, a
// Boolean, a number, a Timestamp, a Symbol, or otherwise a String.
func Scalar(s string) pcore.Value {
	switch {
	case s == "":
		return pcore.Undef{}
	case beginsLikeWord(s) || strings.Contains(s, "\n"):
		return word(s)
	case isInteger(s):
		n, _ := strconv.ParseInt(s, 10, 64)
		return pcore.Integer(n)
	}
	switch s[0] {
	case ':':
		if len(s) > 1 {
			return symbolOf(s)
		}
		return pcore.String(s)
	case '.', '-', '+', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return number(s)
	}
	return pcore.String(s)
}

// MaxNumber is the maximum length of the text of a number in bytes.
const MaxNumber = 4096

// IsLongNumber reports whether s would be a number if its text were not longer than
// MaxNumber. Scalar returns a String for it.
func IsLongNumber(s string) bool {
	return len(s) > MaxNumber && !beginsLikeWord(s) &&
		(base60.Get().MatchString(s) || float.Get().MatchString(s) || integer.Get().MatchString(s))
}

// number returns the value of a scalar that begins with a sign, a digit or a point.
func number(s string) pcore.Value {
	switch {
	case len(s) > MaxNumber:
		return pcore.String(s)
	case isDecimal(s):
		f, _ := strconv.ParseFloat(s, 64) // infinite if it is too large, as in Ruby
		return pcore.Float(f)
	case hasYear(s) && instant.Get().MatchString(s):
		return timeOf(s)
	case hasYear(s) && date.Get().MatchString(s):
		return dateOf(s)
	case strings.EqualFold(s, ".inf"), strings.EqualFold(s, "+.inf"):
		return pcore.Float(math.Inf(1))
	case strings.EqualFold(s, "-.inf"):
		return pcore.Float(math.Inf(-1))
	case strings.EqualFold(s, ".nan"):
		return pcore.Float(math.NaN())
	case strings.TrimLeft(s, "0123456789+-.:,_abcdefABCDEFx") != "": // no pattern below matches
		return pcore.String(s)
	case strings.Contains(s, ":") && base60.Get().MatchString(s):
		return sexagesimal(s)
	case strings.Contains(s, ".") && float.Get().MatchString(s):
		return floatOf(s)
	case integer.Get().MatchString(s):
		return integerOf(s)
	default:
		return pcore.String(s)
	}
}

// hasYear reports whether s can be a date, whose year of four digits may have a sign.
func hasYear(s string) bool { return len(s) > 5 && (s[4] == '-' || s[5] == '-') }

// beginsLikeWord reports whether the first or the second character of s is a letter,
// whitespace or one of many signs. Psych takes no such text for a number.
func beginsLikeWord(s string) bool {
	first, n := utf8.DecodeRuneInString(s)
	if isWordRune(first) {
		return true
	}
	if '0' <= first && first <= '9' || strings.ContainsRune(".:-", first) {
		return false
	}
	second, _ := utf8.DecodeRuneInString(s[n:])
	return n < len(s) && isWordRune(second)
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '\t' <= r && r <= '\r' || strings.IndexByte(" _!@#$%^&*(){}<>|/\\~;=", byte(r)) >= 0
	}
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_Alphabetic)
}

// isInteger reports whether s is one of the most frequent integers: few decimal digits,
// perhaps behind a minus.
func isInteger(s string) bool {
	const longest = 18
	digits := strings.TrimPrefix(s, "-")
	return len(digits) <= longest && (digits == "0" || isDigits(digits) && digits[0] != '0')
}

// isDecimal reports whether s is one of the most frequent floats: decimal digits on both
// sides of a point, perhaps behind a minus.
func isDecimal(s string) bool {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	return isDigits(whole) && isDigits(fraction)
}

// isDigits reports whether s is not empty and consists of decimal digits.
func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || '9' < s[i] {
			return false
		}
	}
	return s != ""
}

// foldCase replaces letters that Ruby takes for others if the case does not matter.
var foldCase = strings.NewReplacer("ſ", "s", "ﬀ", "ff")

// word returns the value of a text that begins like a word. Psych compares each line of
// a short text, so `no` on a line of its own makes false of it.
func word(s string) pcore.Value {
	switch s {
	case "true": // the spellings that are written most often
		return pcore.Boolean(true)
	case "false":
		return pcore.Boolean(false)
	case "null":
		return pcore.Undef{}
	}
	switch {
	case isNoWord(s):
		return pcore.String(s)
	case s == "~":
		return pcore.Undef{}
	case strings.HasPrefix(s, "\n"), strings.Contains(s, "\n\n"):
		return pcore.String(s)
	}
	found := make(map[string]bool)
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" && !mayBeWord(line) {
			return pcore.String(s)
		}
		found[foldCase.Replace(strings.ToLower(line))] = true
	}
	switch {
	case found["null"]:
		return pcore.Undef{}
	case found["yes"], found["true"], found["on"]:
		return pcore.Boolean(true)
	case found["no"], found["false"], found["off"]:
		return pcore.Boolean(false)
	default:
		return pcore.String(s)
	}
}

// isNoWord reports whether a text that begins like a word is none. It does not find
// all of them.
func isNoWord(s string) bool {
	const longest = 5
	if s[0] != '\n' && !mayBeWord(s) || len(s) > longest && utf8.RuneCountInString(s) > longest {
		return true
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] == '\n' {
			return false
		}
	}
	for _, w := range words {
		if strings.EqualFold(s, w) {
			return false
		}
	}
	return true
}

// words are the words with a meaning.
var words = [...]string{"~", "null", "yes", "true", "on", "no", "false", "off"}

// IsString reports whether [Scalar] returns a String.
func IsString(s string) bool {
	return IsText(s) || pcore.Is[pcore.String](Scalar(s))
}

// IsText reports whether the beginning or the length of s shows that [Scalar] returns a
// String, as for most texts. It does not allocate memory.
func IsText(s string) bool { return s != "" && beginsLikeWord(s) && isNoWord(s) }

// mayBeWord reports whether a line begins like one of the words.
func mayBeWord(line string) bool { return strings.IndexByte("ytonfYTONF~", line[0]) >= 0 }

// symbolOf returns the symbol of a scalar that begins with a colon.
func symbolOf(s string) pcore.Value {
	name := s[1:]
	if m := quoted.Get().FindStringSubmatch(s); m != nil {
		name = strings.TrimPrefix(m[1]+m[2], ":")
	}
	return symbol(name)
}

// symbol returns a symbol; the one named default is Puppet's default.
func symbol(name string) pcore.Value {
	if name == "default" {
		return pcore.Default{}
	}
	return pcore.Symbol(name)
}

// timeOf returns a Timestamp, or the text if it is out of the range of Ruby's Time.
func timeOf(s string) pcore.Value {
	m := instant.Get().FindStringSubmatch(s)
	var parts [6]int
	for i := range parts {
		parts[i], _ = strconv.Atoi(m[i+1])
	}
	month, day, hour, minute, second := parts[1], parts[2], parts[3], parts[4], parts[5]
	zone := offset(m[8])
	switch {
	case month < 1, month > 12, day < 1, day > 31, minute > 59, second > 60:
		return pcore.String(s)
	case hour > 24, hour == 24 && (minute > 0 || second > 0):
		return pcore.String(s)
	case max(zone, -zone) >= 24*60*60:
		return pcore.String(s)
	}
	t := time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], 0, time.UTC)
	fraction := (m[7] + "000000000")[:9]
	nsec, _ := strconv.ParseInt(fraction, 10, 64)
	return pcore.NewTimestamp(t.Unix()-zone, nsec)
}

// dateOf returns the beginning of a day, or the text if Ruby's calendar, which is
// Julian before 15 October 1582, has no such day.
func dateOf(s string) pcore.Value {
	var year, month, day int
	if _, err := fmt.Sscanf(s, "%d-%d-%d", &year, &month, &day); err != nil {
		return pcore.String(s)
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	julian := t.Before(time.Date(1582, 10, 15, 0, 0, 0, 0, time.UTC))
	switch {
	case julian && !t.Before(time.Date(1582, 10, 5, 0, 0, 0, 0, time.UTC)):
		return pcore.String(s) // left out when the calendar changed
	case t.Day() != day && !(julian && year%4 == 0 && month == 2 && day == 29):
		return pcore.String(s)
	}
	return pcore.NewTimestamp(t.Unix(), 0)
}

// offset returns the offset of a time zone from UTC in seconds, positive to the
// east.
func offset(zone string) int64 {
	if zone == "" || zone == "Z" {
		return 0
	}
	digits := strings.ReplaceAll(zone[1:], ":", "")
	var minutes int64
	if len(digits) > 2 {
		minutes, _ = strconv.ParseInt(digits[len(digits)-2:], 10, 64)
		digits = digits[:len(digits)-2]
	}
	hours, _ := strconv.ParseInt(digits, 10, 64)
	seconds := hours*3600 + minutes*60
	if zone[0] == '-' {
		return -seconds
	}
	return seconds
}

// leadingNumber matches the part of a text that Ruby's to_i and to_f read.
var leadingNumber = lazyregexp.New(`^[-+]?[0-9]+(?:_[0-9]+)*(\.[0-9]+(?:_[0-9]+)*)?`)

// sexagesimal parses a number in base 60. As in Psych, two parts are hours and
// minutes, and a sign only applies to the first part.
func sexagesimal(s string) pcore.Value {
	whole, sum := new(big.Int), 0.0
	for i, part := range strings.Split(s, ":") {
		power := []int64{3600, 60, 1}[i]
		part = strings.ReplaceAll(leadingNumber.Get().FindString(part), "_", "")
		f, _ := strconv.ParseFloat(part, 64) // infinite if it is too large, as in Ruby
		sum += f * float64(power)
		n, _ := new(big.Int).SetString(strings.TrimPrefix(strings.Split(part, ".")[0], "+"), 10)
		whole.Add(whole, n.Mul(n, big.NewInt(power)))
	}
	if strings.Contains(s, ".") {
		return pcore.Float(sum)
	}
	return pcore.NewBigInteger(whole)
}

// noSeparators removes the commas and underscores of a number.
var noSeparators = strings.NewReplacer(",", "", "_", "")

func floatOf(s string) pcore.Value {
	if noDigits.Get().MatchString(s) {
		return pcore.String(s)
	}
	f, err := strconv.ParseFloat(noSeparators.Replace(s), 64)
	if err != nil && !math.IsInf(f, 0) {
		return pcore.String(s)
	}
	return pcore.Float(f)
}

func integerOf(s string) pcore.Value {
	n, ok := new(big.Int).SetString(noSeparators.Replace(s), 0)
	if !ok {
		return pcore.String(s)
	}
	return pcore.NewBigInteger(n)
}
