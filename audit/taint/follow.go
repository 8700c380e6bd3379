package taint

import (
	"strings"
)

const (
	// minLength is how many bytes a secret must have to be followed, unless
	// it is mixed enough for minMixed.
	minLength = 8
	minMixed  = 6
	// maxWord is how long a text of letters only may be and still count as a
	// word that stands anywhere.
	maxWord = 14
)

// Followable reports whether a secret can be looked for in other text without
// being found by chance: words, numbers, paths, host names and public material
// are declared Sensitive, too, and stand everywhere.
func Followable(s string) bool {
	s = strings.TrimSpace(s)
	switch {
	case len(s) < minMixed, isWord(s), isNumber(s), isPublic(s), isPlace(s):
		return false
	case len(s) < minLength:
		return kinds(s) >= 3
	}
	return distinct(s) >= 4
}

// Maskable reports whether a secret can be told from the words of a report, so
// that it can be masked wherever it stands.
func Maskable(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= minMixed && !isWord(s) && !isNumber(s) && s != redacted
}

// isWord tells letters only, in one case but for the first, and not too long;
// and words of that kind joined by one separator.
func isWord(s string) bool {
	if len(s) > maxWord {
		return false
	}
	parts := 0
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ' ' }) {
		parts++
		rest := part[1:]
		for i := range len(part) {
			if c := part[i] | 0x20; c < 'a' || c > 'z' {
				return false
			}
		}
		if rest != strings.ToLower(rest) {
			if part != strings.ToUpper(part) {
				return false
			}
		}
	}
	return parts <= 2
}

// isNumber tells digits, also of versions, addresses and dates.
func isNumber(s string) bool {
	digits := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '.' || c == ':' || c == '-' || c == '/' || c == ' ':
		default:
			return false
		}
	}
	return len(s) < 8 || digits < len(s) || strings.Contains("012345678901234567890", s)
}

func isPublic(s string) bool {
	for _, p := range []string{"-----BEGIN CERTIFICATE", "-----BEGIN PUBLIC KEY", "-----BEGIN PGP PUBLIC", "ssh-rsa ", "ssh-ed25519 ",
		"-----BEGIN PKCS7", "ENC[", "$ANSIBLE_VAULT"} {
		if strings.HasPrefix(s, p) && !strings.Contains(s, "PRIVATE KEY") {
			return true
		}
	}
	return strings.HasPrefix(s, "%{") || strings.HasPrefix(s, "${") || strings.HasPrefix(s, "<%") || strings.HasPrefix(s, "{{") ||
		s == redacted
}

// isPlace tells paths, URLs without credentials, and host names.
func isPlace(s string) bool {
	if strings.ContainsAny(s, " \n\t") {
		return false
	}
	if _, rest, found := strings.Cut(s, "://"); found {
		return !strings.Contains(rest, "@") && !strings.ContainsAny(rest, "?=")
	}
	if isZone(s) || isMachine(s) {
		return true
	}
	if strings.HasPrefix(s, "/") || len(s) > 2 && s[1] == ':' && s[2] == '\\' {
		return !strings.ContainsAny(s, "+=") && strings.Count(s, "/")+strings.Count(s, `\`) >= 2
	}
	return strings.Count(s, ".") >= 2 && isHost(s)
}

// isZone tells time zones: `Europe/Berlin`, `America/New_York`.
func isZone(s string) bool {
	region, city, found := strings.Cut(s, "/")
	switch region {
	case "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific", "Etc", "US":
		return found && city != "" && strings.Trim(city, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-/+0123456789") == ""
	}
	return false
}

// isMachine tells what kinds of machines are called.
func isMachine(s string) bool {
	switch strings.ToLower(s) {
	case "x86_64", "aarch64", "ppc64le", "powerpc64", "riscv64", "armv7hl", "i386", "i686":
		return true
	}
	return false
}

func isHost(s string) bool {
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 20 {
			return false
		}
		for i := range len(label) {
			c := label[i]
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
				return false
			}
		}
	}
	return true
}

func kinds(s string) int {
	var lower, upper, digit, other int
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			lower = 1
		case c >= 'A' && c <= 'Z':
			upper = 1
		case c >= '0' && c <= '9':
			digit = 1
		default:
			other = 1
		}
	}
	return lower + upper + digit + other
}

func distinct(s string) int {
	var seen [256]bool
	n := 0
	for i := range len(s) {
		if !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n
}
