package auditconfig

import (
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
)

// textRule finds secrets in text.
type textRule struct {
	rule     rule.Rule
	line     int            // in its file
	regex    *regexp.Regexp // nil: the whole content of a file with the path
	path     *regexp.Regexp // nil: any path
	group    int            // group of the secret; 0: the first non-empty group, or the whole match
	entropy  float64        // the secret must exceed it
	keywords []string       // in lower case; a text must contain one of them
	allow    []allowance
}

// allowance is a list of exceptions.
type allowance struct {
	all       bool // all kinds of exceptions in the list must apply, not only one
	paths     []*regexp.Regexp
	regexes   []*regexp.Regexp
	target    string // the subject of regexes: secret, match or line
	stopwords []string
}

// view is a text to which rules are applied.
type view struct {
	audit.Text
	low string // the text in lower case, computed on demand
}

func (v *view) has(keyword string) bool {
	if v.low == "" {
		v.low = strings.ToLower(v.Text.Text)
	}
	return strings.Contains(v.low, keyword)
}

// find calls found with the positions of the secrets in a text.
func (r *textRule) find(v *view, found func(start, end int)) {
	if r.path != nil && (v.Path == "" || !r.path.MatchString(v.Path)) {
		return
	}
	if r.regex == nil {
		if v.IsContent && !r.allows(v, 0, len(v.Text.Text), 0, len(v.Text.Text)) {
			found(0, len(v.Text.Text))
		}
		return
	}
	if !r.wanted(v) {
		return
	}
	for _, m := range r.regex.FindAllStringSubmatchIndex(v.Text.Text, -1) {
		start, end := r.secret(m)
		if start < 0 || start == end || r.entropy > 0 && entropy(v.Text.Text[start:end]) <= r.entropy || r.allows(v, start, end, m[0], m[1]) {
			continue
		}
		found(start, end)
	}
}

func (r *textRule) wanted(v *view) bool {
	for _, k := range r.keywords {
		if v.has(k) {
			return true
		}
	}
	return len(r.keywords) == 0
}

// secret returns the position of the secret in a match, or -1 if its group did
// not participate.
func (r *textRule) secret(match []int) (start, end int) {
	if r.group > 0 {
		return match[2*r.group], match[2*r.group+1]
	}
	for i := 2; i < len(match); i += 2 {
		if match[i] >= 0 && match[i] < match[i+1] {
			return match[i], match[i+1]
		}
	}
	return match[0], match[1]
}

// allows reports whether a list makes an exception for a secret.
func (r *textRule) allows(v *view, start, end, from, to int) bool {
	for i := range r.allow {
		if r.allow[i].allows(v, start, end, from, to) {
			return true
		}
	}
	return false
}

func (a *allowance) allows(v *view, start, end, from, to int) bool {
	secret := v.Text.Text[start:end]
	var said []bool
	if len(a.paths) > 0 {
		said = append(said, v.Path != "" && matchesAny(a.paths, v.Path))
	}
	if len(a.regexes) > 0 {
		subject := secret
		switch a.target {
		case "match":
			subject = v.Text.Text[from:to]
		case "line":
			subject = line(v.Text.Text, from, to)
		}
		said = append(said, matchesAny(a.regexes, subject))
	}
	if len(a.stopwords) > 0 {
		low, stops := strings.ToLower(secret), false
		for _, w := range a.stopwords {
			stops = stops || strings.Contains(low, w)
		}
		said = append(said, stops)
	}
	if len(said) == 0 {
		return false
	}
	for _, yes := range said {
		if yes != a.all {
			return yes
		}
	}
	return a.all
}

func matchesAny(list []*regexp.Regexp, s string) bool {
	for _, r := range list {
		if r.MatchString(s) {
			return true
		}
	}
	return false
}

// line returns the lines that contain s[from:to].
func line(s string, from, to int) string {
	from = strings.LastIndexByte(s[:from], '\n') + 1
	if i := strings.IndexByte(s[to:], '\n'); i >= 0 {
		return s[from : to+i]
	}
	return s[from:]
}

// entropy returns the Shannon entropy of s in bits per character.
func entropy(s string) float64 {
	counts := map[rune]int{}
	for _, r := range s {
		counts[r]++
	}
	n := float64(utf8.RuneCountInString(s))
	var sum float64
	// In a fixed order, because floating-point sums depend on it.
	for _, r := range s {
		if c := counts[r]; c > 0 {
			p := float64(c) / n
			sum -= p * math.Log2(p)
			counts[r] = 0
		}
	}
	return sum
}
