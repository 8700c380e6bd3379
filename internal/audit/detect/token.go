package detect

import (
	"hash/crc32"
	"iter"
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/sensitive/secret"
)

// issued is the form of the tokens that a provider issues: what they begin
// with, and what follows.
type issued struct {
	// id is the last part of the ID of the rule.
	id string
	// prefix begins the token. It has at least [secret.MinLen] bytes.
	prefix string
	// alphabet are the characters that follow, least and most how many.
	alphabet    alphabet
	least, most int
	// check looks at the whole token when its form is right.
	check func(token string) bool
	in    *table // of the alphabet
}

// tokens finds tokens by their prefixes, all in one pass.
type tokens struct {
	set   *secret.Set
	forms []issued
	marks []marked
	// in has what tokens are made of, but for the blank in a few prefixes:
	// head is how many bytes there are at most up to it.
	in             table
	head           int
	dotted, base64 *table
}

func newTokens(t tables) *tokens {
	k := &tokens{forms: issuedForms(), marks: markedForms(), dotted: t.of(dotted), base64: t.of(base64u)}
	k.in.add(string(dotted))
	var prefixes [][]byte
	for i := range k.forms {
		f := &k.forms[i]
		prefixes = append(prefixes, []byte(f.prefix))
		f.in = t.add(f.alphabet)
		head := strings.LastIndexByte(f.prefix, ' ') + 1
		k.head = max(k.head, head)
		k.in.add(f.prefix[head:] + string(f.alphabet))
	}
	for i := range k.marks {
		m := &k.marks[i]
		m.table = t.add(m.in)
		k.in.add(m.mark + string(m.in))
	}
	k.set, _ = secret.Compile(prefixes) // a test goes over their lengths
	return k
}

// minToken is the length of the shortest token, without the head of its prefix.
const minToken = 20

// maxGap is how far stretches may stand apart to be looked at as one: to begin
// anew takes as long as to go over about as many bytes.
const maxGap = 64

// stretches yields the parts of s that may hold a token: they hold all that has
// minToken bytes or more and is made of what tokens are made of.
func (k *tokens) stretches(s string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		from, to := 0, 0
		for i := minToken - 1; i < len(s); i += minToken {
			// A run that begins behind the last one and is long enough has a
			// byte here.
			if !k.in[s[i]] {
				continue
			}
			start, end := i, i+1
			for start > i-minToken+1 && k.in[s[start-1]] {
				start--
			}
			for end < len(s) && k.in[s[end]] {
				end++
			}
			i = end
			if end-start < minToken {
				continue
			}
			start = max(to, start-k.head)
			if to > 0 && start-to > maxGap {
				if !yield(from, to) {
					return
				}
				to = 0
			}
			if to == 0 {
				from = start
			}
			to = end
		}
		if to > 0 {
			yield(from, to)
		}
	}
}

// providers finds tokens of providers.
func (t *Text) providers(has *contained) {
	if isSealed(t.S) {
		return
	}
	for from, to := range t.tokens().stretches(t.S) {
		t.issued(from, to)
		t.structured(has, from, to)
	}
}

// issued finds tokens by their prefixes in S[from:to].
func (t *Text) issued(from, to int) {
	k := t.tokens()
	for h := range k.set.Find(t.Bytes()[from:to]) {
		// Prefixes that are spelled alike are found as the first of them.
		for i := h.Pattern; i < len(k.forms) && k.forms[i].prefix == k.forms[h.Pattern].prefix; i++ {
			if t.token(&k.forms[i], from+h.Start, from+h.End) {
				break
			}
		}
	}
}

// token tells about the token that begins at start, and reports whether there
// is one.
func (t *Text) token(f *issued, start, from int) bool {
	s, in := t.S, f.in
	if start > 0 && isAlnum(s[start-1]) && isAlnum(s[start]) && !behindEscape(s, start) {
		return false
	}
	if f.prefix == "live_" && start > 0 && s[start-1] == '_' {
		return false // of a longer prefix: `pk_live_`
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
	if f.check == nil && !spread(s[from:end]) || t.values().examples.has(strings.ToLower(whole)) || strings.HasSuffix(whole, "EXAMPLE") {
		return false
	}
	c := rule.Likely
	if f.check != nil {
		c = rule.Certain
	}
	t.named("provider-token/"+f.id, start, end, "", whole, c)
	return true
}

// behindEscape reports whether the letter before start belongs to an escape: `\n`.
func behindEscape(s string, start int) bool { return start > 1 && s[start-2] == '\\' }

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

// checksum62 reports whether the last six characters are the CRC-32 of the thirty
// before, in base 62, as GitHub and npm write it.
func checksum62(token string) bool {
	_, body, ok := strings.Cut(token, "_")
	if !ok || len(body) < 7 {
		return false
	}
	n := crc32.ChecksumIEEE([]byte(body[:len(body)-6]))
	var sum [6]byte
	for i := len(sum) - 1; i >= 0; i-- {
		sum[i] = alnum[n%62]
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
		if hexadec[n&15] != sum[i]|0x20 {
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
