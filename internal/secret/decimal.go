package secret

import (
	"math/big"
	"strings"
)

// minDigits is the number of digits from which a number is followed. Shorter ones appear
// in other text by chance.
const minDigits = 8

// NumberForms returns the usual texts of a number besides its decimal digits, which are
// text: scientific notation and, without a fraction, hexadecimal digits. Short numbers have
// none.
func NumberForms(text string) (forms []string) {
	if digits(text) < minDigits {
		return nil
	}
	if n, ok := new(big.Int).SetString(text, 10); ok {
		if hex := strings.ToUpper(n.Abs(n).Text(16)); len(hex) >= minDigits {
			forms = append(forms, hex)
		}
	}
	if mantissa := mantissaOf(text); digits(mantissa) >= minDigits {
		forms = append(forms, mantissa)
	}
	return forms
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

// IsDecimal reports whether text may be a decimal number, with or without a fraction.
func IsDecimal(text string) bool {
	return strings.Trim(strings.TrimPrefix(text, "-"), "0123456789.") == "" && strings.Count(text, ".") <= 1
}

// isShortNumber reports whether text is a number of too few digits to be followed.
func isShortNumber(text string) bool { return IsDecimal(text) && digits(text) < minDigits }
