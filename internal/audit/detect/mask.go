package detect

import "strings"

// isMask reports whether s is the replacement that a program wrote for a secret.
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
		return true // the visible part is a hint for the owner
	}
	return len(s) > 2 && len(strings.Trim(s, "*•.…#?xX")) == 0
}

// isLocked reports whether s is the password field of a locked account.
func isLocked(s string) bool {
	switch s {
	case "!", "!!", "*", "x", "X", "!*", "*!", "*LK*", "NP", "*NP*", "!locked", "*LOCKED*", "$p$root", "!!!", "-", "~", ".":
		return true
	}
	return strings.HasPrefix(s, "*LK*") || strings.HasPrefix(s, "!") && len(s) < 3
}

// mayMask reports whether s contains one of the characters of masks. It checks only the
// first byte of `‹`, `•` and `…`.
func mayMask(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case '[', '<', '(', '*', 'x', 'X', '.', '#', '?', "‹"[0]:
			return true
		}
	}
	return false
}
