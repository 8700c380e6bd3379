package decode

import (
	"strings"
	"unicode/utf16"
)

// isUTF16 reports whether s has a byte order mark, or zeros in every other byte.
func isUTF16(s string) bool {
	if len(s) < 8 || len(s)%2 != 0 {
		return false
	}
	if hasByteOrderMark(s) {
		return true
	}
	var zeros [2]int
	n := min(len(s), 256)
	for i := range n {
		if s[i] == 0 {
			zeros[i%2]++
		}
	}
	return zeros[0]*3 >= n || zeros[1]*3 >= n
}

// hasByteOrderMark reports whether s begins with the byte order mark of UTF-16.
func hasByteOrderMark(s string) bool {
	return strings.HasPrefix(s, "\xff\xfe") || strings.HasPrefix(s, "\xfe\xff")
}

// fromUTF16 returns the text of s.
func fromUTF16(s string) string {
	big := strings.HasPrefix(s, "\xfe\xff") || !strings.HasPrefix(s, "\xff\xfe") && s[0] == 0
	units := make([]uint16, 0, len(s)/2)
	for i := 0; i+1 < len(s); i += 2 {
		u := uint16(s[i]) | uint16(s[i+1])<<8
		if big {
			u = u>>8 | u<<8
		}
		if u != 0xfeff {
			units = append(units, u)
		}
	}
	return string(utf16.Decode(units))
}
