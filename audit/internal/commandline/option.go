package commandline

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// optionsIn handles the options in text[from:] of a word.
func (t *Text) optionsIn(a *argument, from int) {
	start, end := a.at(from), a.to(len(a.text))
	if a.start < 0 || end-start != len(a.text)-from {
		return // the word contains escapes, so the positions are unknown
	}
	list := []argument{{}} // instead of the program
	for i := start; i < end && len(list) < MaxWords; {
		if c := t.S[i]; c <= ' ' || c == '\'' || c == '"' {
			i++
			continue
		}
		w := shellWord(t.S, i, end)
		list = append(list, w)
		if strings.IndexByte(w.text, ':') > 0 && w.text[0] != '-' {
			t.pair(&list[len(list)-1], "user", 0)
		}
		i = max(w.end, i+1)
	}
	t.options(list)
}

// options handles options with the name of a secret: `--password X`, `--token=X`,
// `-storepass X`, `/pass:X`.
func (t *Text) options(words []argument) {
	names := t.Names
	first := 1
	if words[0].text != "" && words[0].text[0] == '-' {
		first = 0 // only options
	}
	for i := first; i < len(words); i++ {
		w := &words[i]
		if len(w.text) < 3 || w.text[0] != '-' && w.text[0] != '/' && !strings.Contains(w.text, "=") {
			continue
		}
		if from := chartValues(words, i); from >= 0 {
			t.several(w, from)
			continue
		}
		option, value, joined := strings.Cut(w.text, "=")
		if !joined && w.text[0] == '/' {
			option, value, joined = strings.Cut(w.text, ":")
		}
		name := strings.TrimLeft(option, "-/")
		if strings.HasPrefix(name, "D") && strings.Contains(name, ".") {
			name = name[1:] // a Java property
		}
		if !verdict.IsName(name) || !strings.HasPrefix(w.text, "--") && strings.Contains(name, "-") && verdict.IsMachineMade(name) {
			continue // `-pX-y4` is an option joined with its argument
		}
		if _, last, found := strings.Cut(name, ":"); found {
			name = last // `http:password=…`
		}
		as := names.ClassOf(name)
		if !joined && strings.HasPrefix(name, "include-") {
			continue // a switch: `virsh domdisplay --include-password`
		}
		if !joined && strings.HasPrefix(name, "stdin-") && (i+1 == len(words) || !verdict.FollowsRules(words[i+1].text) && !verdict.IsRandom(words[i+1].text)) {
			continue // a switch: `--stdin-password`
		}
		if joined && names.IsUser(name) {
			t.pair(w, name, len(w.text)-len(value))
		} else if i+1 < len(words) && names.IsUser(name) {
			t.pair(&words[i+1], name, 0)
		}
		if !as.May() || name == "secret" && keepsSecrets(program(words[0].text)) {
			continue
		}
		if joined {
			t.word(w, name, len(w.text)-len(value), len(w.text), as)
			continue
		}
		if as == verdict.Hint && w.text[0] == '-' && i+1 < len(words) && strings.Contains(words[i+1].text, ":") && strings.Contains(strings.ToLower(name), "auth") {
			t.account(&words[i+1])
			continue
		}
		if as == verdict.Hint && strings.HasPrefix(w.text, "--") && i+1 < len(words) {
			t.whole(&words[i+1], name, verdict.Hint)
			continue
		}
		if as == verdict.Hint || w.text[0] != '-' || len(name) < 3 && name != "pw" && !strings.HasPrefix(w.text, "--") || i+1 >= len(words) {
			continue
		}
		if name == "password" && asksForPassword(program(words[0].text)) {
			continue
		}
		if next := &words[i+1]; !strings.HasPrefix(next.text, "-") || verdict.IsMachineMade(next.text) && len(next.text) > 8 {
			t.whole(next, name, as)
			i++
		}
	}
}

// asksForPassword reports whether a program prompts for the password if `--password` has no
// equals sign, as the clients of MySQL and MariaDB do.
func asksForPassword(program string) bool {
	return strings.HasPrefix(program, "mysql") || strings.HasPrefix(program, "mariadb")
}

// pair handles an account and its password in text[from:] of a word that has the name of an account,
// or may be one: `--login app/X`, `--smtp app:X@host`. The password must look like one.
func (t *Text) pair(w *argument, name string, from int) {
	value := w.text[from:]
	i := strings.IndexAny(value, ":/%")
	if i <= 1 || w.start >= 0 && strings.IndexByte(t.S[w.start:w.end], '\\') >= 0 || !verdict.IsName(value[:i]) || strings.IndexByte(value[:i], ':') >= 0 {
		return
	}
	secret, host, found := strings.Cut(value[i+1:], "@")
	if found && !verdict.IsName(host) {
		return
	}
	if (verdict.FollowsRules(secret) || verdict.IsPhrase(secret)) && !strings.ContainsAny(secret, "/:\\") {
		t.word(w, name, from+i+1, from+i+1+len(secret), verdict.Token)
	}
}

// chartValues returns the position in a word of the values for a Helm chart, which are the
// argument of `--set`, or -1.
func chartValues(words []argument, i int) int {
	option, _, joined := strings.Cut(words[i].text, "=")
	switch {
	case joined && (option == "--set" || option == "--set-string"):
		return len(option) + 1
	case i > 0 && (words[i-1].text == "--set" || words[i-1].text == "--set-string"):
		return 0
	}
	return -1
}

// several handles the assignments in text[from:] of a word: `a.password=X,b=Y`.
func (t *Text) several(w *argument, from int) {
	for from < len(w.text) {
		part, _, _ := strings.Cut(w.text[from:], ",")
		name, value, found := strings.Cut(part, "=")
		if as := t.Names.ClassOf(name); found && as.May() {
			t.word(w, name, from+len(part)-len(value), from+len(part), as)
		}
		from += len(part) + 1
	}
}

// option handles a pair of options, one with a name and one with its value: `-Name N -Value
// X`, `/v N /d X`.
func (t *Text) option(words []argument) {
	name, as := "", verdict.Plain
	for i := range len(words) - 1 {
		next := &words[i+1]
		switch w := words[i].text; {
		case len(w) < 2 || w[0] != '-' && w[0] != '/':
		case listed("-n -k /v --name --key --property", w), strings.EqualFold(w, "-name"):
			name = verdict.LastPart(next.text)
			as = t.Names.ClassOf(name[strings.LastIndexByte(name, '.')+1:])
		case as.Secret() && (listed("-v /d --value --string", w) || strings.EqualFold(w, "-value")):
			t.whole(next, name, as)
		}
	}
}

// bundles reports whether a word is a group of short options, the last of which takes an
// argument: `-ksu`.
func bundles(options []string, word string) bool {
	n := len(word)
	return n > 2 && n < 8 && word[0] == '-' && word[1] != '-' && alphabet.IsLatin(word[1:]) && slices.Contains(options, "-"+word[n-1:])
}

// loggedIn handles the password option of a command with a user option, `-u NAME`: `-p X`,
// `-p:X`; or, with an LDAP name, `-w X`.
func (t *Text) loggedIn(program string, words []argument) {
	user, directory := false, false
	for i := range words {
		switch w, _, _ := cutOption(words[i].text); w {
		case "-u", "-U", "-l", "--user", "--username":
			user = true
		case "-D":
			directory = true
		}
	}
	if !keepsSecrets(program) {
		t.drawnOptions(words)
	}
	if !user && !directory {
		for i := range max(len(words)-1, 0) {
			if next := &words[i+1]; listed("-p -P -w -W", words[i].text) && (verdict.FollowsRules(next.text) || verdict.IsRandom(next.text) && len(next.text) >= 12) && !strings.ContainsAny(next.text, "/:.=$() ") {
				t.whole(next, words[i].text, verdict.Token)
			}
		}
		return
	}
	for i := range words {
		w := &words[i]
		option, joined, found := cutOption(w.text)
		switch {
		case user && (option == "-p" || option == "-P") && found:
			t.word(w, option, len(w.text)-len(joined), len(w.text), verdict.ClassOfArgument(joined))
		case i+1 < len(words) && strings.HasPrefix(words[i+1].text, "--"):
		case user && option == "-w" && i+1 < len(words) && verdict.FollowsRules(words[i+1].text):
			t.whole(&words[i+1], option, verdict.Password)
		case user && (option == "-p" || option == "-P") && i+1 < len(words), directory && option == "-w" && i+1 < len(words):
			t.whole(&words[i+1], option, verdict.ClassOfArgument(words[i+1].text))
		case directory && strings.HasPrefix(option, "-w") && len(option) > 6:
			t.word(w, "-w", 2, len(w.text), verdict.Token)
		}
	}
}

// drawnOptions handles options for tokens and keys, by their usual letters, whose argument looks drawn at random: `-t X`.
func (t *Text) drawnOptions(words []argument) {
	const shortest = 32
	for i := range max(len(words)-1, 0) {
		next := words[i+1].text
		if len(next) < shortest || !listed("-t -T -k -K", words[i].text) || !verdict.IsBase64(next) || !verdict.IsRandom(next) || alphabet.IsHex(next) {
			continue
		}
		if digits, lower, upper, _ := alphabet.Count(next); digits > 1 && lower > 1 && upper > 1 {
			t.whole(&words[i+1], words[i].text, verdict.Token)
		}
	}
}

// cutOption splits an option from its joined value.
func cutOption(word string) (option, value string, joined bool) {
	for i := range len(word) {
		if word[i] == ':' || word[i] == '=' {
			return word[:i], word[i+1:], true
		}
	}
	return word, "", false
}

// listed reports whether a word is one of several, which blanks separate.
func listed(options, word string) bool {
	if len(word) < 2 {
		return false
	}
	for rest := options; ; {
		i := strings.Index(rest, word)
		if i < 0 {
			return false
		}
		end := i + len(word)
		if (i == 0 && len(rest) == len(options) || i > 0 && rest[i-1] == ' ') && (end == len(rest) || rest[end] == ' ') {
			return true
		}
		rest = rest[i+1:]
	}
}

func hasOption(words []argument, option string) bool {
	for i := range words {
		w := words[i].text
		if w == option || len(w) > 2 && w[0] == '-' && w[1] != '-' && strings.Contains(w, option[1:]) {
			return true
		}
	}
	return false
}

// BeforeVerb returns the name before the verb of a format that takes argument i: `user=%s
// pw=%s`. The format itself is argument 0.
func BeforeVerb(format string, i int) string {
	for at := 0; at < len(format); at++ {
		if format[at] != '%' {
			continue
		}
		if at++; at < len(format) && format[at] == '%' {
			continue
		}
		if i--; i > 0 {
			continue
		}
		before := strings.TrimRight(format[:at-1], "\"' \t")
		if n := len(before); n > 0 && (before[n-1] == '=' || before[n-1] == ':') {
			before = strings.TrimRight(before[:n-1], " \t\"'")
		}
		from := len(before)
		for from > 0 && assign.IsNameByte(before[from-1], false) {
			from--
		}
		return before[from:]
	}
	return ""
}
