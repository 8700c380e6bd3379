package detect

import (
	"strings"
)

// directives looks for lines in which only blanks stand between a name and its
// value, as in the configuration of many daemons.
func (t *Text) directives() {
	if t.flow == command {
		return
	}
	s := t.S
	for start := 0; start < len(s); {
		end := start + strings.IndexByte(s[start:]+"\n", '\n')
		if end-start < 512 && !isComment(strings.TrimSpace(s[start:end])) {
			t.directive(start, end)
		}
		start = end + 1
	}
}

// word is a word of a line, with its place; quotes are off.
type word struct {
	text       string
	start, end int
	quoted     bool
}

// wordsIn splits a line at blanks outside of quotes. A semicolon, a comma or a
// brace at the end of a word is no part of it.
func wordsIn(s string, start, end int) []word {
	var list []word
	for i := start; i < end; {
		c := s[i]
		switch {
		case c <= ' ':
			i++
		case c == '"' || c == '\'':
			j := i + 1
			for j < end && s[j] != c {
				if s[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j, end)
			list = append(list, word{s[i+1 : j], i + 1, j, true})
			i = j + 1
		default:
			j := i
			for j < end && s[j] > ' ' {
				j++
			}
			k := j
			for k > i && (s[k-1] == ';' || s[k-1] == ',') {
				k--
			}
			if k > i {
				list = append(list, word{s[i:k], i, k, false})
			}
			i = j
		}
		if len(list) > 12 {
			return list
		}
	}
	return list
}

// places tells where in a directive the secret stands: the position of the
// word, from the keyword on.
type place struct {
	words []string // the keyword, and words that follow it
	at    int      // the position of the secret behind the keyword
	sort  sort
}

// directivePlaces are directives whose secret does not follow a name that tells it,
// or not at once. A word "" stands for any.
var directivePlaces = map[string][]place{
	"rocommunity":          {{at: 1, sort: password}},
	"rwcommunity":          {{at: 1, sort: password}},
	"rocommunity6":         {{at: 1, sort: password}},
	"rwcommunity6":         {{at: 1, sort: password}},
	"trapcommunity":        {{at: 1, sort: password}},
	"com2sec":              {{at: 3, sort: password}},
	"com2sec6":             {{at: 3, sort: password}},
	"trapsink":             {{at: 2, sort: password}},
	"trap2sink":            {{at: 2, sort: password}},
	"informsink":           {{at: 2, sort: password}},
	"createuser":           {{at: 3, sort: password}, {at: 5, sort: password}},
	"auth_pass":            {{at: 1, sort: password}},
	"authcommunity":        {{at: 2, sort: password}},
	"snmp-server":          {{words: []string{"community"}, at: 2, sort: password}, {words: []string{"host", "", "version", "2c"}, at: 5, sort: password}},
	"enable":               {{words: []string{"secret"}, at: -1, sort: password}, {words: []string{"password"}, at: -1, sort: password}},
	"username":             {{words: []string{"", "password"}, at: -1, sort: password}, {words: []string{"", "secret"}, at: -1, sort: password}},
	"neighbor":             {{words: []string{"", "password"}, at: -1, sort: password}},
	"user":                 {{words: []string{"", "insecure-password"}, at: 3, sort: password}, {words: []string{"", "password"}, at: 3, sort: password}},
	"stats":                {{words: []string{"auth"}, at: 2, sort: password}},
	"tacacs-server":        {{words: []string{"key"}, at: -1, sort: password}},
	"radius-server":        {{words: []string{"key"}, at: -1, sort: password}},
	"key-string":           {{at: -1, sort: password}},
	"rootpw":               {{at: -1, sort: password}},
	"d-i":                  {{words: []string{"", "password"}, at: 3, sort: password}},
	"authentication":       {{words: []string{"text"}, at: 2, sort: password}},
	"set":                  {{words: []string{""}, at: -1, sort: plain}},
	"machine":              {{words: []string{"", "login", "", "password"}, at: 5, sort: password}},
	"login":                {{words: []string{"", "password"}, at: 3, sort: password}},
	"sqlconnectinfo":       {{at: 3, sort: password}},
	"authldapbindpassword": {{at: 1, sort: password}},
	"server":               {{words: []string{"", "key"}, at: 3, sort: hint}},
}

func (t *Text) directive(start, end int) {
	words := wordsIn(t.S, start, end)
	if len(words) < 2 {
		return
	}
	keyword := strings.ToLower(words[0].text)
	for _, p := range directivePlaces[keyword] {
		if w, ok := p.find(words); ok {
			as := p.sort
			name := words[0].text
			if as == plain {
				name = lastPart(words[1].text)
				if as = t.detector.names.sortOf(name); as <= hint || as == never {
					continue
				}
			}
			value, at := w.text, w.start
			if keyword == "stats" {
				_, secret, found := strings.Cut(w.text, ":")
				if !found {
					continue
				}
				at += len(value) - len(secret)
				value = secret
			}
			t.judge(assignment{name: name, value: value, start: at, end: w.end, quoted: true, sort: as})
			return
		}
	}
	if t.users(words) {
		return
	}
	t.twoWords(words)
}

// find returns the word that a place tells of. A negative position is that of
// the last word.
func (p place) find(words []word) (word, bool) {
	for i, w := range p.words {
		if i+1 >= len(words) || w != "" && !strings.EqualFold(words[i+1].text, w) {
			return word{}, false
		}
	}
	at := p.at
	if at < 0 {
		if at = len(words) - 1; at <= len(p.words) {
			return word{}, false
		}
	}
	if at >= len(words) || strings.HasPrefix(words[at].text, "-") {
		return word{}, false
	}
	return words[at], true
}

// twoWords looks at `name value`, and nothing else on the line. Some have a
// word between that says how the value is written.
func (t *Text) twoWords(words []word) {
	if len(words) > 3 || strings.ContainsAny(words[0].text, "=:<>(){}") && !strings.HasSuffix(words[0].text, ")") {
		return
	}
	value := words[len(words)-1]
	if len(words) == 3 && (value.text != "{" && !isNumber(words[1].text) && !strings.HasPrefix(words[1].text, "type")) {
		return
	}
	if len(words) == 3 && value.text == "{" {
		return
	}
	as := t.detector.names.sortOf(words[0].text)
	if as != password && as != token && !(as == hint && value.quoted) || words[0].quoted {
		return
	}
	if !value.quoted && strings.ContainsAny(value.text, "=:(){}") && !machineMade(value.text) {
		return
	}
	t.judge(assignment{name: words[0].text, value: value.text, start: value.start, end: value.end, quoted: value.quoted, loose: true, sort: as})
}

// users looks at the list of a user of Redis: `user NAME on >password ~* +@all`.
func (t *Text) users(words []word) bool {
	if words[0].text != "user" || len(words) < 4 {
		return false
	}
	for _, w := range words[2:] {
		if len(w.text) > 1 && w.text[0] == '>' {
			t.judge(assignment{name: "user", value: w.text[1:], start: w.start + 1, end: w.end, quoted: true, sort: password})
			return true
		}
	}
	return false
}
