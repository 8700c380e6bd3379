package token

import (
	"fmt"
	"hash/crc32"
	"iter"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/feature"
	"github.com/pcatdev/pcat/audit/internal/knowledge"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/secret"
)

// issued is the form of the tokens of a provider.
type issued struct {
	// id is the last part of the ID of the rule.
	id string
	shape
	// mark is the literal of the shape that is searched for: its prefix, or the longest
	// literal if the prefix is too short for a [secret.Set].
	mark string
	// before is the maximum length of the part of a token before the mark. The tables front
	// and in contain the bytes before and after the mark.
	before      int
	front, in   *alphabet.Table
	least, most int
	checks      []tokenCheck
	// sure means that each text of the form is a token.
	sure bool
	// alone means that an underscore before the text makes it another token, which may be
	// public: `pk_live_`.
	alone bool
}

// tokenCheck reports whether a text of the right shape is a token. The body is the token
// without its prefix.
type tokenCheck func(whole, body string) bool

// tokenChecks are the checks that a row of the table can name.
var tokenChecks = map[string]tokenCheck{
	"crc62":   func(_, body string) bool { return checksum62(body) },
	"random":  func(_, body string) bool { return verdict.IsRandom(body) },
	"mixed":   func(_, body string) bool { return body != strings.ToLower(body) && body != strings.ToUpper(body) },
	"varied":  func(_, body string) bool { return varied(body) },
	"grafana": func(whole, _ string) bool { return isGrafanaKey(whole) },
	"tunnel":  func(whole, _ string) bool { return isTunnelToken(whole) },
}

// tokens contains the forms of all tokens. The ones with a long prefix are found in one
// pass.
type tokens struct {
	set      *secret.Set
	prefixed [][]issued // by the pattern number in the set
	marked   []issued
	// in contains the bytes of all tokens, except the blank in a few prefixes. head is the
	// maximum length of a prefix up to and including its blank.
	in   alphabet.Table
	head int
}

// knownTokens returns the forms in the table.
var knownTokens = sync.OnceValue(loadTokens)

func loadTokens() *tokens {
	k := &tokens{}
	k.in.Add(string(alphabet.Dotted))
	t := tables{}
	var prefixes [][]byte
	patterns := map[string]int{}
	for columns := range knowledge.Tokens.Rows(3) {
		f, err := newIssued(columns, t)
		if err != nil {
			panic(fmt.Sprintf("knowledge/tokens.txt: %s: %v", columns[0], err)) //nolint:forbidigo // a test reads the table, which is a part of the program
		}
		head := strings.IndexByte(f.mark, ' ') + 1
		k.head = max(k.head, head)
		for _, p := range f.shape {
			k.in.Add(strings.TrimPrefix(p.text, f.mark[:head]))
		}
		if len(f.mark) < secret.MinLen || f.shape[0].text != f.mark {
			k.marked = append(k.marked, f)
			continue
		}
		pattern, known := patterns[f.mark]
		if !known {
			pattern = len(prefixes)
			patterns[f.mark] = pattern
			prefixes = append(prefixes, []byte(f.mark))
			k.prefixed = append(k.prefixed, nil)
		}
		k.prefixed[pattern] = append(k.prefixed[pattern], f)
	}
	for _, in := range t {
		k.in.Join(in)
	}
	k.set, _ = secret.Compile(prefixes) // each prefix has at least MinLen bytes
	return k
}

func newIssued(columns []string, t tables) (f issued, err error) {
	f.id = columns[0]
	if f.shape, err = parseShape(columns[1], t); err != nil {
		return f, err
	}
	mark := 0
	if len(f.shape[0].text) < secret.MinLen {
		mark = f.longest()
	}
	f.mark = f.shape[mark].text
	_, f.before = f.shape[:mark].lengths()
	f.front, f.in = f.shape[:mark].union(), f.shape[mark+1:].union()
	f.least, f.most = f.lengths()
	for check := range strings.SplitSeq(columns[2], "+") {
		switch c := tokenChecks[check]; {
		case check == "sure":
			f.sure = true
		case check == "alone":
			f.alone = true
		case c != nil:
			f.checks = append(f.checks, c)
		case check != "":
			return f, fmt.Errorf("there is no check %q", check)
		}
	}
	f.sure = f.sure || columns[2] == "crc62"
	return f, nil
}

// MinLen is the minimum length of a token, without the head of its prefix.
const MinLen = 20

// maxGap is the maximum gap between stretches that are searched as one. Starting a search
// takes as long as searching that many bytes.
const maxGap = 64

// stretches returns an iterator over the parts of s that may contain a token. They include
// each run of token bytes that has at least MinLen bytes.
func (k *tokens) stretches(s string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		from, to := 0, 0
		for i := MinLen - 1; i < len(s); i += MinLen {
			// A run that begins after the previous one and is long enough has a byte here.
			if !k.in[s[i]] {
				continue
			}
			start, end := i, i+1
			for start > i-MinLen+1 && k.in[s[start-1]] {
				start--
			}
			for end < len(s) && k.in[s[end]] {
				end++
			}
			i = end
			if end-start < MinLen {
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

// Token is a token in a text.
type Token struct {
	ID         string // the last part of the ID of its rule
	Start, End int
	Confidence rule.Confidence
}

// Text is a text to search.
type Text struct {
	S      string
	Bytes  []byte              // S as bytes
	Has    *alphabet.Contained // the bytes that occur in S
	Values *verdict.Values
	// Features are the features of S, or nil if they are unknown.
	Features *feature.Set
}

// Find calls yield for each token in the text.
func (t Text) Find(yield func(Token)) {
	f := finder{t, knownTokens(), yield}
	for from, to := range f.known.stretches(t.S) {
		f.issued(from, to)
		f.structured(from, to)
	}
}

// finder finds the tokens in a text.
type finder struct {
	Text
	known *tokens
	yield func(Token)
}

// issued finds tokens in S[from:to] by their prefixes and marks.
func (t *finder) issued(from, to int) {
	k := t.known
	for h := range k.set.Find(t.Bytes[from:to]) {
		for i := range k.prefixed[h.Pattern] {
			if t.token(&k.prefixed[h.Pattern][i], from+h.Start, from+h.End) > 0 {
				break
			}
		}
	}
	for i := range k.marked {
		f := &k.marked[i]
		if !t.Features.May(f.mark) || !t.Has.HasAll(f.mark) {
			continue
		}
		for at := from; ; {
			n := strings.Index(t.S[at:to], f.mark)
			if n < 0 {
				break
			}
			n += at
			at = max(n+len(f.mark), t.token(f, n, n+len(f.mark)))
		}
	}
}

// token reports the token of a form whose mark is at S[from:to], perhaps with escapes. It
// returns the end of the token, or 0 if there is none.
func (t *finder) token(f *issued, from, to int) int {
	s, start, end := t.S, from, to
	for f.before > 0 && start > 0 && from-start <= f.before && f.front[s[start-1]] {
		start--
	}
	rest := f.most - f.before - len(f.mark)
	for end < len(s) && end-to <= rest && f.in[s[end]] {
		end++
	}
	if from-start > f.before || end-to > rest || end < len(s) && alphabet.IsAlnum(s[end]) {
		return 0
	}
	if start > 0 && (alphabet.IsAlnum(s[start-1]) && alphabet.IsAlnum(s[start]) && !behindEscape(s, start) || f.alone && s[start-1] == '_') {
		return 0
	}
	whole := s[start:end]
	if to-from != len(f.mark) { // contains escapes
		whole = s[start:from] + f.mark + s[to:end]
	}
	if len(whole) < f.least || !f.fits(whole) {
		return 0
	}
	body := strings.TrimPrefix(whole, f.shape[0].text)
	if !Spread(body) || t.Values.IsExample(strings.ToLower(whole)) || strings.HasSuffix(whole, "EXAMPLE") {
		return 0
	}
	for _, check := range f.checks {
		if !check(whole, body) {
			return 0
		}
	}
	c := rule.Likely
	if f.sure {
		c = rule.Certain
	}
	t.yield(Token{f.id, start, end, c})
	return end
}

// behindEscape reports whether the letter before start belongs to an escape: `\n`.
func behindEscape(s string, start int) bool { return start > 1 && s[start-2] == '\\' }

// Spread reports whether a token has enough different characters. A placeholder does not.
func Spread(s string) bool {
	characters := alphabet.ContainedIn(s)
	return characters.Len() >= min(8, max(3, len(s)/3)) && !strings.Contains(strings.ToLower(s), "xxxxxx") && !strings.Contains(s, "......")
}

// checksum62 reports whether the last six characters are the CRC-32 of the characters
// before, in base 62, as in tokens of GitHub and npm.
func checksum62(body string) bool {
	if len(body) < 7 {
		return false
	}
	n := crc32.ChecksumIEEE([]byte(body[:len(body)-6]))
	var sum [6]byte
	for i := len(sum) - 1; i >= 0; i-- {
		sum[i] = alphabet.Alnum[n%62]
		n /= 62
	}
	return string(sum[:]) == body[len(body)-6:]
}

// varied reports whether a text has digits and letters of both cases. A random text of the
// length of a token has them, but a name usually does not.
func varied(s string) bool {
	digits, lower, upper, _ := alphabet.Count(s)
	return digits > 0 && lower > 3 && upper > 3
}
