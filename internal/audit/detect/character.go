package detect

import "strings"

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

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// contained is the set of the bytes that occur in a text.
type contained [4]uint64

func (c *contained) byte(b byte) bool { return c[b>>6]>>(b&63)&1 != 0 }

// all reports whether the set contains each byte of text.
func (c *contained) all(text string) bool {
	for i := range len(text) {
		if !c.byte(text[i]) {
			return false
		}
	}
	return true
}

func bytesIn(s string) (c contained) {
	for i := range len(s) {
		c[s[i]>>6] |= 1 << (s[i] & 63)
	}
	return c
}
