package detect

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/audit/decode"
	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/internal/audit/verdict"
	"github.com/pcatdev/pcat/internal/secret"
)

// given judges S[start:end] as the value of a name. The value counts as quoted, so it is
// never an expression of a language.
func (t *Text) given(name string, start, end int, as verdict.Sort) {
	t.judge(assignment{name: name, value: t.S[start:end], start: start, end: end, quoted: true, sort: as})
}

// judge emits a hit for an assignment if its value is a secret.
func (t *Text) judge(a assignment) {
	if inner, n, ok := scheme(a.name, a.value); ok {
		a.start += n
		a.value, a.sort = inner, verdict.Token
		if a.start > a.end {
			a.start = a.end - len(inner)
		}
	} else if n := encoder(a.value); n > 0 {
		a.value, a.start = a.value[n:], a.start+n
	} else if !a.quoted && t.isExpression(&a) {
		return
	}
	if strings.Contains(a.value, "\n") && !decode.IsFolded(a.value) {
		return // from the end of one string to the beginning of another
	}
	at := verdict.InText
	if (a.loose || t.leaf.Kind == leaf.Title) && verdict.IsUUID(a.value) {
		return // the ID of a secret
	}
	if t.kind == manual || t.leaf.Kind == leaf.Title && !a.quoted || a.loose && !a.quoted && t.afterProse(a.start) {
		at = verdict.InProse // an example, unless the value looks random
	}
	a.unveil()
	if t.basic(a) || inExpression(t.S, a.start) {
		return
	}
	id := t.id()
	if a.inline && t.inConnectionString(a) {
		id = "connection-string"
	}
	t.weigh(id, a, at)
}

// defaultPassword is the rule for common passwords and placeholders in use.
const defaultPassword = "default-password"

// weigh emits a hit for an assignment in a place of the given standing if its value is a
// secret, a default password, or the base64 of either.
func (t *Text) weigh(id string, a assignment, at verdict.Standing) {
	c := verdict.Candidate{Value: a.value, As: a.sort, At: at}
	r := t.speaksAgainst(&a, c)
	decoded, encoded := "", false
	if r == verdict.None && a.sort != verdict.Hint {
		if decoded, encoded = decode.Base64Text(a.value); encoded {
			r = t.values().AgainstWords(verdict.Candidate{Value: decoded, As: a.sort, At: at})
		}
	}
	confidence := c.Confidence()
	if (r == verdict.Common || r == verdict.Placeholder) && c.As.Secret() && at > verdict.InProse && (c.As.Open() || a.account || at == verdict.InParameter) {
		id, confidence, r = defaultPassword, rule.Likely, verdict.None
	}
	switch {
	case r != verdict.None:
	case encoded:
		t.encoded(id, a, decoded, rule.Likely)
	default:
		h := t.namedHit(id, a.start, a.end, a.name, a.value, confidence)
		h.Loose = id != defaultPassword && (c.As == verdict.Hint || c.At == verdict.InProse)
		t.emit(h)
	}
	if t.scanner.Judged != nil && r != verdict.Empty {
		h := t.Hit(id, a.start, a.end, a.value, c.Confidence())
		h.Name = a.name
		t.scanner.Judged(judgementOf(h, c, r))
	}
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

func judgementOf(h Hit, c verdict.Candidate, r verdict.Reason) Judgement {
	j := Judgement{Hit: h, Named: c.As.Secret(), Against: string(r)}
	if r == verdict.None && h.Rule != defaultPassword || r == verdict.Unlikely {
		j.Terms = slices.Collect(c.Terms)
	}
	return j
}

// isExpression reports whether a value without quotes is an expression of a language, or
// several words that are not a password.
func (t *Text) isExpression(a *assignment) bool {
	switch {
	case t.kind == source:
		return true
	case verdict.IsCode(a.value) && !(a.sort > verdict.Hint && verdict.IsDottedPhrase(a.value)):
		return true
	case a.sort == verdict.Phrase || !strings.ContainsAny(a.value, " \t"):
		return false
	}
	if a.loose || !a.sort.Open() {
		return a.loose || !verdict.IsPassphrase(a.value)
	}
	return !alphabet.IsLatin(strings.Map(withoutPunctuation, a.value)) || t.names().IsSentence(a.value) || secret.Strength(a.value) < verdict.Threshold
}

// withoutPunctuation removes the punctuation between the words of a passphrase.
func withoutPunctuation(r rune) rune {
	if strings.ContainsRune(" ,'!-", r) {
		return -1
	}
	return r
}

// unveil removes the delimiters of a password in Erlang, `<<"X">>`, and reverts the
// encoding of passwords in WebSphere and Liberty, which flips the same bits of each byte.
func (a *assignment) unveil() {
	const open, end = `<<"`, `">>`
	if inner, ok := strings.CutPrefix(a.value, open); ok && strings.HasSuffix(inner, end) && a.end-a.start == len(a.value) {
		a.value = inner[:len(inner)-len(end)]
		a.start, a.end = a.start+len(open), a.end-len(end)
	}
	if n := len(a.value); n > 2 && (a.value[0] == '"' || a.value[0] == '\'') && strings.IndexByte(a.value[1:], a.value[0]) == n-2 && a.end-a.start == n {
		a.value = a.value[1 : n-1]
		a.start, a.end = a.start+1, a.end-1
	}
	const mark, bits = "{xor}", '_'
	if len(a.value) <= len(mark) || a.value[0] != '{' || !strings.EqualFold(a.value[:len(mark)], mark) {
		return
	}
	b, err := base64.StdEncoding.DecodeString(a.value[len(mark):])
	if err != nil {
		return
	}
	for i := range b {
		b[i] ^= bits
	}
	if decode.IsText(string(b)) {
		a.value = string(b)
	}
}

// encoder returns the length of the prefix that marks a value as a plain-text password:
// `{noop}X` of Spring, `{PLAIN}X` of Dovecot.
func encoder(value string) int {
	if value == "" || value[0] != '{' {
		return 0
	}
	for _, mark := range []string{"{noop}", "{plain}", "{clear}", "{cleartext}"} {
		if len(value) > len(mark) && strings.EqualFold(value[:len(mark)], mark) {
			return len(mark)
		}
	}
	return 0
}

// inExpression reports whether position i of s is inside the braces of a template, that is,
// in an argument of a template expression.
func inExpression(s string, i int) bool {
	before := s[max(0, i-verdict.MaxName):i]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	return strings.LastIndex(before, "{{") > strings.LastIndex(before, "}}")
}

// afterProse reports whether the line before position at is a part of a sentence that
// continues on the next line.
func (t *Text) afterProse(at int) bool {
	from := max(0, at-maxCommand/8)
	start := from + strings.LastIndexByte(t.S[from:at], '\n')
	if start <= from {
		return false
	}
	before := t.S[from+strings.LastIndexByte(t.S[from:start], '\n')+1 : start]
	return len(before) < 512 && strings.Count(strings.TrimSpace(before), " ") >= 5 && verdict.IsProse(before)
}

// encoded emits a hit for a secret that the value of an assignment contains in base64.
func (t *Text) encoded(id string, a assignment, secret string, confidence rule.Confidence) {
	h := t.Hit(id, a.start, a.end, secret, confidence)
	h.Name, h.Encodings = a.name, append(slices.Clip(h.Encodings), "base64")
	t.emit(h)
}

// inConnectionString reports whether a is one of several pairs separated by semicolons.
func (t *Text) inConnectionString(a assignment) bool {
	before := t.S[max(0, a.start-verdict.MaxName):a.start]
	i := strings.LastIndexByte(before, ';')
	return i >= 0 && !strings.ContainsAny(before[i:], "\n\"") && strings.Count(before[i:], "=") == 1
}

// namesSecret reports whether the value of an assignment is the name of a secret in a
// secret store: `pull_secret: registry-token`.
func (t *Text) namesSecret(a *assignment) bool {
	switch verdict.LastWord(a.name) {
	case "secret", "secrets", "credential", "credentials":
	default:
		return false
	}
	return strings.IndexByte(a.value, '-') > 0 && a.value == strings.ToLower(a.value) && alphabet.IsLatin(strings.ReplaceAll(a.value, "-", "")) && t.sortOf(a.value) > verdict.Hint
}

// isNameAgain reports whether a value consists of the words of its name, of which there
// are several, in camel case: a constant, a field.
func isNameAgain(name, value string) bool {
	list := verdict.Words(value)
	return len(list) > 1 && alphabet.IsLatin(value) && slices.Equal(list, verdict.Words(name))
}

// speaksAgainst returns the reason why the value of an assignment is not a secret.
func (t *Text) speaksAgainst(a *assignment, c verdict.Candidate) verdict.Reason {
	r := t.scanner.against(c)
	ofPassword := c.At == verdict.InParameter && c.As.Open() && !verdict.IsVariable(a.value) // a password in use, whatever it looks like
	switch {
	case r == verdict.Identifier && ofPassword && verdict.IsNameOfSecret(a.value) && !strings.HasPrefix(verdict.LastWord(a.name), "secret"):
		return verdict.Placeholder // `very-secret-password`
	case r == verdict.Unlikely && (a.account || c.At == verdict.InParameter && c.As == verdict.Token) && t.isOwnName(a):
		return verdict.Common
	case r != verdict.Common && r != verdict.None:
	case isNameAgain(a.name, a.value):
		return verdict.Caption // `ticket_salt => 'TicketSalt'`
	case ofPassword && strings.Count(a.value, " ") < 2 && t.names().IsLabel(a.value):
		return verdict.Common // `SecretPass`, `insecure password`
	case t.names().IsLabel(a.value):
		return verdict.Caption
	case r == verdict.None && t.namesSecret(a):
		return verdict.Identifier
	case r == verdict.None && c.As.Open() && t.isOwnName(a):
		return verdict.Common
	}
	return r
}
