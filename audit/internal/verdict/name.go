package verdict

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
)

// MaxName is the maximum length of a name.
const MaxName = 96

// NameClass is the implication of a name for its value.
type NameClass uint8

const (
	// Plain is a name without an implication.
	Plain NameClass = iota
	// Hint is an ambiguous name (`key`, `auth`, `cookie`). Its value is a secret only if it
	// looks random.
	Hint
	// Token is the name of a generated secret, which rarely consists of words.
	Token
	// Password is the name of a secret that may consist of words.
	Password
	// Phrase is the name of a secret that may consist of several words.
	Phrase
	// Never is the name of a value that is not a secret, such as a digest, a public key or
	// an identifier.
	Never
)

// May reports whether the value of such a name may be a secret. A value of a hint must also
// look like one.
func (c NameClass) May() bool { return c != Plain && c != Never }

// Secret reports whether the name alone makes the value a secret.
func (c NameClass) Secret() bool { return c > Hint && c != Never }

// Open reports whether the secret may consist of words.
func (c NameClass) Open() bool { return c == Password || c == Phrase }

// Designator reports whether the value of name is the name of something: `name`, `setting`.
func (v *Vocabulary) Designator(name string) bool { return v.designate.has(LastWord(name)) }

// Carrier reports whether the value of name belongs to the name in a designator beside it:
// `value`, `data`.
func (v *Vocabulary) Carrier(name string) bool { return v.carriers.has(LastWord(name)) }

// Designates reports whether name is a designator or a carrier.
func (v *Vocabulary) Designates(name string) bool {
	w := LastWord(name)
	return v.designate.has(w) || v.carriers.has(w)
}

// Container reports whether name is the name of a Hash of secrets: `tokens`, `securityKeys`.
func (v *Vocabulary) Container(name string) bool {
	last := LastWord(name)
	return last == "communities" && HasWord(name, "snmp") || v.plurals.has(last) || v.plurals.has(strings.ToLower(name)) || last == "keys" && v.ClassOf(name).Secret()
}

// HasAccounts reports whether name is the name of a list of accounts.
func (v *Vocabulary) HasAccounts(name string) bool { return v.people.has(LastWord(name)) }

// HarmlessChild reports whether a member of a Hash of secrets is not a secret.
func (v *Vocabulary) HarmlessChild(name string) bool {
	w := LastWord(name)
	return v.accounts.has(w) || v.about.has(w)
}

// Key is the implication of a key of a parameter or a Hash for its value.
type Key struct {
	Class NameClass
	// The fields carrier, harmless and container are the results of the methods of
	// [Vocabulary].
	Carrier, Harmless, Container bool
}

// Key returns the implication of a key. Catalogs repeat few keys, so the result is cached.
func (v *Vocabulary) Key(name string) Key {
	k, ok := v.keys.get(name)
	if !ok {
		k = Key{v.ClassOf(name), v.Carrier(name), v.HarmlessChild(name), v.Container(name)}
		v.keys.put(name, k)
	}
	return k
}

// ClassOf returns the class of a name.
func (v *Vocabulary) ClassOf(name string) NameClass {
	if len(name) > MaxName || len(name) < 2 || name == "OLDPWD" {
		return Plain
	}
	if !v.may(name) {
		return Plain
	}
	s, ok := v.known.get(name)
	if !ok {
		s = v.classOfNew(name)
		v.known.put(name, s)
	}
	return s
}

// classOfNew returns the class of a name that is not cached.
func (v *Vocabulary) classOfNew(name string) NameClass {
	if s, ok := v.fixed[name]; ok {
		return s
	}
	if isResourceType(name) || strings.Contains(name, "kubernetes.io/") { // an annotation at most refers to a Secret
		return Never
	}
	if strings.ContainsAny(strings.Trim(name, "'\""), "'\"") {
		return Plain // an option with its argument: `-p'X'`
	}
	list := v.words(name)
	for len(list) > 1 && (v.neutral.has(list[len(list)-1]) || alphabet.IsNumber(list[len(list)-1])) {
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return Plain
	}
	s := v.ofWords(list)
	if s == Plain && name == strings.ToUpper(name) && v.services.has(list[0]) && (len(list) == 1 || len(list) == 2 && v.accesses.has(list[1])) {
		return Hint // of the environment: `SPARKPOST`, `PUSHOVER_APP`
	}
	if s <= Hint && strings.Contains(name, ".") {
		s = max(s, v.beforeAccount(name))
	}
	if s.Secret() && len(list) > 1 {
		last := lastOf(name)
		if !v.verbs.has(last[0]) {
			return s
		}
		if s.Open() && (last[0] == "enable" || last[0] == "store") && len(last) == 2 {
			return Token // the enable secret of Cisco devices, the password of a key store
		}
		if s.Open() && last[0] == "is" && len(last) > 2 {
			return Token // of Integration Services
		}
		return Hint
	}
	return s
}

// beforeAccount returns the class of a name with dots whose last part is an account of the part before, which is the word for
// a password: `starterdb.password.SYS`.
func (v *Vocabulary) beforeAccount(name string) NameClass {
	parts := strings.Split(name, ".")
	n := len(parts)
	last := strings.ToLower(parts[n-1])
	if noun := strings.ToLower(parts[n-2]); (noun == "password" || noun == "passwd") && last != "" && !v.about.has(last) && !v.verbs.has(last) && alphabet.IsLatinName(last) && len(Words(parts[n-1])) == 1 {
		return Token
	}
	return Plain
}

// words splits a name like [Words], but keeps the words of the vocabulary that end with a
// number, such as `base64`, together.
func (v *Vocabulary) words(name string) []string {
	list := Words(name)
	for i := len(list) - 1; i > 0; i-- {
		rest := strings.TrimLeft(list[i], "0123456789") // of `base64Key`
		word := list[i-1] + list[i][:len(list[i])-len(rest)]
		switch {
		case !v.numbered.has(word):
		case rest == "":
			list[i-1] = word
			list = slices.Delete(list, i, i+1)
		case v.OfWord(rest) != Plain:
			list[i-1], list[i] = word, rest
		}
	}
	return list
}

// isResourceType reports whether name is a resource type of CloudFormation or Heat:
// `AWS::IAM::AccessKey`.
func isResourceType(name string) bool {
	return (strings.HasPrefix(name, "AWS::") || strings.HasPrefix(name, "OS::")) && strings.Count(name, "::") == 2
}

// lastOf returns the words of the last part of a name with dots: `auth.existingSecret`. It
// returns at least one word.
func lastOf(name string) []string {
	if list := Words(name[strings.LastIndexByte(strings.TrimRight(name, "."), '.')+1:]); len(list) > 0 {
		return list
	}
	return []string{""}
}

func (v *Vocabulary) ofWords(list []string) NameClass {
	last := list[len(list)-1]
	if last == "keys" {
		last = "key"
		if len(list) == 1 {
			return Plain // of a keyring, an index, a map
		}
	}
	if len(list) > 1 {
		if v.digests.has(list[0]) {
			return Never
		}
		if n := len(list); n > 2 {
			if class, _ := v.pair(list[n-3], list[n-2]); class == Never && !v.OfWord(last).Open() {
				return Never // `public_key_token`
			}
		}
		before := list[len(list)-2]
		if n := len(list); n > 2 && list[n-3] == "encryption" && before == "primary" && last == "key" {
			return Token // Active Record encryption of Rails
		}
		if s, ok := v.pair(before, last); ok {
			return s
		}
		if last == "pin" && v.holders.has(before) {
			return Password
		}
		if (last == "key" || last == "keys" || last == "hash") && v.harmless.has(before) {
			return Never
		}
		if strings.HasSuffix(strings.Join(list, " "), "core windows net") && slices.Contains(list, "key") {
			return Token // of a storage account: `fs.azure.account.key.NAME.blob.core.windows.net`
		}
		if last == "community" && slices.Contains(list, "snmp") {
			return Password
		}
		if last == "key" && (list[0] == "x" || slices.Contains(list, "http")) {
			return Token // of a header: `X-Purge-Key`
		}
	}
	if len(list) > 1 && v.owners.has(last) && v.foreign.has(list[len(list)-2]) {
		return Password // `wachtwoord_database`: the owner follows the noun
	}
	if s := v.OfWord(last); s != Plain || v.about.has(last) {
		return s
	}
	// The owner may follow the noun: `haslo_bazy`, `mot_de_passe_admin`,
	// `password_replica`.
	for i, w := range list[:len(list)-1] {
		if v.about.has(w) {
			break
		}
		if i > 0 {
			if class, _ := v.pair(list[i-1], w); class.Open() {
				return Password
			}
		}
		if v.foreign.has(w) {
			return Password
		}
		if w == "password" || w == "passwd" || w == "pswd" || w == "pwd" || w == "passphrase" || w == "token" && i > 0 && list[i-1] == "bearer" {
			return Token // the following words are unknown, so the value must look generated
		}
	}
	return Plain
}

// OfWord returns the class of a name that is a single word in lower case.
func (v *Vocabulary) OfWord(w string) NameClass {
	switch {
	case v.about.has(w):
		return Plain
	case v.phrases.has(w):
		return Phrase
	case v.passwords.has(w):
		return Password
	case v.tokens.has(w):
		return Token
	case v.hints.has(w):
		return Hint
	}
	if holder, found := strings.CutSuffix(w, "pin"); found && v.holders.has(holder) {
		return Password // `sopin`, `userpin`
	}
	w = strings.TrimSuffix(w, "value")
	for _, t := range v.tails {
		if strings.HasSuffix(w, t.text) && !v.compounds.has(w) && !strings.HasSuffix(w, "bypass") {
			return t.class
		}
	}
	return Plain
}

// Words splits a name into its words in lower case: at characters other than letters and
// digits, where the case changes, and between letters and digits.
func Words(name string) []string {
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
func HasWord(name, word string) bool {
	return containsFold(name, word) && slices.Contains(Words(name), word)
}

// containsFold reports whether s contains a word in lower case, in any case.
func containsFold(s, word string) bool {
	for i := range len(s) - len(word) + 1 {
		if s[i]|0x20 == word[0]|0x20 && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

func nextIsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r) && len(s) > 1
}

// LastWord returns the last word of a name in lower case.
func LastWord(name string) string {
	i := len(name)
	for i > 0 && alphabet.IsAlnum(name[i-1]) && !(i < len(name) && name[i-1] >= 'a' && name[i-1] <= 'z' && name[i] >= 'A' && name[i] <= 'Z') {
		i--
	}
	return strings.ToLower(name[i:])
}

// IsUser reports whether the value of a name is a user, an account or a database.
func (v *Vocabulary) IsUser(name string) bool {
	if strings.HasPrefix(name, "-") && len(name) == 2 {
		return name == "-u" || name == "-U"
	}
	last := LastWord(name)
	known := slices.Contains([]string{"username", "identity", "login", "account", "name", "database", "db"}, last) || strings.HasSuffix(last, "user") || strings.HasSuffix(last, "dbname")
	return known && !v.ClassOf(name).Secret()
}

// Identifies reports whether the value of name only identifies or verifies something, and so is no secret
// although it looks random: `client_id`, `ssh-rsa`.
func (v *Vocabulary) Identifies(name string) bool {
	if v.ClassOf(name) == Never || v.IsUser(name) || v.Verifies(name) || strings.HasPrefix(name, "ssh-") || strings.HasPrefix(name, "ecdsa-") {
		return true
	}
	return slices.ContainsFunc(Words(name), v.ids.has)
}

// Verifies reports whether a name, or the text before a value, speaks of something that anybody may know,
// because it verifies something.
func (v *Vocabulary) Verifies(text string) bool {
	low := strings.ToLower(text)
	return slices.ContainsFunc(v.verifiers, func(part string) bool { return strings.Contains(low, part) })
}

// LastPart returns the last part of the path of a setting: `database/password`,
// `HKLM\…\DefaultPassword`, `/etc/x.ini [db] password`.
func LastPart(s string) string {
	s = strings.TrimRight(s, "=: ") // `-Djavax.net.ssl.keyStorePassword=`
	i := strings.LastIndexAny(s, `/\] :=`)
	return s[i+1:]
}

// IsName reports whether s can be the name of an option, a variable or a header.
func IsName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !alphabet.IsWordByte(c) && c != '-' && c != '.' && c != ':' && c < 0x80 {
			return false
		}
	}
	return s != ""
}
