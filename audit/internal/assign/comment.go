package assign

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// comment finds the settings in the line of a comment, which are out of use: `# password = X`. Manuals show examples there, so
// a value must look drawn at random, in a program beyond doubt, or follow the rules for passwords and have a mark.
func (l *assigner) comment() {
	const signs = "#;/!*- \t"
	line := l.S[l.start:l.end]
	if !strings.ContainsAny(line, "=:") || !strings.ContainsAny(line, "0123456789") {
		return
	}
	inner := *l
	inner.start += len(line) - len(strings.TrimLeft(line, signs))
	inner.yield = func(a Assignment) {
		if a.Class > verdict.Hint && (!l.IsProgram && verdict.IsRandom(a.Value) || verdict.IsDrawnOrMarked(a.Value)) {
			a.Class = verdict.Token
			l.yield(a)
		}
	}
	inner.line()
}

// tight finds the password behind a colon without blanks, whose name begins at first: `user:app;password:X`. Times, addresses, paths and the
// members of a program look alike, so the value must look like a password.
func (l *assigner) tight(name string, first, from int) {
	const between, ends, no = " \t;,|", " \t\r\n;,|\"'`", "/:@{}()[]<>$\\="
	if l.IsProgram || first > l.start && strings.IndexByte(between, l.S[first-1]) < 0 || l.Names.ClassOf(name) <= verdict.Hint {
		return
	}
	value := l.S[from:l.end]
	if n := strings.IndexAny(value, ends); n >= 0 {
		value = value[:n]
	}
	if !strings.ContainsAny(value, no) && (verdict.FollowsRules(value) || verdict.IsUnmistakable(value)) {
		l.yield(Assignment{Name: name, Value: value, Start: from, End: from + len(value), Class: verdict.Token, Inline: first > l.start})
	}
}
