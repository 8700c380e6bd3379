// Package alphabet classifies bytes and characters.
//
//	Alphabet, Table  sets of bytes, such as the digits of base64 (alphabet.go)
//	IsAlnum, IsHex   classes of characters, of one or of a whole text (character.go)
//	Contained        the bytes that occur in a text (character.go)
package alphabet

import "sync"

// Alphabet is a set of bytes.
type Alphabet string

// The alphabets of tokens.
const (
	Alnum         Alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	Hex           Alphabet = "0123456789abcdef"
	Base64URL     Alphabet = Alnum + "-_"
	Base64        Alphabet = Alnum + "-_+/="
	Digits        Alphabet = "0123456789"
	Dotted        Alphabet = Alnum + "-_."
	Crypt         Alphabet = Alnum + "./"      // of crypt(3)
	CryptHash     Alphabet = Crypt + "$:,+=_-" // and the separators between its parts
	PercentBase64 Alphabet = Base64 + "%"      // and percent-encoded
)

// Named maps the names in the knowledge tables to alphabets.
var Named = map[string]Alphabet{
	"alnum":     Alnum,
	"letters":   "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
	"upper":     "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"lower":     "0123456789abcdefghijklmnopqrstuvwxyz",
	"digits":    Digits,
	"hex":       Hex,
	"anyhex":    "0123456789abcdefABCDEF",
	"base32":    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	"bech32":    "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
	"base64":    Alnum + "+/=",
	"base64url": Base64URL,
}

// Table is the set of the bytes of an alphabet.
type Table [256]bool

// Add adds the bytes of s.
func (t *Table) Add(s string) {
	for i := range len(s) {
		t[s[i]] = true
	}
}

// Join adds the bytes of another table.
func (t *Table) Join(other *Table) {
	for c := range other {
		t[c] = t[c] || other[c]
	}
}

// NewTable returns the set of the bytes of an alphabet.
func NewTable(a Alphabet) *Table {
	t := new(Table)
	t.Add(string(a))
	return t
}

// tables has the tables of the alphabets above.
var tables = sync.OnceValue(func() map[Alphabet]*Table {
	m := map[Alphabet]*Table{}
	for _, a := range []Alphabet{Base64URL, Base64, Dotted, Crypt, CryptHash, PercentBase64} {
		m[a] = NewTable(a)
	}
	return m
})

// Table returns the set of the bytes of the alphabet, which must not be changed.
func (a Alphabet) Table() *Table {
	if t := tables()[a]; t != nil {
		return t
	}
	return NewTable(a)
}

// maxRun is the maximum length of a token.
const maxRun = 4096

// Run returns the number of bytes at the beginning of s that are in the alphabet, at most
// maxRun.
func (a Alphabet) Run(s string) int {
	in := a.Table()
	n := 0
	for n < len(s) && n < maxRun && in[s[n]] {
		n++
	}
	return n
}
