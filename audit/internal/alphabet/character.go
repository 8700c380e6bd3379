package alphabet

import (
	"encoding/binary"
	"math/bits"
	"unicode"
)

// IsWordByte reports whether c is a letter, a digit or an underscore.
func IsWordByte(c byte) bool {
	return c == '_' || IsAlnum(c)
}

// IsAlnum reports whether c is an ASCII letter or digit.
func IsAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// IsLatin reports whether s consists of ASCII letters.
func IsLatin(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

// IsLatinName reports whether s consists of ASCII letters, and of dashes and underscores
// beside them.
func IsLatinName(s string) bool {
	letters := false
	for i := range len(s) {
		switch c := s[i]; {
		case IsLetter(c):
			letters = true
		case c != '-' && c != '_':
			return false
		}
	}
	return letters
}

// IsHex reports whether s consists of hexadecimal digits.
func IsHex(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return s != ""
}

// IsLetter reports whether c is an ASCII letter.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// IsNumber reports whether s consists of digits.
func IsNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// Contained is the set of the bytes that occur in a text.
type Contained [4]uint64

// Has reports whether the set contains b.
func (c *Contained) Has(b byte) bool { return c[b>>6]>>(b&63)&1 != 0 }

// Len returns the number of bytes in the set.
func (c *Contained) Len() int {
	n := 0
	for _, word := range c {
		n += bits.OnesCount64(word)
	}
	return n
}

// HasAll reports whether the set contains each byte of text.
func (c *Contained) HasAll(text string) bool {
	for i := range len(text) {
		if !c.Has(text[i]) {
			return false
		}
	}
	return true
}

// Within reports whether another set contains each byte of the set.
func (c *Contained) Within(other *Contained) bool {
	for i := range c {
		if c[i]&^other[i] != 0 {
			return false
		}
	}
	return true
}

// ContainedIn returns the set of the bytes of s.
func ContainedIn(s string) Contained {
	const long = 96
	if len(s) >= long {
		return containedInLong(s)
	}
	var digits, letters, high, highest uint64 // in registers, unlike the elements of an array
	for i := range len(s) {
		switch bit := uint64(1) << (s[i] & 63); s[i] >> 6 {
		case 0:
			digits |= bit
		case 1:
			letters |= bit
		case 2:
			high |= bit
		default:
			highest |= bit
		}
	}
	return Contained{digits, letters, high, highest}
}

// containedInLong is [ContainedIn] for a long text: it notes each byte in a table first.
func containedInLong(s string) (c Contained) {
	var table [256]byte
	for i := range len(s) {
		table[s[i]] = 1
	}
	const gather = 0x0102040810204080 // moves the lowest bits of eight bytes into the highest byte
	for i := range c {
		for k := range 8 {
			c[i] |= binary.LittleEndian.Uint64(table[64*i+8*k:]) * gather >> 56 << (8 * k)
		}
	}
	return c
}

// IsLetterOrDigit reports whether r is a letter or a digit of any script.
func IsLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Count returns the number of digits, of letters of each case, and of other bytes.
func Count(s string) (digits, lower, upper, other int) {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upper++
		default:
			other++
		}
	}
	return
}

// IsLetters reports whether s consists of letters of any script.
func IsLetters(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

// IsBlank reports whether c is a blank or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }
