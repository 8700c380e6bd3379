package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// isStatus reports whether the value of an assignment is a word about the secret and not the secret:
// `password not changed`, in a log line also `password: expired`, and the constants of checks for PASS.
func (t *Text) isStatus(a *assign.Assignment) bool {
	if t.isOutcome(a) {
		return true
	}
	if !verdict.IsStatus(a.Value) || a.Start <= 0 || a.Start > len(t.S) {
		return false
	}
	if t.leaf.IsMessage() {
		return true
	}
	if t.S[a.Start-1] != ' ' || a.End > len(t.S) {
		return false
	}
	if strings.Contains(a.Value, " ") {
		return true // `"chpasswd: password not changed"`
	}
	rest := strings.TrimSpace(lineFrom(t.S, a.End))
	return strings.HasSuffix(strings.TrimRight(t.S[:a.Start], " "), a.Name) && (strings.Contains(rest, " ") || verdict.IsStatus(rest))
}

// lineFrom returns the rest of the line from a position.
func lineFrom(s string, at int) string {
	rest, _, _ := strings.Cut(s[min(at, len(s)):], "\n")
	return rest
}

// isOutcome reports whether an assignment names a result of checks, `STATUS_PASS="pass"`, beside others,
// `STATUS_FAIL="fail"`.
func (t *Text) isOutcome(a *assign.Assignment) bool {
	const pass = "pass"
	start := len(a.Name) - len(pass)
	if start < 0 || !strings.EqualFold(a.Name[start:], pass) || !verdict.IsOutcome(a.Value) {
		return false
	}
	if t.outcomes == nil {
		t.outcomes = t.outcomePrefixes()
	}
	prefix := variableAtEnd(a.Name[:start])
	if prefix == "" {
		return len(t.outcomes) > 0
	}
	_, others := t.outcomes[prefix]
	return others
}

// longestPrefix is the length of what may precede the word for a result in a name.
const longestPrefix = 64

// outcomePrefixes returns what precedes the words for results in the names that the text assigns: `STATUS_` of
// `STATUS_FAIL`.
func (t *Text) outcomePrefixes() map[string]struct{} {
	prefixes := map[string]struct{}{}
	for _, word := range []string{"FAIL", "WARN", "SKIP", "ERROR", "Fail", "Warn", "Skip", "Error", "fail", "warn", "skip"} {
		for at := range t.occurrences(word) {
			if !t.isAssigned(at + len(word)) {
				continue
			}
			prefixes[variableAtEnd(t.S[max(0, at-longestPrefix):at])] = struct{}{}
		}
	}
	return prefixes
}

// variableAtEnd returns the characters of the name of a variable at the end of a text.
func variableAtEnd(s string) string {
	return s[len(strings.TrimRightFunc(s, isInName)):]
}

// isInName reports whether a character can be in the name of a variable.
func isInName(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
}

// longestAssigned is the length of the rest of a name, quotes and blanks before the sign of an assignment.
const longestAssigned = 16

// isAssigned reports whether the text assigns a value to the name that ends at a position or soon after it.
func (t *Text) isAssigned(at int) bool {
	rest := t.S[at:min(at+longestAssigned, len(t.S))]
	rest = strings.TrimLeft(rest, `EDURINGeduring"' `) // FAILED, WARNING
	return rest != "" && (rest[0] == '=' || rest[0] == ':')
}
