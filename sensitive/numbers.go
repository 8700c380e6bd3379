package sensitive

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// minDigits is the number of digits from which a number is followed. Shorter ones appear
// in other text by chance.
const minDigits = 8

// floatText returns the decimal digits of a Float, without a fraction of zero: equal
// numbers have equal texts, as Integers, too.
func floatText(f pcore.Float) (text string, ok bool) {
	if math.IsInf(float64(f), 0) || math.IsNaN(float64(f)) {
		return "", false
	}
	return strconv.FormatFloat(float64(f), 'f', -1, 64), true
}

// spellings returns the usual texts of a number besides that of textOf: its digits in
// scientific notation and, without a fraction, in hexadecimal. Other values, and short
// numbers, have none.
func spellings(v pcore.Value) (texts []string) {
	switch v.(type) {
	case pcore.Integer, pcore.BigInteger, pcore.Float:
	default:
		return nil
	}
	text, _ := textOf(v)
	if digits(text) < minDigits {
		return nil
	}
	if n, ok := new(big.Int).SetString(text, 10); ok {
		if hex := strings.ToUpper(n.Abs(n).Text(16)); len(hex) >= minDigits {
			texts = append(texts, hex)
		}
	}
	if mantissa := mantissaOf(text); digits(mantissa) >= minDigits {
		texts = append(texts, mantissa)
	}
	return texts
}

// mantissaOf returns the significant digits of a decimal number with the point behind the
// first of them.
func mantissaOf(text string) string {
	significant := strings.Trim(strings.Replace(strings.TrimPrefix(text, "-"), ".", "", 1), "0")
	if len(significant) < 2 {
		return significant
	}
	return significant[:1] + "." + significant[1:]
}

func digits(text string) (n int) {
	for i := range len(text) {
		if '0' <= text[i] && text[i] <= '9' {
			n++
		}
	}
	return n
}

// isNumeric reports whether text may be a number.
func isNumeric(text string) bool {
	return strings.Trim(strings.TrimPrefix(text, "-"), "0123456789.") == "" && strings.Count(text, ".") <= 1
}

// judge returns why a text is not followed, like [secret.Judge], also for short numbers
// with a fraction.
func (s *matcher) judge(text string) secret.Reason {
	if reason := secret.Judge(text, s.held); reason != "" || !isNumeric(text) || digits(text) >= minDigits {
		return reason
	}
	return secret.TooCommon
}
