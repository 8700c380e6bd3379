package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/assign"
	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
)

// UnnamedSecret is the rule for words that look drawn at random.
const UnnamedSecret = "unnamed-secret"

// drawn finds words that look drawn at random, as generated passwords and keys do, although no name says
// that they are: `SAVED_AK='X'`, `attach X`. Digests, public keys and identifiers look alike. Therefore a word
// needs letters of both cases and digits, and is left out if its name says that it identifies or verifies
// something, or if it is a line of a block of base64.
type drawn struct{ *Text }

const (
	// The lengths in bytes of words that count as drawn.
	shortestDrawn = 16
	longestDrawn  = 128
	// mostDrawn is the maximum number of different words of this kind in a leaf. One with more of them is data, and none is reported:
	// reporting some would leave the others, which another search of the redacted leaf reports.
	mostDrawn = 160
)

func (t drawn) search() {
	if t.scanner.IsData() || t.kind == manual || !hasDrawn(&t.has) || isSealed(t.S) || t.leaf.Catalog != nil && t.leaf.Catalog.Form == leaf.Facts {
		return
	}
	s := t.S
	var found []lines.Word
	add := func(start, end int) {
		found = append(found, lines.Word{Start: start, End: end})
		t.scanner.count(s[start:end])
	}
	for i := 0; i < len(s); {
		if !isDrawnByte(s[i]) {
			i++
			continue
		}
		start := i
		for i < len(s) && isDrawnByte(s[i]) {
			i++
		}
		if i < len(s) && isPasswordMark(s[i]) && start > 0 && (s[start-1] == '"' || s[start-1] == '\'') {
			end, ok := t.marked(start, i)
			if i = end; ok {
				add(start, end)
			}
		} else if i-start >= shortestDrawn {
			if from := behindNames(s, start, i); t.word(from, i) {
				add(from, i)
			}
		}
		if t.scanner.IsData() {
			return
		}
	}
	for _, w := range found {
		t.found(UnnamedSecret, w.Start, w.End, rule.Possible)
	}
}

// behindNames returns the start of a word behind the names that it is assigned to: `NAME=X`.
func behindNames(s string, start, end int) int {
	for i := start; i < end-1; i++ {
		if s[i] == '=' && s[i+1] != '=' {
			start = i + 1
		}
	}
	return start
}

// marked reports whether the string in quotes that contains the mark at S[at], behind the bytes of a word from start, looks drawn from
// letters, digits and the marks that generators of passwords use. It returns the end of the text that was read.
func (t drawn) marked(start, at int) (end int, found bool) {
	s, end := t.S, at
	quote := s[start-1]
	for end < len(s) && end-start <= longestMarked && (isDrawnByte(s[end]) || isPasswordMark(s[end])) {
		end++
	}
	if end == len(s) || s[end] != quote {
		return end, false
	}
	w := s[start:end]
	return end, len(w) >= shortestMarked && looksMarked(w) && t.isSecret(start, end)
}

// The lengths in bytes of strings with marks that count as drawn.
const (
	shortestMarked = 12
	longestMarked  = 64
)

// isPasswordMark reports whether c is a mark that passwords have, and names, paths and code hardly.
func isPasswordMark(c byte) bool { return strings.IndexByte(drawnMarks, c) >= 0 || c == '.' }

const drawnMarks = verdict.Marks + "@"

// looksMarked reports whether a string consists of letters, digits and marks without order, and is no address, format or escape.
func looksMarked(w string) bool {
	const least, least2 = 1, 2 // of each class
	digits, lower, upper, other := alphabet.Count(w)
	if digits < least || lower < least2 || upper < least2 || other > len(w)/2 || strings.Count(w, "%") > 1 || strings.Count(w, "&") > 1 {
		return false
	}
	inner := strings.IndexAny(w[1:len(w)-1], drawnMarks)
	if inner < 0 || strings.Contains(w, "?") && strings.Contains(w, "=") {
		return false
	}
	if _, domain, found := strings.Cut(w, "@"); found && verdict.IsServer(domain) {
		return false
	}
	return turns(w)*2 >= len(w) && verdict.IsRandom(w)
}

// hasDrawn reports whether a text has the bytes of a drawn word.
func hasDrawn(has *alphabet.Contained) bool {
	const digits, letters = (1<<10 - 1) << '0', 1<<26 - 1
	return has[0]&digits != 0 && has[1]&(letters<<('A'-64)) != 0 && has[1]&(letters<<('a'-64)) != 0
}

// isDrawnByte reports whether c can be part of a drawn word. The marks of base64 are included, so that none of its
// parts is taken for a word.
func isDrawnByte(c byte) bool {
	switch c {
	case '+', '/', '=', '_', '-', '~', '!':
		return true
	}
	return alphabet.IsAlnum(c)
}

// word reports whether the word at S[start:end] looks drawn, and nothing says that it is no secret.
func (t drawn) word(start, end int) bool {
	w := t.S[start:end]
	if len(w) < shortestDrawn || len(w) > longestDrawn || !looksDrawn(w) || isOther(w) || !t.isDelimited(start, end) || t.inBlock(start, end) {
		return false
	}
	return t.isSecret(start, end)
}

// isSecret reports whether nothing says that the word at S[start:end], which looks drawn, is no secret.
func (t drawn) isSecret(start, end int) bool {
	w := t.S[start:end]
	if _, ok := decode.Base64Text(w); ok {
		return false // the text is searched instead
	}
	if t.kind == source && !t.isQuoted(start, end) {
		return false
	}
	name := t.nameBefore(start)
	if name == "" && t.leaf.InParameter() {
		name = t.leaf.Name()
	}
	if t.names().Identifies(name) || t.isPublicPart(name) || t.scanner.inside && w == t.leaf.Text || t.isPartOfOther(start, end) || t.onLineOf(start, end) {
		return false
	}
	a := assign.Assignment{Name: name, Value: w, Start: start, End: end, Quoted: true, Class: verdict.Hint}
	return t.speaksAgainst(&a, verdict.Candidate{Value: w, As: verdict.Hint, At: verdict.InText}) == verdict.None
}

// isPublicPart reports whether the name is that of a public member of a JSON Web Key, which is the Hash around the text.
func (t drawn) isPublicPart(name string) bool {
	h := t.leaf.Hash()
	if h == nil || len(name) != 1 || strings.IndexByte("xyne", name[0]) < 0 {
		return false
	}
	_, ok := h.GetString("kty")
	return ok
}

// isPartOfOther reports whether S[start:end] is a part of a longer value that is no secret in the open,
// such as `vault:v2:X` or `sha256:X`.
func (t drawn) isPartOfOther(start, end int) bool {
	const reach = 160
	const outside = " \t\r\n\"'`,;<>"
	from := max(0, start-reach)
	from += strings.LastIndexAny(t.S[from:start], outside) + 1
	to := min(len(t.S), end+reach)
	if n := strings.IndexAny(t.S[end:to], outside); n >= 0 {
		to = end + n
	}
	if from == start && to == end {
		return false
	}
	switch t.values().AgainstWords(verdict.Candidate{Value: t.S[from:to], As: verdict.Hint, At: verdict.InText}) {
	case verdict.Ciphertext, verdict.Reference, verdict.Public, verdict.Digest, verdict.Locked, verdict.Masked:
		return true
	}
	return false
}

// onLineOf reports whether the line of S[start:end] says that it holds something public or encrypted: a record of
// DNS, the parts of `ENC[AES256_GCM,data:X,iv:Y]`, or bytes for a decoder.
func (t drawn) onLineOf(start, end int) bool {
	before, after := t.beside(start, end)
	if strings.LastIndex(before, "ENC[") > strings.LastIndexByte(before, ']') {
		return true
	}
	for w := range strings.FieldsSeq(before) {
		switch w {
		case "DNSKEY", "RRSIG", "TLSA", "SSHFP", "IPSECKEY", "OPENPGPKEY":
			return true
		}
	}
	if strings.Contains(before, " 257 3 ") || strings.Contains(before, " 256 3 ") { // of a trust anchor
		return true
	}
	if start > 0 && t.S[start-1] == '<' && end < len(t.S) && t.S[end] == '@' { // the ID of a mail
		return true
	}
	if strings.Contains(before, `"kty"`) || strings.Contains(after, `"kty"`) { // a JSON Web Key
		return true
	}
	_, piped, found := strings.Cut(after, "|")
	return found && strings.Contains(piped, "base64") || t.verifies(start)
}

// beside returns the parts of the line of S[start:end] before and after it, within reach.
func (t drawn) beside(start, end int) (before, after string) {
	const reach = 512
	before = t.S[max(0, start-reach):start]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after, _, _ = strings.Cut(t.S[end:min(len(t.S), end+reach)], "\n")
	return before, after
}

// isOther reports whether a word is known to be something else: base64 with a mark of it, which is more often a digest or
// a public key; an identifier with a prefix, or a token whose form is known; a symbol of a linker; or an
// address by content.
func isOther(w string) bool {
	if strings.ContainsAny(w, "+/=") || w[0] == '_' {
		return true
	}
	for _, prefix := range []string{"sha", "Qm", "12D3Koo"} {
		if strings.HasPrefix(w, prefix) {
			return true
		}
	}
	n := strings.IndexAny(w, "-_~")
	return n > 1 && (isWord(w[:n]) || isKindOfID(w[:n])) || isSID(w)
}

// isWord reports whether s consists of letters as words and names do, with few changes of their case: `usr`, `CentOS`.
func isWord(s string) bool {
	const most = 2
	return alphabet.IsLetters(s) && turns(s) <= most
}

// isKindOfID reports whether s is the kind of an identifier before a mark: lower case, and at most two digits,
// such as `sq0idp` or `fm2`.
func isKindOfID(s string) bool {
	const longest, most = 8, 2
	digits, lower, _, _ := alphabet.Count(s)
	return len(s) <= longest && digits <= most && lower >= digits && lower+digits == len(s)
}

// isSID reports whether w is an identifier as Twilio and others write it: two capitals that say what it identifies,
// and hexadecimal digits in lower case.
func isSID(w string) bool {
	const kind = 2
	rest := w[kind:]
	return w[:kind] == strings.ToUpper(w[:kind]) && alphabet.IsLetters(w[:kind]) && alphabet.IsHex(rest) && rest == strings.ToLower(rest)
}

// isDelimited reports whether the bytes around S[start:end] separate words. A path, a host and a
// template contain words that are not alone.
func (t drawn) isDelimited(start, end int) bool {
	const before, after = " \t\n\r\"'`=:,;<>()[]{}@", " \t\n\r\"'`,;<>()[]{}@:&\\"
	return (start == 0 || strings.IndexByte(before, t.S[start-1]) >= 0) && (end == len(t.S) || strings.IndexByte(after, t.S[end]) >= 0)
}

// inBlock reports whether S[start:end] is a line of a block of base64: the line before or after it is
// another one.
func (t drawn) inBlock(start, end int) bool {
	const reach, least = 200, 40 // bytes of a line, and characters of one that continues
	s := t.S
	first, last := start, end
	for first > 0 && alphabet.IsBlank(s[first-1]) {
		first--
	}
	for last < len(s) && (alphabet.IsBlank(s[last]) || s[last] == '\r') {
		last++
	}
	if first > 0 && s[first-1] != '\n' || last < len(s) && s[last] != '\n' {
		return false
	}
	above, below := s[max(0, first-reach):max(0, first-1)], s[min(len(s), last+1):min(len(s), last+reach)]
	above = above[strings.LastIndexByte(above, '\n')+1:]
	below, _, _ = strings.Cut(below, "\n")
	for _, line := range []string{above, below} {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "----") || len(line) >= least && verdict.IsBase64(line) {
			return true
		}
	}
	return false
}

// verifies reports whether the line speaks, in front of position start, of something that everybody may know. If the word
// begins its line, the line before speaks.
func (t drawn) verifies(start int) bool {
	const reach = 120
	before := t.S[max(0, start-reach):start]
	if n := strings.LastIndexByte(before, '\n'); n >= 0 && strings.TrimSpace(before[n:]) != "" {
		before = before[n:]
	} else if n >= 0 {
		before = before[strings.LastIndexByte(before[:n], '\n')+1:]
	}
	return t.names().Verifies(before)
}

// nameBefore returns the name in front of position start on its line, or "".
func (t drawn) nameBefore(start int) string {
	from := max(0, start-2*verdict.MaxName)
	before := t.S[from:start]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	name, _, _, _ := assign.NameBefore(before, 0, len(strings.TrimRight(before, " \t\"'`=:>([")))
	return name
}

// isQuoted reports whether S[start:end] is in quotes.
func (t drawn) isQuoted(start, end int) bool {
	if start == 0 || end == len(t.S) {
		return false
	}
	q := t.S[start-1]
	return (q == '"' || q == '\'' || q == '`') && t.S[end] == q
}

// looksDrawn reports whether a word consists of characters without order: letters of both cases and
// digits, which take turns.
func looksDrawn(w string) bool {
	const least = 2 // of each class
	digits, lower, upper, other := alphabet.Count(w)
	if digits < least || lower < least || upper < least || other > len(w)/4 {
		return false
	}
	return turns(w)*5 >= len(w)*2 && verdict.IsRandom(w)
}

// turns returns how often the class of the characters changes in a word.
func turns(w string) int {
	n := 0
	for i := 1; i < len(w); i++ {
		if characterClass(w[i]) != characterClass(w[i-1]) {
			n++
		}
	}
	return n
}

// characterClass returns the class of a character: lower case, upper case, digit, or other.
func characterClass(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return 0
	case c >= 'A' && c <= 'Z':
		return 1
	case c >= '0' && c <= '9':
		return 2
	}
	return 3
}
