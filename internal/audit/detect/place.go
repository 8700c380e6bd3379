package detect

import (
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/audit/knowledge"
	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/internal/audit/verdict"
)

// place is the position of the secret in a directive. It is a row of
// knowledge/directives.txt.
type place struct {
	// words are the words after the keyword, each with its alternatives. An entry without
	// alternatives matches any word.
	words [][]string
	at    int // position of the secret after the keyword; -1 for the last word
	name  int // position of the name of the secret; 0 for none
	sort  verdict.Sort
	// account is the separator between a user and the secret, or "" if there is no user.
	account string
}

// directivePlaces returns the rows of the table by keyword.
var directivePlaces = sync.OnceValue(func() map[string][]place {
	known := map[string][]place{}
	sorts := map[string]verdict.Sort{"": verdict.Password, "token": verdict.Token, "hint": verdict.Hint}
	for columns := range knowledge.Directives.Rows(2) {
		keywords, words, _ := strings.Cut(columns[0], " ")
		p := parsePlace(words)
		p.sort = sorts[columns[1]]
		for keyword := range strings.SplitSeq(keywords, "|") {
			known[keyword] = append(known[keyword], p)
		}
	}
	return known
})

// parsePlace parses the words after the keyword in the first column of the table.
func parsePlace(text string) (p place) {
	for word := range strings.FieldsSeq(text) {
		before, isSecret := strings.CutSuffix(word, "SECRET")
		switch {
		case isSecret:
			p.account = strings.TrimPrefix(before, "USER")
			if p.at == 0 {
				p.words = append(p.words, nil)
				p.at = len(p.words)
			}
		case word == "...":
			p.at = -1
		case word == "NAME":
			p.words = append(p.words, nil)
			p.name = len(p.words)
		case word == "*":
			p.words = append(p.words, nil)
		default:
			p.words = append(p.words, strings.Split(word, "|"))
		}
	}
	return p
}

// find returns the secret of a directive, if its words match.
func (p *place) find(words []word) (word, bool) {
	at := p.at
	if at < 0 {
		at = len(words) - 1
	}
	if len(words) <= len(p.words) || p.at < 0 && at <= len(p.words) {
		return word{}, false
	}
	for i, known := range p.words {
		w := words[i+1]
		fits := func(text string) bool { return strings.EqualFold(w.text, text) }
		if known != nil && !slices.ContainsFunc(known, fits) || i+1 != p.at && strings.Trim(w.text, "=:>") == "" {
			return word{}, false // an assignment; see assignments
		}
	}
	if strings.HasPrefix(words[at].text, "-") {
		return word{}, false
	}
	return words[at], true
}

// places handles the known positions of secrets in a directive, and reports whether one may
// contain a secret.
func (t directives) places(keyword string, words []word) (found bool) {
	known := directivePlaces()[keyword]
	for i := range known {
		if w, ok := known[i].find(words); ok {
			found = t.placed(known[i], words, w) || found
		}
	}
	return found
}

// arguments handles the value of a parameter with the name of a directive as its arguments:
// `SQLConnectInfo => 'db@host user X'`.
func (t directives) arguments(name string) {
	if strings.IndexByte(t.S, '\n') >= 0 {
		return
	}
	keyword := strings.ToLower(name)
	if strings.IndexByte(t.S, ' ') < 0 {
		if strings.IndexByte(t.S, ':') < 0 {
			return
		}
		keyword = verdict.LastWord(name) // an account: `httpserver_allow => 'admin:X'`
	}
	if _, known := directivePlaces()[keyword]; !known {
		return
	}
	words := append(t.scanner.words[:0], word{text: name})
	words = wordsIn(words, t.S, 0, len(t.S))
	t.scanner.words = words
	t.places(keyword, words)
}

// placed handles the word at the position of a secret, and reports whether it may be a
// secret.
func (t directives) placed(p place, words []word, w word) bool {
	a := assignment{name: words[0].text, value: w.text, start: w.start, end: w.end, quoted: true, sort: p.sort}
	if p.name > 0 {
		a.name, a.sort = t.nameAt(p, words)
		if !isOption(a.name) {
			return false
		}
		if _, _, ok := scheme(a.name, a.value); !ok && !a.sort.Secret() {
			return false
		}
	}
	if p.account != "" && !a.ofAccount(p.account) {
		return false
	}
	if strings.HasPrefix(a.value, "{") && strings.HasSuffix(a.value, "}") && strings.EqualFold(words[0].text, "add") {
		a.value = a.value[1 : len(a.value)-1] // a list of Tcl
		a.start++
		a.end--
	}
	if t.leaf.Kind == leaf.Title && alphabet.IsLatin(a.value) {
		return false // a description in words
	}
	t.judge(a)
	return true
}

// nameAt returns the name before the secret, in a directive without a fixed meaning, and
// the sort of the name.
func (t directives) nameAt(p place, words []word) (string, verdict.Sort) {
	name := strings.TrimPrefix(lastPart(words[p.name].text), "$") // a variable of nginx
	if _, header, found := strings.Cut(name, "("); found {        // of HAProxy: `req.hdr(NAME)`
		name = strings.TrimRight(header, ")")
	}
	as := t.sortOf(name)
	if n := len(words); p.at < 0 && as == verdict.Plain && n > 3 {
		// A path with blanks in it: `set target[. = 'client']/password X`.
		name = lastPart(words[n-2].text)
		as = t.sortOf(name)
		if name == "key" && strings.Contains(t.S[words[0].start:words[n-2].start], " authentication ") {
			as = verdict.Password // of a routing protocol
		}
	}
	return name, as
}

// ofAccount removes the user and the host from an account, `user:X@host`, and reports
// whether the value is an account.
func (a *assignment) ofAccount(separator string) bool {
	user, secret, found := strings.Cut(a.value, separator)
	marks := "./$%\\:("
	if separator == "," {
		marks = "$%\\:(" // a server may precede the user: `td1/app,X`
	}
	if !found || user == "" || strings.ContainsAny(user, marks) || strings.HasPrefix(secret, "&") {
		return false
	}
	a.start += len(a.value) - len(secret)
	if secret, _, found = strings.Cut(secret, "@"); found {
		a.end = a.start + len(secret)
	}
	a.value, a.account = secret, true
	return true
}
