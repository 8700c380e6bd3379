package psych

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
)

// The patterns of plain scalars, in the order in which Psych tries them.
var (
	textual  = lazyregexp.New(`(?m)^[^\d.:\-]?[\p{L}\p{M}_\s!@#$%^&*(){}<>|/\\~;=]+`)
	instant  = lazyregexp.New(`^(-?\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt]|\s+)(\d{1,2}):(\d\d):(\d\d)(?:\.(\d*))?(?:\s*(Z|[-+]\d{1,2}:?(?:\d\d)?))?$`)
	date     = lazyregexp.New(`^\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)$`)
	infinite = lazyregexp.New(`(?i)^([-+]?)\.inf$`)
	notANum  = lazyregexp.New(`(?i)^\.nan$`)
	symbol   = lazyregexp.New(`^:.`)
	base60   = lazyregexp.New(`^[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}(\.[0-9_]*)?$`)
	float    = lazyregexp.New(`^[-+]?([0-9][0-9_,]*)?\.[0-9]*([eE][-+][0-9]+)?$`)
	integer  = lazyregexp.New(`^(?:[-+]?0b[0-1_,]+|[-+]?0[0-7_,]+|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)|[-+]?0x[0-9a-fA-F_,]+)$`)
	noDigits = lazyregexp.New(`^[-+]?\.$`)
)

// Scalar returns the value of a plain scalar: undef, a Boolean, a number, a
// Timestamp, a Symbol, or otherwise a String.
func Scalar(s string) pcore.Value {
	switch {
	case s == "":
		return pcore.Undef{}
	case textual.Get().MatchString(s) || strings.Contains(s, "\n"):
		return word(s)
	case instant.Get().MatchString(s):
		return timeOf(s)
	case date.Get().MatchString(s):
		return dateOf(s)
	case infinite.Get().MatchString(s):
		if s[0] == '-' {
			return pcore.Float(math.Inf(-1))
		}
		return pcore.Float(math.Inf(1))
	case notANum.Get().MatchString(s):
		return pcore.Float(math.NaN())
	case symbol.Get().MatchString(s):
		return symbolOf(s[1:])
	case base60.Get().MatchString(s):
		return sexagesimal(s)
	case float.Get().MatchString(s):
		return floatOf(s)
	case integer.Get().MatchString(s):
		return integerOf(s)
	default:
		return pcore.String(s)
	}
}

func word(s string) pcore.Value {
	switch strings.ToLower(s) {
	case "~", "null":
		return pcore.Undef{}
	case "yes", "true", "on":
		return pcore.Boolean(true)
	case "no", "false", "off":
		return pcore.Boolean(false)
	default:
		return pcore.String(s)
	}
}

func symbolOf(name string) pcore.Value {
	if n := len(name); n >= 2 && (name[0] == '"' || name[0] == '\'') && name[n-1] == name[0] {
		name = name[1 : n-1]
	}
	if name == "default" {
		return pcore.Default{}
	}
	return pcore.Symbol(name)
}

func timeOf(s string) pcore.Value {
	m := instant.Get().FindStringSubmatch(s)
	var parts [6]int
	for i := range parts {
		parts[i], _ = strconv.Atoi(m[i+1])
	}
	t := time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], 0, time.UTC)
	fraction := (m[7] + "000000000")[:9]
	nsec, _ := strconv.ParseInt(fraction, 10, 64)
	return pcore.NewTimestamp(t.Unix()-offset(m[8]), nsec)
}

// dateOf returns the beginning of a day, or the text if there is no such day.
func dateOf(s string) pcore.Value {
	t, err := time.Parse("2006-1-2", s)
	if err != nil {
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

// sexagesimal parses a number in base 60. As in Psych, two parts are hours and
// minutes, and a sign only applies to the first part.
func sexagesimal(s string) pcore.Value {
	var whole int64
	var sum float64
	isFloat := strings.Contains(s, ".")
	for i, part := range strings.Split(s, ":") {
		power := int64(math.Pow(60, math.Abs(float64(i-2))))
		part = strings.ReplaceAll(part, "_", "")
		f, _ := strconv.ParseFloat(strings.TrimSuffix(part, "."), 64)
		sum += f * float64(power)
		n, _ := strconv.ParseInt(part, 10, 64)
		whole += n * power
	}
	if isFloat {
		return pcore.Float(sum)
	}
	return pcore.Integer(whole)
}

func floatOf(s string) pcore.Value {
	if noDigits.Get().MatchString(s) {
		return pcore.String(s)
	}
	f, err := strconv.ParseFloat(strings.NewReplacer(",", "", "_", "").Replace(s), 64)
	if err != nil && !math.IsInf(f, 0) {
		return pcore.String(s)
	}
	return pcore.Float(f)
}

func integerOf(s string) pcore.Value {
	n, ok := new(big.Int).SetString(strings.NewReplacer(",", "", "_", "").Replace(s), 0)
	if !ok {
		return pcore.String(s)
	}
	return pcore.NewBigInteger(n)
}
