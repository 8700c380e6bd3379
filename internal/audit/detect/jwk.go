package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/audit/token"
	"github.com/pcatdev/pcat/internal/audit/verdict"
	"github.com/pcatdev/pcat/pcore"
)

// jwk finds the private members of JSON Web Keys (RFC 7517): `d` of key pairs, `k` of
// symmetric keys.
func (t keys) jwk() {
	if t.jwkMember() || !strings.Contains(t.S, `"kty`) && !strings.Contains(t.S, `kty\`) {
		return
	}
	private := []string{"d"}
	if strings.Contains(t.S, `"oct`) {
		private = append(private, "k")
	}
	for _, name := range private {
		for i := range places(t.S, `"`+name) {
			at := i + 1 + len(name)
			rest := strings.TrimLeft(t.S[at:min(len(t.S), at+16)], "\\")
			if !strings.HasPrefix(rest, `"`) {
				continue
			}
			from := strings.TrimLeft(rest[1:], " \t:\\")
			if !strings.HasPrefix(from, `"`) {
				continue
			}
			start := at + strings.Index(t.S[at:], from) + 1
			if n := t.tables().Run(t.S[start:], alphabet.Base64URL); n >= 20 && token.Spread(t.S[start:start+n]) {
				t.found("private-key", start, start+n, rule.Certain)
			}
		}
	}
}

// jwkMember handles the leaf if it is a private member of a Hash that is a JSON Web Key,
// and reports whether it is.
func (t keys) jwkMember() bool {
	h := t.leaf.Hash()
	if h == nil || len(t.Encodings) > 0 || len(t.S) < 20 || !verdict.IsBase64(t.S) {
		return false
	}
	kty, ok := h.GetString("kty")
	if name := t.leaf.Name(); ok && (name == "d" || name == "k" && kty == pcore.String("oct")) {
		t.found("private-key", 0, len(t.S), rule.Certain)
		return true
	}
	return false
}
