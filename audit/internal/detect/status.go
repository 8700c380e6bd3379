package detect

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// isStatus reports whether the value of an assignment is a word about the secret and not the secret:
// `password not changed`, in a log line also `password: expired`, and the constant PASS of checks.
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
	last := t.S[a.Start-1]
	before := strings.TrimRight(t.S[:a.Start], " ")
	return last == ' ' && strings.HasSuffix(before, a.Name) && strings.Contains(strings.TrimSpace(lineFrom(t.S, a.End)), " ")
}

// lineFrom returns the rest of the line from a position.
func lineFrom(s string, at int) string {
	rest, _, _ := strings.Cut(s[min(at, len(s)):], "\n")
	return rest
}

// isOutcome reports whether an assignment names a result of checks, `PASS="pass"`, beside others.
func (t *Text) isOutcome(a *assign.Assignment) bool {
	if !strings.EqualFold(a.Name, "pass") || !verdict.IsOutcome(a.Value) {
		return false
	}
	return !strings.EqualFold(a.Value, "pass") || slices.ContainsFunc([]string{"FAIL", "WARN", "SKIP", "ERROR", "Fail", "Warn", "Skip", "Error", "fail", "warn", "skip"}, t.assigns)
}

// assigns reports whether the text assigns a value to a name.
func (t *Text) assigns(name string) bool {
	for at := range t.occurrences(name) {
		rest := strings.TrimLeft(lineFrom(t.S, at+len(name)), `EDURINGeduring"' `) // FAILED, WARNING
		if rest != "" && (rest[0] == '=' || rest[0] == ':') {
			return true
		}
	}
	return false
}
