package detect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sort is the implication of a name for its value.
type sort uint8

const (
	// plain is a name without an implication.
	plain sort = iota
	// hint is an ambiguous name (`key`, `auth`, `cookie`). Its value is a secret only if it
	// looks random.
	hint
	// token is the name of a generated secret, which rarely consists of words.
	token
	// password is the name of a secret that may consist of words.
	password
	// phrase is the name of a secret that may consist of several words.
	phrase
	// never is the name of a value that is not a secret, such as a digest, a public key or
	// an identifier.
	never
)

// may reports whether the value of such a name may be a secret. A value of a hint must also
// look like one.
func (s sort) may() bool { return s != plain && s != never }

// secret reports whether the name alone makes the value a secret.
func (s sort) secret() bool { return s > hint && s != never }

// open reports whether the secret may consist of words.
func (s sort) open() bool { return s == password || s == phrase }

// designator reports whether the value of name is the name of something: `name`, `setting`.
func (v *vocabulary) designator(name string) bool { return v.designate.has(lastWord(name)) }

// carrier reports whether the value of name belongs to the name in a designator beside it:
// `value`, `data`.
func (v *vocabulary) carrier(name string) bool { return v.carriers.has(lastWord(name)) }

// designates reports whether name is a designator or a carrier.
func (v *vocabulary) designates(name string) bool {
	w := lastWord(name)
	return v.designate.has(w) || v.carriers.has(w)
}

// container reports whether name is the name of a Hash of secrets.
func (v *vocabulary) container(name string) bool {
	return v.plurals.has(lastWord(name)) || v.plurals.has(strings.ToLower(name))
}

// harmlessChild reports whether a member of a Hash of secrets is not a secret.
func (v *vocabulary) harmlessChild(name string) bool {
	w := lastWord(name)
	return v.accounts.has(w) || v.about.has(w)
}

// key is the implication of a key of a parameter or a Hash for its value.
type key struct {
	sort sort
	// The fields carrier, harmless and container are the results of the methods of
	// [vocabulary].
	carrier, harmless, container bool
}

// key returns the implication of a key. Catalogs repeat few keys, so the result is cached.
func (v *vocabulary) key(name string) key {
	k, ok := v.keys.get(name)
	if !ok {
		k = key{v.sortOf(name), v.carrier(name), v.harmlessChild(name), v.container(name)}
		v.keys.put(name, k)
	}
	return k
}

// sortOf returns the sort of a name.
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

// sortOfNew returns the sort of a name that is not cached.
func (v *vocabulary) sortOfNew(name string) sort {
	if s, ok := v.fixed[name]; ok {
		return s
	}
	if isResourceType(name) || strings.Contains(name, "kubernetes.io/") { // an annotation at most refers to a Secret
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
			return token // the enable secret of Cisco devices, the password of a key store
		}
		if s.open() && last[0] == "is" && len(last) > 2 {
			return token // of Integration Services
		}
		return hint
	}
	return s
}

// isResourceType reports whether name is a resource type of CloudFormation or Heat:
// `AWS::IAM::AccessKey`.
func isResourceType(name string) bool {
	return (strings.HasPrefix(name, "AWS::") || strings.HasPrefix(name, "OS::")) && strings.Count(name, "::") == 2
}

// lastOf returns the words of the last part of a name with dots: `auth.existingSecret`. It
// returns at least one word.
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
			return token // Active Record encryption of Rails
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
		return password // `wachtwoord_database`: the owner follows the noun
	}
	if s := v.ofWord(last); s != plain || v.about.has(last) {
		return s
	}
	// The owner may follow the noun: `haslo_bazy`, `mot_de_passe_admin`,
	// `password_replica`.
	for i, w := range list[:len(list)-1] {
		if v.about.has(w) {
			break
		}
		if i > 0 && v.pairs[list[i-1]+" "+w].open() || v.foreign.has(w) {
			return password
		}
		if w == "password" || w == "passwd" || w == "passphrase" || w == "token" && i > 0 && list[i-1] == "bearer" {
			return token // the following words are unknown, so the value must look generated
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

// words splits a name into its words in lower case: at characters other than letters and
// digits, where the case changes, and between letters and digits.
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
