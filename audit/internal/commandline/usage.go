package commandline

import (
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/audit/internal/knowledge"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// usage is a way in which a program takes a secret. It is a row of knowledge/programs.txt.
type usage struct {
	// only are words that the command must contain.
	only []string
	// keys are the alternatives for the word before the secret. Without keys, positions
	// count the words of the command that are not options.
	keys []string
	// at are the positions of the secrets after the key, or among the words. least is the
	// minimum number of words.
	at    []int
	least int
	// valued are options that are skipped together with their argument.
	valued []string
	// joined means that the secret is in the same word as the key.
	joined bool
	// last means that the secret is the last word, regardless of the position of the key.
	last bool
	// account means that the secret follows a user: `user:secret`.
	account bool
	// input means that the program reads the secret from its standard input.
	input bool
}

// programs returns the usages by program. The usages of all programs have an empty name.
var programs = sync.OnceValue(func() map[string][]usage {
	known := map[string][]usage{}
	for columns := range knowledge.Programs.Rows(2) {
		u := parseUsage(columns[1])
		for name := range strings.SplitSeq(columns[0], "|") {
			name = strings.TrimPrefix(name, "*")
			known[name] = append(known[name], u)
		}
	}
	return known
})

// parseUsage parses the second column of the table.
func parseUsage(text string) (u usage) {
	words := 0
	for word := range strings.FieldsSeq(text) {
		before, isSecret := strings.CutSuffix(word, "SECRET")
		before, ofAccount := strings.CutSuffix(before, "USER:")
		u.account = u.account || ofAccount
		switch {
		case isSecret && before == "":
			words++
			u.at = append(u.at, words)
		case isSecret:
			u.only, u.keys, u.joined = append(u.only, u.keys...), []string{before}, true
		case word == "*":
			words++
		case word == "...":
			u.last = true
		case word == "<":
			u.input = true
		case word[0] == '[':
			u.valued = strings.Split(strings.Trim(word, "[]"), "|")
		default:
			u.only, u.keys = append(u.only, u.keys...), strings.Split(word, "|")
		}
	}
	u.least = words
	return u
}

// uses judges the secrets that a usage finds in the arguments of a program.
func (t *Text) uses(name string, u *usage, words []argument) {
	for _, only := range u.only {
		if !slices.ContainsFunc(words, func(w argument) bool { return w.text == only }) {
			return
		}
	}
	switch {
	case u.input:
	case u.last:
		t.lastWord(name, u, words)
	case len(u.keys) == 0:
		t.operands(name, u, words)
	default:
		for i := range words {
			t.keyed(u, words[i:])
		}
	}
}

// keyed judges the secrets after the first word if that word is a key.
func (t *Text) keyed(u *usage, words []argument) {
	w := &words[0]
	if u.joined {
		if rest, ok := strings.CutPrefix(w.text, u.keys[0]); ok && rest != "" && rest[0] != '-' {
			t.word(w, u.keys[0], len(u.keys[0]), len(w.text), verdict.Password)
		}
		return
	}
	if !u.isKey(w.text) {
		return
	}
	for _, at := range u.at {
		if at >= len(words) {
			return
		}
		next, option := &words[at], at == 1 && (w.text[0] == '-' || w.text[0] == '/')
		switch {
		case option && strings.HasPrefix(next.text, "--"): // the program prompts for it, as those of MongoDB do
		case !option && strings.HasPrefix(next.text, "-"):
		case u.account:
			t.account(next)
		case next.text != "":
			t.whole(next, w.text, verdict.Password)
		}
	}
}

// isKey reports whether a word is a key. The case of `/RP` is ignored, `http-basic.HOST`
// counts as `http-basic`, and `-ksu` as `-u`.
func (u *usage) isKey(word string) bool {
	if word == "" {
		return false
	}
	switch word[0] {
	case '-':
		return slices.Contains(u.keys, word) || u.account && bundles(u.keys, word)
	case '/':
		return slices.Contains(u.keys, strings.ToLower(word))
	}
	head, _, _ := strings.Cut(word, ".")
	return slices.Contains(u.keys, word) || slices.Contains(u.keys, head)
}

// lastWord judges the last word of a command that contains a key, ignoring redirections.
func (t *Text) lastWord(name string, u *usage, words []argument) {
	if i := slices.IndexFunc(words, func(w argument) bool { return redirects(w.text) }); i > 0 {
		words = words[:i]
	}
	n := len(words)
	if key := u.keys[0]; n <= u.least || key[0] == '-' && !hasOption(words, key) || key[0] != '-' && words[0].text != key {
		return
	}
	switch w := &words[n-1]; {
	case strings.HasPrefix(w.text, "-"), slices.Contains(u.valued, words[n-2].text):
	case u.account:
		t.account(w)
	default:
		t.whole(w, name, verdict.Password)
	}
}

// operands judges the words of a command at the positions of secrets.
func (t *Text) operands(name string, u *usage, words []argument) {
	n := 0
	for i := 0; i < len(words); i++ {
		w := &words[i]
		switch {
		case strings.HasPrefix(w.text, ">"), strings.HasPrefix(w.text, "<"):
			return
		case slices.Contains(u.valued, w.text):
			i++
		case !strings.HasPrefix(w.text, "-"):
			if n++; slices.Contains(u.at, n) {
				t.whole(w, name, verdict.Password)
			}
		}
	}
}

// account handles `user:secret`, `user%secret`, and `secret:` without a password.
func (t *Text) account(w *argument) {
	i := strings.IndexAny(w.text, ":%,")
	if key := strings.TrimSuffix(w.text, ":"); i == len(key) && i > 0 && verdict.IsUnmistakable(key) {
		t.word(w, "user", 0, i, verdict.Token) // a key in place of the user: `curl -u KEY:`
		return
	}
	if i > 0 && i+1 < len(w.text) && !strings.Contains(w.text, "://") && !strings.HasPrefix(w.text, "pkcs11:") {
		t.word(w, "user", i+1, len(w.text), verdict.Password)
	}
}
