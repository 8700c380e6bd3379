package wire

import "unicode/utf8"

// InvalidUTF8 returns where in text the first bytes stand that are no
// character.
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
