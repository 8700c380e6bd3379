package detect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/secret"
)

// given judges S[start:end] as the value of a name. The value counts as quoted, so it is
// never an expression of a language.
func (t *Text) given(name string, start, end int, as verdict.NameClass) {
	t.judge(assign.Assignment{Name: name, Value: t.S[start:end], Start: start, End: end, Quoted: true, Class: as})
}

// judge emits a hit for an assignment if its value is a secret.
func (t *Text) judge(a assign.Assignment) {
	if inner, n, ok := verdict.CutScheme(a.Name, a.Value); ok {
		a.Start += n
		a.Value, a.Class = inner, verdict.Token
		if a.Start > a.End {
			a.Start = a.End - len(inner)
		}
	} else if inner, at := verdict.Fallback(a.Value); at > 0 && len(a.Value) == a.End-a.Start {
		a.Start += at
		a.Value, a.End, a.Quoted = inner, a.Start+len(inner), true
	} else if n := verdict.EncoderPrefix(a.Value); n > 0 {
		a.Value, a.Start = a.Value[n:], a.Start+n
	} else if !a.Quoted && !(t.kind == source && t.inConnectionText(&a)) && t.isExpression(&a) && !t.cutRest(&a) {
		return
	}
	if strings.Contains(a.Value, "\n") && !decode.IsFolded(a.Value) {
		return // from the end of one string to the beginning of another
	}
	if t.kind == manual && a.Start > 0 && a.Start <= len(t.S) && t.S[a.Start-1] == '\\' {
		return // an escape of roff: `--passphrase \fIstring\fR`
	}
	at := verdict.InText
	if (a.Loose && !isNameOfToken(a.Name) || t.leaf.Kind == leaf.Title) && verdict.IsUUID(a.Value) {
		return // the ID of a secret
	}
	if t.kind == manual || t.leaf.Kind == leaf.Title && !a.Quoted || a.Loose && !a.Quoted && t.afterProse(a.Start) {
		at = verdict.InProse // an example, unless the value looks random
	} else if t.kind != source && !verdict.FollowsRules(a.Value) && (t.isSpoken(a) || alphabet.IsLatin(a.Value) && !t.isString(a) && t.afterProse(a.Start)) {
		at = verdict.InProse
	}
	a.Unveil()
	if t.basic(a) || inExpression(t.S, a.Start) || isRequest(t.S, a) {
		return
	}
	id := t.id()
	if a.Inline && t.inConnectionString(a) {
		id = "connection-string"
	}
	t.weigh(id, a, at)
}

// isNameOfToken reports whether a name is that of a token or a password, which may be a UUID. A secret and a key
// also have one as their ID: `virsh secret-set-value UUID`.
func isNameOfToken(name string) bool {
	switch verdict.LastWord(name) {
	case "token", "password", "passwd", "apikey":
		return true
	case "secret":
		return verdict.HasWord(name, "client") // identity providers make UUIDs
	}
	return false
}

// defaultPassword is the rule for common passwords and placeholders in use.
const defaultPassword = "default-password"

// weigh emits a hit for an assignment in a location of the given standing if its value is a
// secret, a default password, or the base64 of either.
func (t *Text) weigh(id string, a assign.Assignment, at verdict.Standing) {
	if t.isStatus(&a) {
		return
	}
	if a.Class == verdict.Hint && verdict.LastWord(a.Name) == "pin" {
		switch {
		case isPIN(a.Value):
			a.Class = verdict.Password
		case verdict.FollowsRules(a.Value), verdict.IsRandom(a.Value):
			a.Class = verdict.Token
		}
	}
	if a.Class == verdict.Hint && alphabet.IsHex(a.Value) && !alphabet.IsNumber(a.Value) && isKeyMaterial(a.Name) {
		a.Class = verdict.Token // the ID of a key or a commit has another name
	}
	c := verdict.Candidate{Value: a.Value, As: a.Class, At: at}
	decoded, encoded := "", false
	if t.scanner.inside && a.Value == t.leaf.Text {
		if decoded, encoded = decode.Base64Text(a.Value); !encoded || a.Class == verdict.Hint {
			return // the leaf itself
		}
	}
	r := t.speaksAgainst(&a, c)
	if r == verdict.None && a.Class != verdict.Hint {
		if decoded, encoded = decode.Base64Text(a.Value); encoded {
			r = t.values().AgainstWords(verdict.Candidate{Value: decoded, As: a.Class, At: at})
		}
	}
	confidence := c.Confidence()
	known := t.isLiveDefault(a, c, r)
	if known {
		if t.isExactDefault(&a, cmp.Or(decoded, a.Value), r) {
			id, confidence = defaultPassword, rule.Likely
		}
		r = verdict.None
	}
	switch {
	case r != verdict.None:
	case encoded:
		t.encoded(id, a, decoded, rule.Likely)
	default:
		h := t.namedHit(id, a.Start, a.End, a.Name, a.Value, confidence)
		h.Loose = id != defaultPassword && (c.As == verdict.Hint || c.At == verdict.InProse && !c.As.Open())
		t.emit(h)
	}
	if t.scanner.Judged != nil && r != verdict.Empty {
		h := t.Hit(id, a.Start, a.End, a.Value, c.Confidence())
		h.Name = a.Name
		j := Judgement{Hit: h, Named: c.As.Secret(), Against: string(r)}
		if r == verdict.None && (!known || id != defaultPassword && c.Score() >= verdict.Threshold) || r == verdict.Unlikely {
			j.Terms = slices.Collect(c.Terms)
		}
		t.scanner.Judged(j)
	}
}

// isKeyMaterial reports whether the last word of an ambiguous name is for something that keys are made of. The seed of a
// schedule or of random numbers is none.
func isKeyMaterial(name string) bool {
	words := verdict.Words(name)
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "hmac", "pepper":
		return true
	case "seed":
		return !slices.ContainsFunc(words, isOfChance)
	}
	return false
}

// isOfChance reports whether a word says that a seed is for a schedule or for random numbers.
func isOfChance(word string) bool {
	switch word {
	case "cron", "splay", "rand", "random", "rnd", "shuffle", "schedule", "minute", "hour", "time":
		return true
	}
	return false
}

// inConnectionText reports whether an assignment is one of several in a string of a program that describes a
// connection: `connect("host=db user=app password=X")`.
func (t *Text) inConnectionText(a *assign.Assignment) bool {
	const reach = 200
	if a.Start > a.End || a.End > len(t.S) {
		return false
	}
	before := t.S[max(0, a.Start-reach):a.Start]
	quote := strings.LastIndexAny(before, "\"'`\n")
	if quote < 0 || before[quote] == '\n' {
		return false
	}
	after, _, _ := strings.Cut(t.S[a.End:min(len(t.S), a.End+reach)], "\n")
	if strings.IndexByte(after, before[quote]) < 0 {
		return false
	}
	for pair := range strings.FieldsSeq(before[quote+1:]) {
		switch name, _, found := strings.Cut(pair, "="); {
		case found && (name == "host" || name == "hostaddr" || name == "dbname" || name == "user"):
			return true
		}
	}
	return false
}

// isPIN reports whether the value of a pin is a PIN: a number of some digits, rather than the number of
// the pin.
func isPIN(value string) bool {
	const shortest, longest = 5, 12
	return len(value) >= shortest && len(value) <= longest && alphabet.IsNumber(value)
}

// isLiveDefault reports whether a value is a default password in use, against which r speaks. In
// a text, the value of a token is one only if its words ask for a value, or speak of a password
// alone: digits that look like a placeholder may be the ID of a key, if they are few or in
// capitals.
func (t *Text) isLiveDefault(a assign.Assignment, c verdict.Candidate, r verdict.Reason) bool {
	if !c.As.Secret() || c.At == verdict.InProse {
		return false
	}
	if c.As.Open() || a.Account || c.At == verdict.InParameter {
		return r == verdict.Common || r == verdict.Placeholder
	}
	const long = 16
	if r == verdict.Common {
		return t.values().SaysNothing(strings.ToLower(a.Value))
	}
	return r == verdict.Placeholder && (!alphabet.IsHex(a.Value) || len(a.Value) >= long && a.Value != strings.ToUpper(a.Value))
}

// Judgement is the verdict on the value of a name. It contains the value, so it must not be
// printed.
type Judgement struct {
	Hit
	// Named is set if the name alone makes the value a secret.
	Named bool
	// Against is the reason why the value is not a secret, or "" if it is one.
	Against string
	// Terms are the terms of the score. They are empty if the value is rejected for another
	// reason than its score.
	Terms []verdict.Term
}

// isExpression reports whether a value without quotes is an expression of a language, or
// several words that are not a password.
func (t *Text) isExpression(a *assign.Assignment) bool {
	switch {
	case t.kind == source:
		return true
	case verdict.IsCode(a.Value) && !(a.Class > verdict.Hint && verdict.IsDottedPhrase(a.Value)):
		return true
	case a.Class == verdict.Phrase || !strings.ContainsAny(a.Value, " \t"):
		return false
	}
	if a.Loose || !a.Class.Open() {
		return a.Loose || !verdict.IsPassphrase(a.Value)
	}
	if t.kind != manual && verdict.IsSpokenPhrase(a.Value) && !t.names().IsSaying(a.Value) {
		const least = 8 // points: a few words
		return secret.Strength(a.Value) < least
	}
	return !alphabet.IsLatin(strings.Map(withoutPunctuation, a.Value)) || t.names().IsSentence(a.Value) || secret.Strength(a.Value) < verdict.Threshold
}

// cutRest removes the words of a message behind a value, `password=X was set for app`, and reports whether that is a
// secret by its looks.
func (t *Text) cutRest(a *assign.Assignment) bool {
	first, rest, found := strings.Cut(a.Value, " ")
	if second, _, _ := strings.Cut(rest, " "); !found || t.kind == source || a.Loose || !a.Class.Secret() || len(a.Value) != a.End-a.Start || !alphabet.IsLetters(second) {
		return false
	}
	const shortest = 8
	word := strings.TrimRight(first, ",;.")
	if len(word) < shortest || !verdict.FollowsRules(word) && !verdict.IsRandom(word) && !verdict.IsPhrase(word) && (!strings.ContainsAny(word, "0123456789") || verdict.IsTermed(word)) {
		return false
	}
	a.Value, a.End = word, a.Start+len(word)
	return true
}

// withoutPunctuation removes the punctuation between the words of a passphrase.
func withoutPunctuation(r rune) rune {
	if strings.ContainsRune(" ,'!-", r) {
		return -1
	}
	return r
}

// inExpression reports whether position i of s is inside the braces of a template, that is,
// in an argument of a template expression.
func inExpression(s string, i int) bool {
	before := s[max(0, i-verdict.MaxName):i]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	return strings.LastIndex(before, "{{") > strings.LastIndex(before, "}}")
}

// isRequest reports whether the value of an assignment ends a request in angle brackets, whose other words are before
// it: `<your password here>`.
func isRequest(s string, a assign.Assignment) bool {
	if a.End > len(s) || a.Start > a.End || !strings.HasSuffix(a.Value, ">") && !strings.HasPrefix(s[a.End:], ">") {
		return false
	}
	before := s[max(0, a.Start-verdict.MaxName):a.Start]
	words := before[strings.LastIndexAny(before, "<>\n")+1:]
	return len(words) < len(before) && before[len(before)-len(words)-1] == '<' &&
		strings.Contains(words, " ") && alphabet.IsLatin(strings.ReplaceAll(words, " ", "")) && alphabet.IsLatin(strings.TrimSuffix(a.Value, ">"))
}

// isString reports whether the value of an assignment stands in quotes.
func (t *Text) isString(a assign.Assignment) bool {
	i := a.Start - 1
	return i >= 0 && i < len(t.S) && (t.S[i] == '"' || t.S[i] == '\'')
}

// isSpoken reports whether an assignment is a part of a sentence on its line. Quotes and braces around
// it end the sentence.
func (t *Text) isSpoken(a assign.Assignment) bool {
	const reach = 160
	if a.End > len(t.S) || a.Start > a.End {
		return false
	}
	if !a.Loose && t.isString(a) {
		return false
	}
	from, to := max(0, a.Start-reach), min(len(t.S), a.End+reach)
	from += strings.LastIndexAny(t.S[from:max(from, a.Start-1)], "\n\"{}<>;") + 1
	if n := strings.IndexAny(t.S[a.End:to], "\n\"{}<>;"); n >= 0 {
		to = a.End + n
	}
	return verdict.IsSpoken(t.S[from:a.Start] + " " + t.S[a.End:to])
}

// afterProse reports whether the line before position at is a part of a sentence that
// continues on the next line.
func (t *Text) afterProse(at int) bool {
	const reach = 2 << 10
	from := max(0, at-reach)
	start := from + strings.LastIndexByte(t.S[from:at], '\n')
	if start <= from {
		return false
	}
	before := t.S[from+strings.LastIndexByte(t.S[from:start], '\n')+1 : start]
	before = strings.TrimSpace(before)
	if first, _, _ := strings.Cut(before, " "); strings.HasPrefix(strings.TrimLeft(t.S[start+1:at], " \t"), first+" ") {
		return false // lines that begin alike are directives: `set snmp …`
	}
	return len(before) < 512 && strings.Count(before, " ") >= 5 && verdict.IsProse(before) && !lines.IsComment(before)
}

// encoded emits a hit for a secret that the value of an assignment contains in base64.
func (t *Text) encoded(id string, a assign.Assignment, secret string, confidence rule.Confidence) {
	h := t.Hit(id, a.Start, a.End, secret, confidence)
	h.Name, h.Encodings = a.Name, append(slices.Clip(h.Encodings), "base64")
	t.emit(h)
}

// inConnectionString reports whether a is one of several pairs separated by semicolons.
func (t *Text) inConnectionString(a assign.Assignment) bool {
	before := t.S[max(0, a.Start-verdict.MaxName):a.Start]
	i := strings.LastIndexByte(before, ';')
	return i >= 0 && !strings.ContainsAny(before[i:], "\n\"") && strings.Count(before[i:], "=") == 1
}

// namesSecret reports whether the value of an assignment is the name of a secret in a
// secret store: `pull_secret: registry-token`.
func (t *Text) namesSecret(a *assign.Assignment) bool {
	switch verdict.LastWord(a.Name) {
	case "secret", "secrets", "credential", "credentials":
	default:
		return false
	}
	return strings.IndexByte(a.Value, '-') > 0 && a.Value == strings.ToLower(a.Value) && alphabet.IsLatin(strings.ReplaceAll(a.Value, "-", "")) && t.classOf(a.Value) > verdict.Hint
}

// isNameAgain reports whether a value consists of the words of its name, of which there
// are several, in camel case: a constant, a field.
func isNameAgain(name, value string) bool {
	list := verdict.Words(value)
	return len(list) > 1 && alphabet.IsLatin(value) && slices.Equal(list, verdict.Words(name))
}

// isConstant reports whether the value of an assignment is a constant for a secret, other than
// that of its name: `GLANCE_PASS` in manuals.
func (t *Text) isConstant(a *assign.Assignment) bool {
	return verdict.IsVariable(a.Value) && t.names().OfWord(verdict.LastWord(a.Value)).Open() && !slices.Equal(verdict.Words(a.Value), verdict.Words(a.Name))
}

// speaksAgainst returns the reason why the value of an assignment is not a secret.
func (t *Text) speaksAgainst(a *assign.Assignment, c verdict.Candidate) verdict.Reason {
	r := t.scanner.against(c)
	ofPassword := c.At == verdict.InParameter && c.As.Open() && !verdict.IsVariable(a.Value) // a password in use, whatever it looks like
	switch {
	case r == verdict.Identifier && ofPassword && verdict.IsNameOfSecret(a.Value) && !strings.HasPrefix(verdict.LastWord(a.Name), "secret"):
		return verdict.Placeholder // `very-secret-password`
	case r == verdict.Unlikely && verdict.HasWord(a.Name, "access") && verdict.LastWord(a.Name) == "key" && !verdict.HasWord(a.Name, "secret"):
		return r // it identifies an account
	case r == verdict.Unlikely && (a.Account || c.At == verdict.InParameter && c.As == verdict.Token) && t.isOwnName(a):
		return verdict.Common
	case r == verdict.Keyword && ofPassword && len(a.Value) < shortest && (t.isOwnUser(a) || t.isTitle(a.Value)):
		return verdict.Common // `hr` of the user hr
	case r != verdict.Common && r != verdict.None && r != verdict.Placeholder:
	case t.refersByKey(a):
		return verdict.Reference
	case r == verdict.Placeholder:
	case c.At == verdict.InParameter && c.As.Open() && t.isConstant(a):
		return verdict.Placeholder
	case isNameAgain(a.Name, a.Value) && ofPassword && slices.Contains([]string{"password", "passwd", "pwd"}, verdict.LastWord(a.Name)):
		return verdict.Placeholder // `dba_password => 'dbaPassword'`
	case isNameAgain(a.Name, a.Value):
		return verdict.Caption // `ticket_salt => 'TicketSalt'`
	case ofPassword && strings.Count(a.Value, " ") < 3 && t.names().IsLabel(a.Value):
		return verdict.Common // `SecretPass`, `insecure password`
	case t.names().IsLabel(a.Value):
		return verdict.Caption
	case r == verdict.None && t.namesSecret(a):
		return verdict.Identifier
	case r == verdict.None && c.As.Open() && t.isOwnName(a):
		return verdict.Common
	}
	return r
}
