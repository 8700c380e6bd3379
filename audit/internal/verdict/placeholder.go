package verdict

import (
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/internal/secret"
)

// isForeign reports whether s consists of letters outside of the Latin alphabet, blanks and
// dashes, as a word of a translation does.
func isForeign(s string) bool {
	for _, r := range strings.TrimRight(s, "?!.: ") {
		if r < utf8.RuneSelf && r != ' ' && r != '-' || r >= utf8.RuneSelf && r < 0x370 {
			return false
		}
	}
	return utf8.ValidString(s)
}

// isForeignPhrase reports whether s, for which isForeign is true, is a passphrase: it has
// at least three words, and none of them is the name of a secret.
func (v *Values) isForeignPhrase(s string) bool {
	n := 0
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ' ' || r == '-' }) {
		if v.names.ClassOf(strings.ToLower(w)).Secret() {
			return false
		}
		n++
	}
	return n >= 3
}

// isPlaceholder reports whether a value in lower case is a placeholder: `changeme`,
// `your-password-here`.
func (v *Values) isPlaceholder(low string) bool {
	flat := withUnderscores(low)
	compact := strings.ReplaceAll(flat, "_", "")
	if v.placeholders.has(flat) || v.placeholders.has(compact) {
		return true
	}
	for _, request := range []string{"changeme", "changethis", "replaceme", "replacethis", "donotuse"} {
		const few = 7 // points: words, but nothing drawn at random
		if before, after, ok := strings.Cut(compact, request); ok && secret.Strength(v.Unknown(before)+" "+v.Unknown(after)) < few {
			return true // `BareosStoragePleaseChangeMe`
		}
	}
	if stem, cut := strings.CutSuffix(low, "..."); cut && alphabet.IsLatin(stem) {
		return true
	}
	if v.asksFor(flat) {
		return true
	}
	if strings.HasSuffix(flat, "_example") || strings.HasSuffix(flat, "_placeholder") {
		return true
	}
	return consists(flat, func(w string) bool { return v.requests.has(w) || v.stopgaps.has(w) }, func(w string) bool { return v.IsFiller(w) || alphabet.IsNumber(w) })
}

// isChosenRequest reports whether a placeholder in lower case was made a password by a word with a number behind it:
// `changeme-anna59`.
func (v *Values) isChosenRequest(low string) bool {
	_, after, found := strings.Cut(withUnderscores(low), "changeme_")
	word := strings.TrimRight(after, "0123456789")
	return found && len(word) < len(after) && len(word) > 2 && alphabet.IsLetters(word) && v.Unknown(after) != ""
}

// asksFor reports whether a value with underscores between its words asks for a secret:
// `your_ipsec_psk`, `change_this_key_on_your_server`.
func (v *Values) asksFor(flat string) bool {
	first, rest, _ := strings.Cut(flat, "_")
	switch first {
	case "your", "replace", "overwrite", "change", "insert", "enter", "put", "fill":
	default:
		return false
	}
	names := false
	for w := range strings.SplitSeq(rest, "_") {
		if !alphabet.IsLatin(w) && !alphabet.IsNumber(w) {
			return false
		}
		names = names || v.names.OfWord(w).May()
	}
	return names
}

// withUnderscores returns s with underscores between its words.
func withUnderscores(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' || r == '.' {
			return '_'
		}
		return r
	}, s)
}

// isKept reports whether a value in lower case says where the secret is kept or created:
// `managed-in-hiera`. Beside words for the location, few are harmless: `vault-2024` is a password.
func (v *Values) isKept(low string) bool {
	return consists(withUnderscores(low), v.keepers.has, func(w string) bool { return v.fillers.has(w) || v.requests.has(w) })
}

// consists reports whether s consists of words for which is is true, at least one, and of
// words for which beside is.
func consists(s string, is, beside func(word string) bool) bool {
	found := false
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '_' }) {
		switch {
		case is(w):
			found = true
		case !beside(w):
			return false
		}
	}
	return found
}

// isBetweenMarks reports whether s has the form of a template variable: `<name>`,
// `__NAME__`, `@NAME@`, `%NAME%`.
func isBetweenMarks(s string) bool {
	n := len(s)
	if n <= 2 {
		return false
	}
	switch inner := s[1 : n-1]; s[0] {
	case '<':
		return s[n-1] == '>'
	case '@', '%':
		return s[n-1] == s[0] && IsIdentifier(strings.Map(withoutJoints, strings.Trim(inner, s[:1])))
	}
	return strings.HasPrefix(s, "__") && strings.HasSuffix(s, "__")
}

// requests returns words that ask for a value. The fillers below are words that are used
// beside them and have no meaning of their own.
func requests() set {
	return setOf(`your my insert enter replace
		change changed overwrite put set fill add provide some here goes todo fixme placeholder example dummy sample fake changeme replaceme redacted not defined decided
		determined removed replaced ihr ihre dein deine mein hier eintragen einsetzen eingeben setzen bitte aendern ändern ersetzen
		votre ton ici changer changez remplacer remplacez saisir inserer insérer su tu aqui aquí cambiar cambie cambiame ponga inserte sua seu insira
		troque mude inserisci cambia cambiami qui uw jouw wijzig wijzigen vul twoje wpisz zmien zmień ditt byt`)
}

// stopgaps returns words for any value, and for one that does not last.
func stopgaps() set {
	return setOf(`something anything whatever unsafe insecure bogus temp temporary initial
		foo bar baz qux quux corge blah xyz hoge fuga piyo toto titi tata`)
}

// descriptions returns words that say how a value has to be. They are used beside requests
// and stopgaps.
func descriptions() set {
	return setOf(`do use default string word phrase characters character chars char digits bytes byte bits bit least minimum than`)
}

// roles returns words for accounts and their duties, which are no more than the name of an
// account: `backup`, `mgmtuser`.
func roles() set {
	return setOf(`adm administrator anonymous agent app backup backups bind client cluster daemon demo guest install installer login management manager member mgmt monitor monitoring node
		only operator owner public read readonly readwrite reader remote repl replica replicate replication replicator ro root rw server service setup slave superuser sync sysadmin
		system sysuser web webmaster write writer`)
}

// keepers returns words for the location that keeps a secret, or for its origin.
func keepers() set {
	return setOf(`generated operator hiera eyaml vault see manually later autogenerated auto injected provided managed encrypted externally stored kept elsewhere`)
}

func fillers() set {
	return setOf(`password passwd secret token key api me with a the this in value user db database admin root access private client auth priv hash pass passphrase real strong
		own please by runtime from env environment installer puppet via is when for at least it must be of and app random to test id credentials long service production
		account keychain keyring safe das ein neues passwort kennwort geheimnis schluessel schlüssel le mot de passe cle clé jeton contrasena contraseña clave
		senha chave chiave wachtwoord sleutel haslo hasło losenord lösenord passord salasana`)
}

// repeats reports whether s repeats one character, ignoring separators.
func repeats(s string) bool {
	first := byte(0)
	n := 0
	for i := range len(s) {
		c := s[i]
		if c == '-' || c == '_' || c == ' ' {
			continue
		}
		if first == 0 {
			first = c
		}
		if c != first {
			return false
		}
		n++
	}
	return n >= 3
}

// counts reports whether s is a sequence: letters, or letters and digits, in their order
// (`abcdef1234567890`), hexadecimal digits in theirs, or bytes that increase by one.
func counts(s string) bool {
	if inOrder(s) {
		return true
	}
	if len(s) < 16 || len(s)%2 != 0 || !alphabet.IsHex(s) {
		return false
	}
	for _, digits := range []alphabet.Alphabet{alphabet.Hex, alphabet.Digits} {
		if strings.HasPrefix(strings.Repeat(string(digits), len(s)/len(digits)+1), s) {
			return true
		}
	}
	for i := 2; i < len(s); i += 2 {
		a, b := hexByte(s[i-2:]), hexByte(s[i:])
		if b != a+1 && b != a+0x11 {
			return false
		}
	}
	return true
}

// inOrder reports whether s consists of runs of letters and digits, each in its order, and of
// two other characters at most. At least one run is of letters.
func inOrder(s string) bool {
	const least, run, rest = 4, 3, 2
	letters, others := false, 0
	for i := 0; i < len(s); {
		start := i
		for i++; i < len(s) && alphabet.IsAlnum(s[i]) && (s[i] == s[i-1]+1 || s[i-1] == '9' && s[i] == '0'); i++ {
		}
		switch {
		case i-start < run:
			others += i - start
		case alphabet.IsLetter(s[start]):
			letters = true
		}
		if others > rest {
			return false
		}
	}
	return len(s) >= least && letters && others*run < len(s)
}

func hexByte(s string) byte {
	n := byte(0)
	for i := range 2 {
		c := s[i] | 0x20
		if c >= 'a' {
			c -= 'a' - 10
		}
		n = n<<4 | c&15
	}
	return n
}

// IsFiller reports whether a word in lower case asks for a value, or is used beside words
// that do, and so has no meaning of its own.
func (v *Values) IsFiller(low string) bool { return v.beside.has(low) }

// isMask reports whether s contains the replacement that a program wrote for a secret, or the
// text that Puppet wrote for a Deferred.
func isMask(s string) bool {
	if !mayMask(s) {
		return false
	}
	low := strings.ToLower(s)
	for _, m := range []string{"[value redacted]", "[redacted", "<redacted", "(redacted", "<hidden", "[hidden", "(hidden",
		"[masked", "<masked", "[filtered", "<filtered", "[removed", "<removed", "<sensitive", "[sensitive", "(sensitive",
		"‹", "<secret hidden", "[secret", "*****", "xxxxxx", "••••", "deferred({'name'", `deferred({"name"`, "#<puppet::pops::"} {
		if strings.Contains(low, m) && (m[0] != '*' && m[0] != 'x' || len(strings.Trim(low, "*x")) == 0) {
			return true
		}
	}
	if len(s) <= 12 && (strings.HasPrefix(s, "****") || strings.HasSuffix(s, "****")) {
		return true // the visible part is a hint for the owner
	}
	return len(s) > 2 && len(strings.Trim(s, "*•.…#?xX")) == 0
}

// isLocked reports whether s is the password field of a locked account.
func isLocked(s string) bool {
	switch s {
	case "!", "!!", "*", "x", "X", "!*", "*!", "*LK*", "NP", "*NP*", "!locked", "*LOCKED*", "$p$root", "!!!", "-", "~", ".":
		return true
	}
	return strings.HasPrefix(s, "*LK*") || strings.HasPrefix(s, "!") && len(s) < 3
}

// mayMask reports whether s contains one of the characters of masks. It checks only the
// first byte of `‹`, `•` and `…`.
func mayMask(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case '[', '<', '(', '*', 'x', 'X', '.', '#', '?', "‹"[0]:
			return true
		}
	}
	return false
}
