package detect

import (
	"hash/crc32"
	"strings"

	"github.com/pcatdev/pcat/catalog/audit/rule"
	"github.com/pcatdev/pcat/sensitive/match"
)

// issued is the form of the tokens that a provider issues: what they begin
// with, and what follows.
type issued struct {
	// id is the last part of the ID of the rule.
	id string
	// prefix begins the token. It has at least [match.MinLen] bytes.
	prefix string
	// alphabet are the characters that follow, least and most how many.
	alphabet    alphabet
	least, most int
	// check looks at the whole token when its form is right.
	check func(token string) bool
}

// tokens finds tokens by their prefixes, all in one pass.
type tokens struct {
	set   *match.Set
	forms []issued
	marks []marked
}

func newTokens(t tables) *tokens {
	k := &tokens{forms: issuedForms(), marks: markedForms()}
	var prefixes [][]byte
	for _, f := range k.forms {
		prefixes = append(prefixes, []byte(f.prefix))
		t.add(f.alphabet)
	}
	for _, m := range k.marks {
		t.add(m.in)
	}
	k.set, _ = match.Compile(prefixes) // a test goes over their lengths
	return k
}

// providers finds tokens of providers.
func (t *Text) providers(has *contained) {
	k := t.scanner.detector.tokens
	if len(t.S) < minToken {
		return
	}
	for h := range k.set.Find(t.Bytes()) {
		// Prefixes that are spelled alike are found as the first of them.
		for i := h.Pattern; i < len(k.forms) && k.forms[i].prefix == k.forms[h.Pattern].prefix; i++ {
			if t.token(&k.forms[i], h.Start, h.End) {
				break
			}
		}
	}
	t.structured(has)
}

// minToken is the length of the shortest token.
const minToken = 20

// token tells about the token that begins at start, and reports whether there
// is one.
func (t *Text) token(f *issued, start, from int) bool {
	s := t.S
	in := t.scanner.detector.tables.of(f.alphabet)
	if start > 0 && isAlnum(s[start-1]) && isAlnum(s[start]) && !escaped(s, start) {
		return false
	}
	end := from
	for end < len(s) && end-from <= f.most && in[s[end]] {
		end++
	}
	n := end - from
	if n < f.least || n > f.most {
		return false
	}
	whole := s[start:end]
	if f.check != nil && !f.check(whole) {
		return false
	}
	if f.check == nil && !spread(s[from:end]) || t.scanner.detector.values.examples.has(strings.ToLower(whole)) || strings.HasSuffix(whole, "EXAMPLE") {
		return false
	}
	c := rule.Likely
	if f.check != nil {
		c = rule.Certain
	}
	t.named("provider-token/"+f.id, start, end, "", whole, c)
	return true
}

// escaped reports whether the letter before start belongs to an escape: `\n`.
func escaped(s string, start int) bool { return start > 1 && s[start-2] == '\\' }

// spread reports whether a token is no placeholder: it has enough different
// characters.
func spread(s string) bool {
	var seen [256]bool
	n := 0
	for i := range len(s) {
		if !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n >= min(8, max(3, len(s)/3)) && !strings.Contains(strings.ToLower(s), "xxxxxx") && !strings.Contains(s, "......")
}

// base62 are the digits with which GitHub and npm write a checksum.
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// checksum62 reports whether the last six characters are the CRC-32, in base
// 62, of the thirty before.
func checksum62(token string) bool {
	_, body, ok := strings.Cut(token, "_")
	if !ok || len(body) < 7 {
		return false
	}
	n := crc32.ChecksumIEEE([]byte(body[:len(body)-6]))
	var sum [6]byte
	for i := len(sum) - 1; i >= 0; i-- {
		sum[i] = base62[n%62]
		n /= 62
	}
	return string(sum[:]) == body[len(body)-6:]
}

// checksumGrafana reports whether the last eight characters are the CRC-32, in
// hexadecimal, of what stands before.
func checksumGrafana(token string) bool {
	body, sum, ok := strings.Cut(strings.TrimPrefix(token, "glsa_"), "_")
	if !ok || len(sum) != 8 || !isHex(sum) {
		return false
	}
	n := crc32.ChecksumIEEE([]byte(body))
	for i := 7; i >= 0; i-- {
		if "0123456789abcdef"[n&15] != sum[i]|0x20 && "0123456789abcdef"[n&15] != sum[i] {
			return false
		}
		n >>= 4
	}
	return true
}

// parts reports whether a token has that many parts between separators, none
// of them shorter than least.
func parts(separator string, n, least int) func(string) bool {
	return func(token string) bool {
		list := strings.Split(token, separator)
		if len(list) < n {
			return false
		}
		for _, p := range list[len(list)-n+1:] {
			if len(p) < least {
				return false
			}
		}
		return spread(token)
	}
}
