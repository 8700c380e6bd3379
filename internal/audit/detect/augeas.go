package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// conditions finds the values that the condition `onlyif` of Augeas compares the nodes of a
// tree with: `match /files/etc/x/password[. = 'X'] size == 0`, `get …/password != 'X'`.
type conditions struct{ *Text }

func (t conditions) search() {
	if t.flow != command || t.resourceType() != "Augeas" {
		return
	}
	var words []word
	for i := range places(t.S, "=") {
		behind := t.S[i+1 : min(len(t.S), i+1+verdict.MaxName)]
		if value := strings.TrimLeft(behind, " "); value == "" || value[0] != '\'' && value[0] != '"' {
			continue
		}
		if words = wordsIn(words[:0], t.S, i+1, i+1+len(behind)); len(words) == 0 {
			continue
		}
		path := strings.TrimRight(t.S[max(0, i-verdict.MaxName):i], " !=.[")
		for _, text := range []string{"/#text", "#text", "#attribute/value"} {
			path = strings.TrimRight(strings.TrimSuffix(path, text), "[/")
		}
		name := lastPart(path)
		if as := t.sortOf(name); as.Secret() {
			t.given(name, words[0].start, words[0].end, as)
		}
	}
}
