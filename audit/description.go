package audit

import (
	"cmp"
	"strings"
)

// description returns a description of a secret that may be shown. Texts that differ in blanks around them are one
// secret, with one description.
func description(secret, tag string) string {
	if secret == "" {
		return ""
	}
	secret = cmp.Or(strings.TrimSpace(secret), secret)
	return "‹" + lengthClass(len(secret)) + " chars, " + charClass(secret) + ", #" + tag + "›"
}

// lengthClass returns an approximate length.
func lengthClass(n int) string {
	switch {
	case n < 8:
		return "1-7"
	case n < 16:
		return "8-15"
	case n < 32:
		return "16-31"
	case n < 64:
		return "32-63"
	case n < 128:
		return "64-127"
	default:
		return "128+"
	}
}

func charClass(s string) string {
	var digits, hexadecimal, letters, others bool // hexadecimal: a to f
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\n':
			return "lines"
		case '0' <= c && c <= '9':
			digits = true
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			hexadecimal = true
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letters = true
		default:
			others = true
		}
	}
	switch {
	case others:
		return "mixed"
	case !hexadecimal && !letters:
		return "digits"
	case !letters:
		return "hex"
	case !digits:
		return "letters"
	default:
		return "letters and digits"
	}
}
