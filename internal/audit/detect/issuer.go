package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/token"
)

// issuers finds the tokens that providers issue, by their form.
type issuers struct{ *Text }

func (t issuers) search() {
	if isSealed(t.S) {
		return
	}
	text := token.Text{S: t.S, Bytes: t.Bytes(), Has: &t.has, Values: t.values()}
	text.Find(func(k token.Token) {
		t.named("provider-token/"+k.ID, k.Start, k.End, "", t.S[k.Start:k.End], k.Confidence)
	})
}

// isSealed reports whether s consists of one armoured encrypted message. Its base64 is
// random, so among many messages it contains the prefix of every token by chance.
func isSealed(s string) bool {
	if s = strings.TrimSpace(s); !strings.HasPrefix(s, pemBegin) {
		return false
	}
	for _, kind := range []string{"PKCS7", "CMS"} {
		body, begins := strings.CutPrefix(s, "-----BEGIN "+kind+"-----")
		body, ends := strings.CutSuffix(body, "-----END "+kind+"-----")
		if begins && ends && !strings.Contains(body, "-----") {
			return true
		}
	}
	return false
}
