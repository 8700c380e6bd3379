// Package alphabet classifies bytes and characters.
//
//	Alphabet, Table  sets of bytes, such as the digits of base64 (alphabet.go)
//	IsAlnum, IsHex   classes of characters, of one or of a whole text (character.go)
//	Contained        the bytes that occur in a text (character.go)
package alphabet

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

// Tables maps alphabets to their tables.
type Tables map[Alphabet]*Table

// NewTables returns the tables of the alphabets.
func NewTables() Tables {
	k := Tables{}
	for _, a := range []Alphabet{
		Alnum, Hex, Base64URL, Base64, Digits, Dotted, Crypt, CryptHash, PercentBase64,
	} {
		k.Add(a)
	}
	return k
}

// Add returns the table of an alphabet, and creates it if necessary.
func (k Tables) Add(a Alphabet) *Table {
	t := k[a]
	if t == nil {
		t = new(Table)
		t.Add(string(a))
		k[a] = t
	}
	return t
}

// Of returns the table of an alphabet, or nil.
func (k Tables) Of(a Alphabet) *Table { return k[a] }

// maxRun is the maximum length of a token.
const maxRun = 4096

// Run returns the number of bytes at the beginning of s that are in the alphabet, at most
// maxRun.
func (k Tables) Run(s string, a Alphabet) int {
	in := k[a]
	n := 0
	for n < len(s) && n < maxRun && in[s[n]] {
		n++
	}
	return n
}
