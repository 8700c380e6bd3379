package secret

import (
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

const (
	// minTraceable is the minimum length in bytes of a traceable secret; minMixed applies
	// to one with three kinds of characters.
	minTraceable = 8
	minMixed     = 6
	// maxWord is the length in bytes up to which letters alone form a word.
	maxWord = 14
)

// Traceable reports whether an occurrence of a secret in other text is evidence of a
// leak. Words, numbers, paths, host names and public material are sometimes declared
// Sensitive and occur everywhere. Traceable is stricter than [Judge], which decides on
// replacement: a wrong replacement costs less than a wrong finding.
func Traceable(s string) bool {
	s = strings.TrimSpace(s)
	switch {
	case len(s) < minMixed, isPlainWord(s), isWordInDisguise(s), isNumber(s), isPublic(s), isLocation(s):
		return false
	case len(s) < minTraceable:
		return kinds(s) >= 3
	}
	return distinct(s) >= 4
}

// Maskable reports whether a secret is distinct enough from ordinary words that every
// occurrence in a report can be masked.
func Maskable(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= minMixed && !isPlainWord(s) && !isWordInDisguise(s) && !isNumber(s) && s != pcore.RedactedText
}

// isWordInDisguise reports whether s is a common password that is a word but for its
// capitals, such as `SeCrEt`. Case is ignored in searches, so the word would be found
// everywhere.
func isWordInDisguise(s string) bool {
	low := strings.ToLower(s)
	return isPlainWord(low) && (IsOrdinary(low) || IsCommonPassword(low))
}

// isPlainWord reports whether s is at most maxWord bytes long and consists of one or two
// words joined by a separator. A word has letters only, in lower case except the first,
// or all in upper case.
func isPlainWord(s string) bool {
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

// isNumber reports whether s is a number, including versions, addresses and dates.
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
		s == pcore.RedactedText
}

// isLocation reports whether s is a path, a URL without credentials, or a host name.
func isLocation(s string) bool {
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

// isPlace reports whether a text is the name of a file, a host, or a URL without credentials, in
// which no part looks drawn at random.
func isPlace(s string) bool {
	s = strings.TrimSpace(s)
	if !isLocation(s) {
		return false
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(`/\.:-_`, r) }) {
		if isToken(part) {
			return false
		}
	}
	return true
}

// isZone reports whether s is a time zone: `Europe/Berlin`, `America/New_York`.
func isZone(s string) bool {
	region, city, found := strings.Cut(s, "/")
	switch region {
	case "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific", "Etc", "US":
		return found && city != "" && strings.Trim(city, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-/+0123456789") == ""
	}
	return false
}

// isMachine reports whether s is the name of an architecture.
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
