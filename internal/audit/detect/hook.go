package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
)

// hookKeys tells how long a part of the path of a URL is at least that is a secret,
// by the part before it: who knows the URL may do what it is for.
var hookKeys = map[string]int{
	"alert":        32,  // of VictorOps
	"alertmanager": 20,  // of Grafana OnCall, by the kind of integration
	"hooks":        24,  // of Mattermost and Rocket.Chat
	"http":         40,  // of collectors of Sumo Logic
	"inputs":       32,  // of Loggly
	"integration":  32,  // of PagerDuty
	"key":          20,  // of IFTTT
	"push":         10,  // of Uptime Kuma
	"signatures":   128, // of SecuriteInfo
	"t":            32,  // channels of Conda
	"webhook":      20,
	"webhooks":     20,
}

// hooks finds the secrets in the paths of URLs.
func (t *Text) hooks() {
	s := t.S
	for i := range places(s, "://") {
		path := s[i+3 : min(len(s), i+3+maxUserinfo)]
		if end := strings.Index(path, "://"); end >= 0 {
			path = path[:end]
		}
		if end := strings.IndexAny(path, " \t\r\n\"'`<>\\?#,;|)"); end >= 0 {
			path = path[:end]
		}
		if len(path) >= minToken {
			t.hook(i+3, path)
		}
	}
}

// hook looks at a URL without its scheme, which begins at start.
func (t *Text) hook(start int, path string) {
	last, before := "", ""
	for from := strings.IndexByte(path, '/') + 1; from > 0 && from < len(path); {
		n := strings.IndexByte(path[from:], '/')
		if n < 0 {
			n = len(path) - from
		}
		part := path[from : from+n]
		at := start + from
		from += n + 1
		least := hookKeys[last]
		switch {
		case last == "t" && n == 39 && part[2] == '-' && isUUID(part[3:]):
			t.found("provider-token/anaconda", at, at+n, rule.Certain)
		case least > 0 && n >= least && (last != "push" || before == "api") && isKey(part),
			before == "hooks" && n >= 40 && isKey(part): // behind an ID
			t.given("webhook", at, at+n, token)
		}
		last, before = part, last
	}
}

// isKey reports whether a part of a path was drawn at random.
func isKey(part string) bool {
	digits, lower, upper, _ := count(part)
	return isUUID(part) || digits > 0 && lower+upper > 0 && random(part)
}
