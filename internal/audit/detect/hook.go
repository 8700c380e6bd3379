package detect

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/audit/knowledge"
	"github.com/pcatdev/pcat/internal/audit/token"
	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// webhook is a path that contains a secret. It is a row of knowledge/webhooks.txt.
type webhook struct {
	before []string // the parts before the secret, in order
	least  int      // minimum length of the secret
}

// webhooks returns the rows of the table.
var webhooks = sync.OnceValue(func() []webhook {
	var list []webhook
	for columns := range knowledge.Webhooks.Rows(1) {
		before, length, _ := strings.Cut(columns[0], "/{")
		least, err := strconv.Atoi(strings.TrimSuffix(length, "}"))
		if err != nil {
			panic("knowledge/webhooks.txt: " + columns[0]) //nolint:forbidigo // a test reads the table, which is a part of the program
		}
		list = append(list, webhook{strings.Split(before, "/"), least})
	}
	return list
})

// has reports whether a part of a path is the secret. The argument before contains the
// preceding parts.
func (w *webhook) has(part string, before []string) bool {
	n := len(before) - len(w.before)
	if n < 0 || len(part) < w.least {
		return false
	}
	for i, known := range w.before {
		if known != "*" && known != before[n+i] {
			return false
		}
	}
	return isKey(part)
}

// hooks finds secrets in the paths of URLs.
func (t urls) hooks() {
	s := t.S
	for i := range places(s, "://") {
		path := s[i+3 : min(len(s), i+3+maxUserinfo)]
		if end := strings.Index(path, "://"); end >= 0 {
			path = path[:end]
		}
		if end := strings.IndexAny(path, " \t\r\n\"'`<>\\?#,;|)"); end >= 0 {
			path = path[:end]
		}
		if len(path) >= token.MinLen {
			t.hook(i+3, path)
		}
	}
}

// hook handles a URL without its scheme, which begins at start.
func (t urls) hook(start int, url string) {
	before := make([]string, 0, 16) // usually on the stack
	for part := range strings.SplitSeq(url, "/") {
		isSecret := func(w webhook) bool { return w.has(part, before[1:]) } // without the host
		switch n, end := len(before), start+len(part); {
		case n > 1 && before[n-1] == "t" && len(part) == 39 && part[2] == '-' && verdict.IsUUID(part[3:]):
			t.found("provider-token/anaconda", start, end, rule.Certain)
		case n > 1 && slices.ContainsFunc(webhooks(), isSecret):
			t.given("webhook", start, end, verdict.Token)
		}
		before = append(before, part)
		start += len(part) + 1
	}
}

// isKey reports whether a part of a path looks random.
func isKey(part string) bool {
	digits, lower, upper, _ := alphabet.Count(part)
	return verdict.IsUUID(part) || digits > 0 && lower+upper > 0 && verdict.IsRandom(part)
}
