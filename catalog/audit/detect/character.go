package detect

import (
	"strings"
	"unicode/utf8"
)

func isWordByte(c byte) bool {
	return c == '_' || isAlnum(c)
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func letters(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

func isHex(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return s != ""
}

func isBase64(s string) bool {
	t := strings.TrimRight(s, "=")
	for i := range len(t) {
		if c := t[i]; !isAlnum(c) && c != '+' && c != '/' && c != '-' && c != '_' {
			return false
		}
	}
	return t != "" && len(s)-len(t) < 3
}

// isFolded reports whether s is base64 with blanks and line breaks in it.
func isFolded(s string) bool {
	for i := range len(s) {
		if c := s[i]; c > ' ' && c < utf8.RuneSelf && !isBase64Byte(c) && c != '=' {
			return false
		}
	}
	return isBase64(strings.Join(strings.Fields(s), ""))
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
