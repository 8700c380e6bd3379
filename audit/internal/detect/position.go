package detect

import (
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/knowledge"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// position is the position of the secret in a directive. It is a row of
// knowledge/directives.txt.
type position struct {
	// words are the words after the keyword, each with its alternatives. An entry without
	// alternatives matches any word.
	words [][]string
	at    int // position of the secret after the keyword; -1 for the last word
	name  int // position of the name of the secret; 0 for none
	class verdict.NameClass
	// account is the separator between a user and the secret, or "" if there is no user.
	account string
}

// directiveLocations returns the rows of the table by keyword.
var directiveLocations = sync.OnceValue(func() map[string][]position {
	known := map[string][]position{}
	classes := map[string]verdict.NameClass{"": verdict.Password, "token": verdict.Token, "hint": verdict.Hint}
	for columns := range knowledge.Directives.Rows(2) {
		keywords, words, _ := strings.Cut(columns[0], " ")
		p := parseLocation(words)
		p.class = classes[columns[1]]
		for keyword := range strings.SplitSeq(keywords, "|") {
			known[keyword] = append(known[keyword], p)
		}
	}
	return known
})

// parseLocation parses the words after the keyword in the first column of the table.
func parseLocation(text string) (p position) {
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
func (p *position) find(words []lines.Word) (lines.Word, bool) {
	at := p.at
	if at < 0 {
		at = len(words) - 1
	}
	if len(words) <= len(p.words) || p.at < 0 && at <= len(p.words) {
		return lines.Word{}, false
	}
	for i, known := range p.words {
		w := words[i+1]
		fits := func(text string) bool { return strings.EqualFold(w.Text, text) }
		if known != nil && !slices.ContainsFunc(known, fits) || i+1 != p.at && strings.Trim(w.Text, "=:>") == "" {
			return lines.Word{}, false // an assignment; see assignments
		}
		if known == nil && i+1 != p.at && len(w.Text) == 2 && w.Text[0] == '-' {
			return lines.Word{}, false // an option
		}
	}
	if strings.HasPrefix(words[at].Text, "-") {
		return lines.Word{}, false
	}
	return words[at], true
}

// locations handles the known positions of secrets in a directive, and reports whether one may
// contain a secret.
func (t directives) locations(keyword string, words []lines.Word) (found bool) {
	known := directiveLocations()[keyword]
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
	isAccount := !t.has.Has(' ')
	if t.has.Has('\n') || isAccount && !t.has.Has(':') {
		return
	}
	keyword := strings.ToLower(name)
	if isAccount {
		keyword = verdict.LastWord(name) // `httpserver_allow => 'admin:X'`
	}
	if _, known := directiveLocations()[keyword]; !known {
		return
	}
	words := append(t.scanner.words[:0], lines.Word{Text: name})
	words = lines.Words(words, t.S, 0, len(t.S))
	t.scanner.words = words
	t.locations(keyword, words)
}

// placed handles the word at the position of a secret, and reports whether it may be a
// secret.
func (t directives) placed(p position, words []lines.Word, w lines.Word) bool {
	a := assign.Assignment{Name: words[0].Text, Value: w.Text, Start: w.Start, End: w.End, Quoted: true, Class: p.class}
	if p.name > 0 {
		a.Name, a.Class = t.nameAt(p, words)
		if !verdict.IsName(a.Name) {
			return false
		}
		const long = 16
		if _, _, ok := verdict.CutScheme(a.Name, a.Value); !ok && !a.Class.Secret() {
			if a.Class == verdict.Never || len(a.Value) < long || !strings.EqualFold(a.Name[:min(2, len(a.Name))], "x-") || !verdict.IsRandom(a.Value) {
				return false
			}
			a.Class = verdict.Hint // of a header of their own
		}
	}
	if p.account != "" && !a.CutUser(p.account) {
		return false
	}
	if strings.HasPrefix(a.Value, "{") && strings.HasSuffix(a.Value, "}") && strings.EqualFold(words[0].Text, "add") {
		a.Value = a.Value[1 : len(a.Value)-1] // a list of Tcl
		a.Start++
		a.End--
	}
	if t.leaf.Kind == leaf.Title && alphabet.IsLatin(a.Value) {
		return false // a description in words
	}
	t.judge(a)
	return true
}

// nameAt returns the name before the secret, in a directive without a fixed meaning, and
// the class of the name.
func (t directives) nameAt(p position, words []lines.Word) (string, verdict.NameClass) {
	name := strings.TrimPrefix(verdict.LastPart(words[p.name].Text), "$") // a variable of nginx
	if _, header, found := strings.Cut(name, "("); found {                // of HAProxy: `req.hdr(NAME)`
		name = strings.TrimRight(header, ")")
	}
	as := t.classOf(name)
	if name == "community" && strings.Contains(words[p.name].Text, "/") {
		as = verdict.Password // of SNMP, in the tree of Augeas
	}
	if n := len(words); p.at < 0 && as == verdict.Plain && n > 3 {
		// A path with blanks in it: `set target[. = 'client']/password X`.
		name = verdict.LastPart(words[n-2].Text)
		as = t.classOf(name)
		if name == "key" && strings.Contains(t.S[words[0].Start:words[n-2].Start], " authentication ") {
			as = verdict.Password // of a routing protocol
		}
	}
	return name, as
}
