package assign

import (
	"encoding/base64"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/verdict"
)

// Assignment is a name and the value that a text gives to it: `k = v`, `k: v`, `"k": "v"`,
// `k => v`, `<k>v</k>`, `--k=v`, `k v`.
type Assignment struct {
	Name  string
	Value string // without quotes and escapes
	// Start and end are the position of the value, without quotes.
	Start, End int
	// Quoted means that the value has quotes; Loose, that only blanks separate name and
	// value; Inline, that other text precedes the name on the line; Account, that a user
	// precedes the value: `user:X`.
	Quoted, Loose, Inline, Account bool
	Class                          verdict.NameClass
}

// Unveil removes the delimiters of a password in Erlang, `<<"X">>`, and reverts the
// encoding of passwords in WebSphere and Liberty, which flips the same bits of each byte.
func (a *Assignment) Unveil() {
	const open, end = `<<"`, `">>`
	if inner, ok := strings.CutPrefix(a.Value, open); ok && strings.HasSuffix(inner, end) && a.End-a.Start == len(a.Value) {
		a.Value = inner[:len(inner)-len(end)]
		a.Start, a.End = a.Start+len(open), a.End-len(end)
	}
	if n := len(a.Value); n > 2 && (a.Value[0] == '"' || a.Value[0] == '\'') && strings.IndexByte(a.Value[1:], a.Value[0]) == n-2 && a.End-a.Start == n {
		a.Value = a.Value[1 : n-1]
		a.Start, a.End = a.Start+1, a.End-1
	}
	const mark, bits = "{xor}", '_'
	if len(a.Value) <= len(mark) || a.Value[0] != '{' || !strings.EqualFold(a.Value[:len(mark)], mark) {
		return
	}
	b, err := base64.StdEncoding.DecodeString(a.Value[len(mark):])
	if err != nil {
		return
	}
	for i := range b {
		b[i] ^= bits
	}
	if decode.IsText(string(b)) {
		a.Value = string(b)
	}
}

// CutUser removes the user and the host from an account, `user:X@host`, and reports
// whether the value is an account.
func (a *Assignment) CutUser(separator string) bool {
	user, secret, found := strings.Cut(a.Value, separator)
	marks := "./$%\\:("
	if separator == "," {
		marks = "$%\\:(" // a server may precede the user: `td1/app,X`
	}
	if !found || user == "" || strings.ContainsAny(user, marks) || strings.HasPrefix(secret, "&") {
		return false
	}
	a.Start += len(a.Value) - len(secret)
	if secret, _, found = strings.Cut(secret, "@"); found {
		a.End = a.Start + len(secret)
	}
	a.Value, a.Account = secret, true
	return true
}
