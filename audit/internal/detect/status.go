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

// isOutcome reports whether an assignment names a result of checks, `PASS="pass"`, beside others,
// `FAIL="fail"`.
func (t *Text) isOutcome(a *assign.Assignment) bool {
	if !strings.EqualFold(a.Name, "pass") || !verdict.IsOutcome(a.Value) {
		return false
	}
	if t.outcomes == nil {
		found := slices.ContainsFunc([]string{"FAIL", "WARN", "SKIP", "ERROR", "Fail", "Warn", "Skip", "Error", "fail", "warn", "skip"}, t.assigns)
		t.outcomes = &found
	}
	return *t.outcomes
}

// longestAssigned is the length of the rest of a name, quotes and blanks before the sign of an assignment.
const longestAssigned = 16

// assigns reports whether the text assigns a value to a name.
func (t *Text) assigns(name string) bool {
	for at := range t.occurrences(name) {
		rest := t.S[at+len(name) : min(at+len(name)+longestAssigned, len(t.S))]
		rest = strings.TrimLeft(rest, `EDURINGeduring"' `) // FAILED, WARNING
		if rest != "" && (rest[0] == '=' || rest[0] == ':') {
			return true
		}
	}
	return false
}
