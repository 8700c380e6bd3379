package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// prompts finds the passwords that Expect scripts send after a prompt.
type prompts struct{ *Text }

func (t prompts) search() {
	s := t.S
	for i := range places(s, "assword") {
		at := i + len("assword")
		line := s[at:min(len(s), at+reach)]
		line = line[:lineEnd(line, min(len(line), lineEnd(line, 0)+1))]
		_, rest, ok := strings.Cut(line, "send ")
		if !ok {
			continue
		}
		_, rest, _ = strings.Cut(rest, `"`)
		secret, _, ok := strings.Cut(rest, `\r"`)
		if line, _, found := strings.Cut(rest, `\n"`); found && (!ok || len(line) < len(secret)) {
			secret, ok = line, true
		}
		if !ok || strings.ContainsAny(secret, "\"\n") {
			continue
		}
		from := at + len(line) - len(rest)
		t.given("send", from, from+len(secret), verdict.Password)
	}
}
