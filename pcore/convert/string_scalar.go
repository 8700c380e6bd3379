package convert

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/ruby/literal"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
)

// flagged applies width, precision and the flag - to a formatted text.
func (f *stringFormat) flagged(text string) (string, error) {
	if !f.left && f.width == 0 && f.prec < 0 {
		return text, nil
	}
	b := []byte{'%'}
	if f.left {
		b = append(b, '-')
	}
	if f.width > 0 {
		b = strconv.AppendInt(b, int64(f.width), 10)
	}
	if f.prec >= 0 {
		b = strconv.AppendInt(append(b, '.'), int64(f.prec), 10)
	}
	return rubytext.Format(string(append(b, 's')), pcore.String(text))
}

// ruby formats v with Ruby's format, using the given letter instead of
// f.letter.
func (f *stringFormat) ruby(letter byte, v pcore.Value) (string, error) {
	return rubytext.Format(strings.ReplaceAll(f.text, string(f.letter), string(letter)), v)
}

func (f *stringFormat) pick(plain, alt string) (string, error) {
	if f.alt {
		return f.flagged(alt)
	}
	return f.flagged(plain)
}

func undefString(f *stringFormat) (string, error) {
	switch f.letter {
	case 'n':
		return f.pick("nil", "null")
	case 'u':
		return f.pick("undef", "undefined")
	case 'd', 'x', 'X', 'o', 'b', 'B', 'e', 'E', 'f', 'g', 'G', 'a', 'A':
		return f.flagged("NaN")
	case 'v':
		return f.flagged("n/a")
	case 'V':
		return f.flagged("N/A")
	case 's':
		return f.pick("", `""`)
	case 'p':
		return f.pick("undef", `"undef"`)
	}
	return "", illegal("Undef", f, "nudxXobBeEfgGaAvVsp")
}

func defaultString(f *stringFormat) (string, error) {
	switch f.letter {
	case 'd', 's', 'p':
		return f.pick("default", `"default"`)
	case 'D':
		return f.pick("Default", `"Default"`)
	}
	return "", illegal("Default", f, "dDsp")
}

func booleanString(v pcore.Boolean, f *stringFormat) (string, error) {
	word := func(yes, no string) (string, error) {
		if v {
			return f.pick(yes, yes[:1])
		}
		return f.pick(no, no[:1])
	}
	switch f.letter {
	case 't':
		return word("true", "false")
	case 'T':
		return word("True", "False")
	case 'y':
		return word("yes", "no")
	case 'Y':
		return word("Yes", "No")
	case 'd', 'x', 'X', 'o', 'b', 'B':
		if v {
			return integerString(pcore.Integer(1), f)
		}
		return integerString(pcore.Integer(0), f)
	case 'e', 'E', 'f', 'g', 'G', 'a', 'A':
		if v {
			return floatString(1, f)
		}
		return floatString(0, f)
	case 's', 'p':
		return f.flagged(strconv.FormatBool(bool(v)))
	}
	return "", illegal("Boolean", f, "tTyYdxXobBeEfgGaAsp")
}

// integerString formats an Integer or a BigInteger.
func integerString(v pcore.Value, f *stringFormat) (string, error) {
	switch f.letter {
	case 'd', 'x', 'X', 'o', 'b', 'B', 'p':
		return rubytext.Format(f.text, v)
	case 'e', 'E', 'f', 'g', 'G', 'a', 'A':
		x, err := rubytext.Float(v)
		if err != nil {
			return "", err
		}
		return rubytext.Format(f.text, pcore.Float(x))
	case 'c':
		n, ok := v.(pcore.Integer)
		if !ok || n < 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
			return "", errors.New("the integer is not the number of a character")
		}
		c := string(rune(n))
		if f.alt {
			c = `"` + c + `"`
		}
		return f.ruby('s', pcore.String(c))
	case 's':
		letter := byte('s')
		if f.alt {
			letter = 'p'
		}
		return f.ruby(letter, pcore.String(rubytext.Text(v)))
	}
	return "", illegal("Integer", f, "dxXobBeEfgGaAspc")
}

func floatString(v pcore.Float, f *stringFormat) (string, error) {
	switch f.letter {
	case 'd', 'x', 'X', 'o', 'b', 'B':
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return "", errors.New("a Float that is not finite has no integer format")
		}
		n, _ := big.NewFloat(float64(v)).Int(nil)
		return rubytext.Format(f.text, pcore.NewBigInteger(n))
	case 'e', 'E', 'f', 'g', 'G', 'a', 'A', 'p':
		return rubytext.Format(f.text, v)
	case 's':
		text := rubytext.Text(v)
		if f.alt {
			text = `"` + text + `"`
		}
		return rubytext.Format(f.text, pcore.String(text))
	}
	return "", illegal("Float", f, "dxXobBeEfgGaAsp")
}

func stringString(s string, f *stringFormat) (string, error) {
	switch f.letter {
	case 's':
		if f.text == "%s" { // of any length
			return s, nil
		}
		return rubytext.Format(f.text, pcore.String(s))
	case 'p':
		if f.alt {
			return f.flagged(literal.DoubleQuote(s))
		}
		return f.flagged(literal.Quote(s))
	case 'c':
		s = rubytext.Capitalize(s)
	case 'C':
		segments := strings.Split(s, "::")
		for i, segment := range segments {
			segments[i] = rubytext.Capitalize(segment)
		}
		s = strings.TrimRight(strings.Join(segments, "::"), ":")
	case 'u':
		s = rubytext.Upcase(s)
	case 'd':
		s = rubytext.Downcase(s)
	case 't':
		s = rubytext.Strip(s)
	default:
		return "", illegal("String", f, "cCudspt")
	}
	if f.alt {
		return f.flagged(literal.Quote(s))
	}
	return f.ruby('s', pcore.String(s))
}

func symbolString(s string, f *stringFormat) (string, error) {
	switch f.letter {
	case 's':
		return s, nil
	case 'p':
		return literal.Quote(s), nil
	case 'q':
		return rubytext.Inspect(pcore.Symbol(s)), nil
	}
	return "", illegal("Runtime", f, "spq")
}

func regexpString(v *pcore.Regexp, f *stringFormat) (string, error) {
	switch f.letter {
	case 'p':
		return f.ruby('s', pcore.String(v.String()))
	case 's':
		text := v.Source()
		if f.alt {
			text = literal.Quote(text)
		}
		return rubytext.Format(f.text, pcore.String(text))
	}
	return "", illegal("Regexp", f, "sp")
}

func typeString(v pcore.Type, f *stringFormat) (string, error) {
	text := pcore.TypeText(v)
	switch f.letter {
	case 's':
		if f.alt {
			text = `"` + text + `"`
		}
		return rubytext.Format(f.text, pcore.String(text))
	case 'p':
		return f.ruby('s', pcore.String(text))
	}
	return "", illegal("Type", f, "sp")
}

func binaryString(v pcore.Binary, f *stringFormat) (string, error) {
	letter := byte('s')
	if f.alt {
		letter = 'p'
	}
	switch f.letter {
	case 's':
		switch {
		case f.alt:
			return f.ruby('s', pcore.String(inspectBytes(v.Raw())))
		case !utf8.ValidString(v.Raw()):
			return "", errors.New("the Binary is not text in UTF-8; use the format %B for base64")
		}
		return f.ruby('s', pcore.String(v.Raw()))
	case 'p':
		text, err := f.ruby('s', pcore.String(v.Base64()))
		return `Binary("` + text + `")`, err
	case 'b':
		return f.ruby(letter, pcore.String(wrapped(v.Base64())))
	case 'B':
		return f.ruby(letter, pcore.String(v.Base64()))
	case 'u':
		return f.ruby(letter, pcore.String(urlSafe(v.Base64())))
	case 't':
		return f.ruby(letter, pcore.String("Binary"))
	case 'T':
		return f.ruby(letter, pcore.String("BINARY"))
	}
	return "", illegal("Binary", f, "bButTsp")
}

// inspectBytes returns bytes in double quotes, escaped as in Ruby for a String
// that is not text: non-printable bytes have two hexadecimal digits.
func inspectBytes(s string) string {
	b := []byte{'"'}
	for s != "" {
		n := strings.IndexFunc(s, isRawByte)
		if n < 0 {
			n = len(s)
		}
		quoted := rubytext.Quote(s[:n])
		b = append(b, quoted[1:len(quoted)-1]...)
		for s = s[n:]; s != "" && isRawByte(rune(s[0])); s = s[1:] {
			b = fmt.Appendf(b, `\x%02X`, s[0])
		}
	}
	return string(append(b, '"'))
}

// isRawByte reports whether a byte is not printable and has no escape letter.
func isRawByte(r rune) bool {
	return r >= 0x7f || r < ' ' && strings.IndexByte("\a\b\t\n\v\f\r\x1b", byte(r)) < 0
}

// urlSafe converts base64 from the standard alphabet to the URL alphabet.
func urlSafe(base64 string) string {
	return strings.ReplaceAll(strings.ReplaceAll(base64, "+", "-"), "/", "_")
}

// wrapped breaks base64 into lines of 60 characters, like Ruby's pack.
func wrapped(base64 string) string {
	var b strings.Builder
	for len(base64) > 0 {
		n := min(60, len(base64))
		b.WriteString(base64[:n])
		b.WriteByte('\n')
		base64 = base64[n:]
	}
	return b.String()
}
