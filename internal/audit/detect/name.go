package detect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sort tells what the name of a value says about it.
type sort uint8

const (
	// plain names say nothing.
	plain sort = iota
	// hint names (`key`, `auth`, `cookie`) stand for secrets and for harmless
	// things: the value has to look made by a machine.
	hint
	// token names stand for what machines make, seldom for words.
	token
	// password names stand for anything, words too.
	password
	// phrase names stand for several words, too.
	phrase
	// never names tell that the value is no secret, whatever it looks like:
	// a digest, a public key, an identifier.
	never
)

// may reports whether a value under such a name may be a secret, perhaps only
// when it looks like one.
func (s sort) may() bool { return s != plain && s != never }

// secret reports whether such a name says by itself that the value is a secret.
func (s sort) secret() bool { return s > hint && s != never }

// open reports whether words are secrets under such a name.
func (s sort) open() bool { return s == password || s == phrase }

// designator reports whether the value under name is the name of something.
func (v *vocabulary) designator(name string) bool { return v.designate.has(lastWord(name)) }

// carrier reports whether the value under name belongs to what a designator
// beside it names.
func (v *vocabulary) carrier(name string) bool { return v.carriers.has(lastWord(name)) }

// designates reports whether name is of either kind.
func (v *vocabulary) designates(name string) bool {
	w := lastWord(name)
	return v.designate.has(w) || v.carriers.has(w)
}

// container reports whether name is that of a Hash of secrets.
func (v *vocabulary) container(name string) bool {
	return v.plurals.has(lastWord(name)) || v.plurals.has(strings.ToLower(name))
}

// harmlessChild reports whether a member of such a Hash is no secret.
func (v *vocabulary) harmlessChild(name string) bool {
	w := lastWord(name)
	return v.accounts.has(w) || v.about.has(w)
}

// key is what the name says that a value stands under: of a parameter, or in a
// Hash.
type key struct {
	sort sort
	// carrier, harmless and container are what the methods of [vocabulary] tell.
	carrier, harmless, container bool
}

// key returns what a name says. Catalogs have few names, again and again, so it
// is remembered as a whole.
func (v *vocabulary) key(name string) key {
	k, ok := v.keys.get(name)
	if !ok {
		k = key{v.sortOf(name), v.carrier(name), v.harmlessChild(name), v.container(name)}
		v.keys.put(name, k)
	}
	return k
}

// sortOf returns what name says about the value that it names.
func (v *vocabulary) sortOf(name string) sort {
	if len(name) > maxName || len(name) < 2 || name == "OLDPWD" {
		return plain
	}
	if !v.may(name) {
		return plain
	}
	s, ok := v.known.get(name)
	if !ok {
		s = v.sortOfNew(name)
		v.known.put(name, s)
	}
	return s
}

// sortOfNew is sortOf for a name that is not remembered.
func (v *vocabulary) sortOfNew(name string) sort {
	if s, ok := v.fixed[name]; ok {
		return s
	}
	if isResourceType(name) || strings.Contains(name, "kubernetes.io/") { // an annotation, which refers to a Secret at most
		return never
	}
	if strings.ContainsAny(strings.Trim(name, "'\""), "'\"") {
		return plain // an option with its argument: `-p'X'`
	}
	list := words(name)
	for len(list) > 1 && (v.neutral.has(list[len(list)-1]) || isNumber(list[len(list)-1])) {
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return plain
	}
	s := v.ofWords(list)
	if s.secret() && len(list) > 1 {
		last := lastOf(name)
		if !v.verbs.has(last[0]) {
			return s
		}
		if s.open() && (last[0] == "enable" || last[0] == "store") && len(last) == 2 {
			return token // what Cisco's devices ask for, and how a key store is opened
		}
		if s.open() && last[0] == "is" && len(last) > 2 {
			return token // of Integration Services
		}
		return hint
	}
	return s
}

// isResourceType tells the name of a type of resources of CloudFormation or
// Heat: `AWS::IAM::AccessKey`.
func isResourceType(name string) bool {
	return (strings.HasPrefix(name, "AWS::") || strings.HasPrefix(name, "OS::")) && strings.Count(name, "::") == 2
}

// lastOf returns the words of the last part of a name that dots divide:
// `auth.existingSecret`. There is one at least.
func lastOf(name string) []string {
	if list := words(name[strings.LastIndexByte(strings.TrimRight(name, "."), '.')+1:]); len(list) > 0 {
		return list
	}
	return []string{""}
}

func (v *vocabulary) ofWords(list []string) sort {
	last := list[len(list)-1]
	if last == "keys" {
		last = "key"
		if len(list) == 1 {
			return plain // of a keyring, an index, a map
		}
	}
	if len(list) > 1 {
		if v.digests.has(list[0]) {
			return never
		}
		if n := len(list); n > 2 && v.pairs[list[n-3]+" "+list[n-2]] == never && !v.ofWord(last).open() {
			return never // `public_key_token`
		}
		before := list[len(list)-2]
		if n := len(list); n > 2 && list[n-3] == "encryption" && before == "primary" && last == "key" {
			return token // of records of Rails
		}
		if s, ok := v.pairs[before+" "+last]; ok {
			return s
		}
		if last == "pin" && v.holders.has(before) {
			return password
		}
		if (last == "key" || last == "keys" || last == "hash") && v.harmless.has(before) {
			return never
		}
		if strings.HasSuffix(strings.Join(list, " "), "core windows net") && slices.Contains(list, "key") {
			return token // of a storage account: `fs.azure.account.key.NAME.blob.core.windows.net`
		}
		if last == "community" && slices.Contains(list, "snmp") {
			return password
		}
		if last == "key" && (list[0] == "x" || slices.Contains(list, "http")) {
			return token // of a header: `X-Purge-Key`
		}
	}
	if len(list) > 1 && v.owners.has(last) && v.foreign.has(list[len(list)-2]) {
		return password // `wachtwoord_database`: whose it is
	}
	if s := v.ofWord(last); s != plain || v.about.has(last) {
		return s
	}
	// What follows may say whose it is: `haslo_bazy`, `mot_de_passe_admin`,
	// `password_replica`.
	for i, w := range list[:len(list)-1] {
		if v.about.has(w) {
			break
		}
		if i > 0 && v.pairs[list[i-1]+" "+w].open() || v.foreign.has(w) {
			return password
		}
		if w == "password" || w == "passwd" || w == "passphrase" || w == "token" && i > 0 && list[i-1] == "bearer" {
			return token // whatever it is about, a machine made it
		}
	}
	return plain
}

func (v *vocabulary) ofWord(w string) sort {
	switch {
	case v.about.has(w):
		return plain
	case v.phrases.has(w):
		return phrase
	case v.passwords.has(w):
		return password
	case v.tokens.has(w):
		return token
	case v.hints.has(w):
		return hint
	}
	w = strings.TrimSuffix(w, "value")
	for _, t := range v.tails {
		if strings.HasSuffix(w, t.text) && !v.compounds.has(w) && !strings.HasSuffix(w, "bypass") {
			return t.sort
		}
	}
	return plain
}

// words splits a name into its words in lower case: at what is no letter or
// digit, at humps, and between letters and the digits behind them.
func words(name string) []string {
	var list []string
	start := -1
	var last rune
	flush := func(end int) {
		if start >= 0 {
			list = append(list, strings.ToLower(name[start:end]))
		}
		start = -1
	}
	for i, r := range name {
		letter := unicode.IsLetter(r)
		digit := unicode.IsDigit(r)
		switch {
		case !letter && !digit:
			flush(i)
		case start < 0:
			start = i
		case unicode.IsUpper(r) && unicode.IsLower(last),
			unicode.IsUpper(r) && unicode.IsUpper(last) && nextIsLower(name[i+utf8.RuneLen(r):]),
			letter != unicode.IsLetter(last) && digit:
			flush(i)
			start = i
		}
		last = r
	}
	flush(len(name))
	return list
}

// HasWord reports whether a name contains a word, which is in lower case.
func HasWord(name, word string) bool { return slices.Contains(words(name), word) }

func nextIsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r) && len(s) > 1
}

// lastWord returns the last word of a name in lower case.
func lastWord(name string) string {
	i := len(name)
	for i > 0 && isAlnum(name[i-1]) && !(i < len(name) && name[i-1] >= 'a' && name[i-1] <= 'z' && name[i] >= 'A' && name[i] <= 'Z') {
		i--
	}
	return strings.ToLower(name[i:])
}
