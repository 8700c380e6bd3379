package detect

// alphabet is a set of bytes.
type alphabet string

// The alphabets of tokens.
const (
	alnum     alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	hexadec   alphabet = "0123456789abcdef"
	base64u   alphabet = alnum + "-_"
	base64a   alphabet = alnum + "-_+/="
	digits10  alphabet = "0123456789"
	dotted    alphabet = alnum + "-_."
	crypt     alphabet = alnum + "./"              // of crypt(3)
	crypts64  alphabet = crypt + "$:,+=_-"         // and the separators between its parts
	percent64 alphabet = base64a + "%"             // and percent-encoded
	bareEnd   alphabet = " \t\r\"" + ",;&)}]<>'|`" // bytes that end a word inside a line
)

// named maps the names in the knowledge tables to alphabets.
var named = map[string]alphabet{
	"alnum":     alnum,
	"letters":   "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
	"upper":     "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"lower":     "0123456789abcdefghijklmnopqrstuvwxyz",
	"digits":    digits10,
	"hex":       hexadec,
	"anyhex":    "0123456789abcdefABCDEF",
	"base32":    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	"bech32":    "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
	"base64":    alnum + "+/=",
	"base64url": base64u,
}

// table is the set of the bytes of an alphabet.
type table [256]bool

// add adds the bytes of s.
func (t *table) add(s string) {
	for i := range len(s) {
		t[s[i]] = true
	}
}

// join adds the bytes of another table.
func (t *table) join(other *table) {
	for c := range other {
		t[c] = t[c] || other[c]
	}
}

// tables maps alphabets to their tables.
type tables map[alphabet]*table

func newTables() tables {
	k := tables{}
	for _, a := range []alphabet{
		alnum, hexadec, base64u, base64a, digits10, dotted, crypt, crypts64, percent64, bareEnd,
	} {
		k.add(a)
	}
	return k
}

// add returns the table of an alphabet, and creates it if necessary.
func (k tables) add(a alphabet) *table {
	t := k[a]
	if t == nil {
		t = new(table)
		t.add(string(a))
		k[a] = t
	}
	return t
}

// of returns the table of an alphabet, or nil.
func (k tables) of(a alphabet) *table { return k[a] }

// maxRun is the maximum length of a token.
const maxRun = 4096

// run returns the number of bytes at the beginning of s that are in the alphabet, at most
// maxRun.
func (k tables) run(s string, a alphabet) int {
	in := k[a]
	n := 0
	for n < len(s) && n < maxRun && in[s[n]] {
		n++
	}
	return n
}
