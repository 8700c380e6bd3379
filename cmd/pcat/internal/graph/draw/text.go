package draw

import (
	"strings"
	"unicode"
)

// fontSize is the size of names, and titleSize that of the titles of containers.
const (
	fontSize  = 12
	titleSize = 13
)

// textWidth returns the width of a text in pixels, in the widest usual font. Titles are bold.
func textWidth(s string, title bool) float64 {
	width := 0.0
	for _, r := range s {
		width += runeWidth(r)
	}
	if title {
		return width * titleSize * 1.2
	}
	return width * fontSize
}

// runeWidth returns the width of a character at a size of 1.
func runeWidth(r rune) float64 {
	switch {
	case strings.ContainsRune("ijl.,:;'|! ", r):
		return .33
	case strings.ContainsRune(`frt/\()[]-`, r):
		return .41
	case strings.ContainsRune("mwMW@%", r):
		return .97
	case r >= 0x1100:
		return 1
	case unicode.IsUpper(r), r == '_':
		return .7
	default:
		return .63
	}
}

// fitted returns a text, without characters in its middle if it is wider than the space.
func fitted(s string, space float64, title bool) string {
	runes := []rune(s)
	for n := len(runes); n > 2; n-- {
		text := s
		if n < len(runes) {
			text = string(runes[:n/2]) + "…" + string(runes[len(runes)-(n-n/2):])
		}
		if textWidth(text, title) <= space {
			return text
		}
	}
	return ""
}
