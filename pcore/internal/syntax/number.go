package syntax

import (
	"unicode"
	"unicode/utf8"
)

// number scans a decimal, octal or hexadecimal integer or a float.
func (s *scanner) number() {
	end := numberEnd(s.src, s.pos)
	if end < 0 {
		s.badNumber()
		return
	}
	text := s.src[s.pos:end]
	if issue, message := numberFault(text); issue != "" {
		s.fail(s.pos, issue, "%s", message)
	} else {
		s.emit(number, s.pos, end, text)
	}
	s.pos = end
}

// numberEnd returns the end of the longest number that begins at i and ends at
// a word boundary, or -1. In "1.5x" this number is 1; the scanner handles the
// text after the dot later.
func numberEnd(src string, i int) int {
	if c := byteAt(src, i+1); src[i] == '0' && (c == 'x' || c == 'X') {
		end := i + 2
		for end < len(src) && isHex(src[end]) {
			end++
		}
		if end > i+2 && !wordFollows(src, end) {
			return end
		}
		return -1
	}
	whole := digits(src, i)
	fraction := whole
	if byteAt(src, whole) == '.' {
		if end := digits(src, whole+1); end > whole+1 {
			fraction = end
		}
	}
	exponent := fraction
	if c := byteAt(src, fraction); c == 'e' || c == 'E' {
		first := fraction + 1
		if byteAt(src, first) == '-' {
			first++
		}
		if end := digits(src, first); end > first {
			exponent = end
		}
	}
	for _, end := range [...]int{exponent, fraction, whole} {
		if !wordFollows(src, end) {
			return end
		}
	}
	return -1
}

// badNumber reports the run of word characters at the current position as an
// invalid number. If a dot and digits precede the run, they are part of the
// message.
func (s *scanner) badNumber() {
	start, end := s.pos, s.pos
	for end < len(s.src) && isWord(s.src[end]) {
		end++
	}
	next := end
	if start > 1 && s.src[start-1] == '.' {
		i := start - 1
		for i > 0 && isDigit(s.src[i-1]) {
			i--
		}
		if i < start-1 {
			start = i
		}
	}
	text := s.src[start:end]
	if issue, message := numberFault(text); issue != "" {
		s.fail(start, issue, "%s", message)
	} else {
		s.fail(start+1, "ILLEGAL_NUMBER", "Illegal number '%s'", text)
	}
	s.pos = next
}

// numberFault returns the error in the text of a number. The issue is empty if
// the number is valid.
func numberFault(text string) (issue, message string) {
	second := byteAt(text, 1)
	whole := digits(text, 0)
	switch next := byteAt(text, whole); {
	case text[0] == '0' && (second == 'x' || second == 'X'):
		if len(text) == 2 || !allBytes(text[2:], isHex) {
			return "INVALID_HEX_NUMBER", "Not a valid hex number " + text
		}
	case text[0] == '0' && len(text) > 1 && second != '.':
		if !allBytes(text, isOctal) {
			return "INVALID_OCTAL_NUMBER", "Not a valid octal number " + text
		}
	case next == '.' || next == 'e' || next == 'E':
		if numberEnd(text, 0) != len(text) {
			return "INVALID_DECIMAL_NUMBER", "Not a valid decimal number " + text
		}
	case whole < len(text):
		return "ILLEGAL_NUMBER", "Illegal number '" + text + "'"
	}
	return "", ""
}

// wordFollows reports whether there is a letter, digit, mark or connector of
// any script at i.
func wordFollows(src string, i int) bool {
	r, _ := utf8.DecodeRuneInString(src[i:])
	return i < len(src) && unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Pc)
}

// digits returns the end of the run of decimal digits that begins at i.
func digits(src string, i int) int {
	for i < len(src) && isDigit(src[i]) {
		i++
	}
	return i
}

// byteAt returns the byte at i, or 0 after the end.
func byteAt(src string, i int) byte {
	if i < len(src) {
		return src[i]
	}
	return 0
}

// allBytes reports whether is holds for all bytes of a text.
func allBytes(text string, is func(byte) bool) bool {
	for i := range len(text) {
		if !is(text[i]) {
			return false
		}
	}
	return true
}

func isOctal(c byte) bool { return c >= '0' && c <= '7' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
