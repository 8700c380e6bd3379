package wire

import "unicode/utf8"

// InvalidUTF8 returns the position of the first invalid bytes in text, or its
// length.
func InvalidUTF8(text []byte) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(text)
}
