package detect

import "strings"

// isMask tells what some program put in place of a secret.
func isMask(s string) bool {
	if !mayMask(s) {
		return false
	}
	low := strings.ToLower(s)
	for _, m := range []string{"[value redacted]", "[redacted", "<redacted", "(redacted", "<hidden", "[hidden", "(hidden",
		"[masked", "<masked", "[filtered", "<filtered", "[removed", "<removed", "<sensitive", "[sensitive", "(sensitive",
		"‹", "<secret hidden", "[secret", "*****", "xxxxxx", "••••"} {
		if strings.Contains(low, m) && (m[0] != '*' && m[0] != 'x' || len(strings.Trim(low, "*x")) == 0) {
			return true
		}
	}
	if len(s) <= 12 && (strings.HasPrefix(s, "****") || strings.HasSuffix(s, "****")) {
		return true // the rest is for people who know it
	}
	return len(s) > 2 && len(strings.Trim(s, "*•.…#?xX")) == 0
}

// isLocked tells what stands in place of a password that nobody has.
func isLocked(s string) bool {
	switch s {
	case "!", "!!", "*", "x", "X", "!*", "*!", "*LK*", "NP", "*NP*", "!locked", "*LOCKED*", "$p$root", "!!!", "-", "~", ".":
		return true
	}
	return strings.HasPrefix(s, "*LK*") || strings.HasPrefix(s, "!") && len(s) < 3
}

// mayMask reports whether s has one of the characters that each mask has some of,
// `‹`, `•` and `…` by the first of their bytes.
func mayMask(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case '[', '<', '(', '*', 'x', 'X', '.', '#', '?', "‹"[0]:
			return true
		}
	}
	return false
}
