package detect

import (
	"encoding/base64"
	"encoding/binary"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/internal/decode"
	"github.com/pcatdev/pcat/audit/internal/lines"
	"github.com/pcatdev/pcat/audit/internal/privatekey"
	"github.com/pcatdev/pcat/audit/internal/token"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/pcore"
)

const (
	pemBegin = "-----BEGIN "
	pemDash  = "-----"
)

// keys finds private keys by their form.
type keys struct{ *Text }

func (t keys) search() {
	if t.content == decode.Key {
		c, _ := privatekey.Recognize(t.S)
		t.found("private-key", 0, len(t.S), c)
		return
	}
	if t.has.Has('-') {
		t.pem()
		t.ssh2()
		t.putty()
	}
	t.signify()
	t.encoded()
	t.dotNet()
	if t.has.Has('k') && t.has.Has('t') && t.has.Has('y') || t.leaf.Name() == "d" || t.leaf.Name() == "k" {
		t.jwk()
	}
}

// pem finds armoured private keys: the blocks of RFC 7468, OpenSSH and OpenPGP. The body
// must parse, or be long enough for a key in an unknown format.
func (t keys) pem() {
	if !t.features.May(pemBegin) {
		return
	}
	for at := 0; ; {
		i := strings.Index(t.S[at:], pemBegin)
		if i < 0 {
			return
		}
		start := at + i
		at = start + len(pemBegin)
		label, _, ok := strings.Cut(t.S[at:min(at+64, len(t.S))], pemDash)
		if !ok || strings.ContainsAny(label, "\n\"") {
			continue
		}
		body, end := pemBody(t.S, at+len(label)+len(pemDash), label)
		at = end
		if c, ok := privatekey.Armoured(label, body); ok {
			t.found("private-key", start, end, c)
		}
	}
}

// ssh2 finds the private keys of ssh.com, whose armour has four dashes.
func (t keys) ssh2() {
	const begin, end = "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "---- END SSH2 ENCRYPTED PRIVATE KEY ----"
	if i := t.index(begin); i >= 0 {
		if n := strings.Index(t.S[i:], end); n > len(begin)+64 {
			t.found("private-key", i, i+n+len(end), rule.Likely)
		}
	}
}

// encoded finds the keys of onion services of Tor, and stores of PKCS #12 in base64.
func (t keys) encoded() {
	const onion, leastOfOnion = "ED25519-V3:", 86
	for at := range t.occurrences(onion) {
		from := at + len(onion)
		if n := alphabet.Base64.Run(t.S[from:]); n >= leastOfOnion {
			t.found("private-key", at, from+n, rule.Certain)
		}
	}
	const least, longest = 200, 64 << 10                              // bytes
	const begin, version, content = "MII", "IBAzCC", "GCSqGSIb3DQEHA" // a sequence, version 3, and data of PKCS #7
	for at := range t.occurrences(version) {
		start, data := at-len("MIIxxx"), at+len(version)+len("xxx")
		if start < 0 || !strings.HasPrefix(t.S[start:], begin) || data > len(t.S) || !strings.HasPrefix(t.S[data:], content) {
			continue
		}
		end := start + alphabet.Base64.Run(t.S[start:min(len(t.S), start+longest)])
		for end+1 < len(t.S) && end-start < longest && t.S[end] == '\n' { // of several lines
			next := end + 1 + alphabet.Base64.Run(t.S[end+1:min(len(t.S), end+longest)])
			if next == end+1 || next < len(t.S) && t.S[next] != '\n' {
				break
			}
			end = next
		}
		if end-start >= least {
			t.found("private-key", start, end, rule.Certain)
		}
	}
}

// dotNet finds the private parts of RSA keys in the XML of .NET.
func (t keys) dotNet() {
	const begin, end, longest = "<RSAKeyValue>", "</RSAKeyValue>", 16 << 10 // bytes
	for at := range t.occurrences(begin) {
		key, _, closed := strings.Cut(t.S[at:min(len(t.S), at+longest)], end)
		if !closed || strings.Contains(key[len(begin):], begin) {
			continue
		}
		for _, part := range [...]string{"D", "P", "Q", "DP", "DQ", "InverseQ"} {
			before, rest, found := strings.Cut(key, "<"+part+">")
			value, _, closed := strings.Cut(rest, "<")
			if start := at + len(before) + len(part) + 2; found && closed && len(value) >= 32 {
				t.found("private-key", start, start+len(value), rule.Certain)
			}
		}
	}
}

// comment is the prefix of keys of signify and minisign.
const comment = "untrusted comment:"

// signify finds secret keys of signify and minisign without a password. The first line is a
// comment. The second line contains, in base64, the algorithm of the key, the key
// derivation function and its rounds.
func (t keys) signify() {
	if !strings.HasPrefix(t.S, comment) {
		return
	}
	start := lines.End(t.S, 0) + 1
	if start >= len(t.S) {
		return
	}
	line := strings.TrimSpace(t.S[start:lines.End(t.S, start)])
	b, err := base64.StdEncoding.DecodeString(line)
	if err != nil || len(b) < 96 || string(b[:2]) != "Ed" {
		return
	}
	if kdf := string(b[2:4]); kdf == "BK" && binary.BigEndian.Uint32(b[4:]) == 0 || kdf == "\x00\x00" {
		t.found("private-key", start, start+len(line), rule.Certain)
	}
}

// pemBody returns the text between the lines of armour, and the end of the block. A block
// without an end line ends with the text.
func pemBody(text string, from int, label string) (body string, end int) {
	rest := text[from:]
	close := "-----END " + label + pemDash
	i := strings.Index(rest, close)
	if i < 0 {
		return rest, len(text)
	}
	return rest[:i], from + i + len(close)
}

// putty finds key files of PuTTY.
func (t keys) putty() {
	i := t.index("PuTTY-User-Key-File-")
	if i < 0 {
		return
	}
	c := rule.Likely
	if strings.Contains(t.S[i:], "Encryption: none") {
		c = rule.Certain
	}
	j := strings.Index(t.S[i:], "Private-Lines: ")
	if j < 0 {
		return
	}
	end := len(t.S)
	if k := strings.Index(t.S[i:], "Private-MAC: "); k > j {
		end = lines.End(t.S, i+k)
	}
	t.found("private-key", i, min(end, len(t.S)), c)
}

// jwk finds the private members of JSON Web Keys (RFC 7517): `d` of key pairs, `k` of
// symmetric keys.
func (t keys) jwk() {
	if t.jwkMember() || t.index(`"kty`) < 0 && t.index(`kty\`) < 0 {
		return
	}
	private := []string{"d"}
	if strings.Contains(t.S, `"oct`) {
		private = append(private, "k")
	}
	for _, name := range private {
		for i := range lines.Occurrences(t.S, `"`+name) {
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
			if n := alphabet.Base64URL.Run(t.S[start:]); n >= 20 && token.Spread(t.S[start:start+n]) {
				t.found("private-key", start, start+n, rule.Certain)
			}
		}
	}
}

// jwkMember handles the leaf if it is a private member of a Hash that is a JSON Web Key,
// and reports whether it is.
func (t keys) jwkMember() bool {
	h := t.leaf.Hash()
	if h == nil || !t.unchanged() || len(t.S) < 20 || !verdict.IsBase64(t.S) {
		return false
	}
	kty, ok := h.GetString("kty")
	if name := t.leaf.Name(); ok && (name == "d" || name == "k" && kty == pcore.String("oct")) {
		t.found("private-key", 0, len(t.S), rule.Certain)
		return true
	}
	return false
}

// randomKeys finds keys that consist of random bytes, by the name of their file or parameter.
type randomKeys struct{ *Text }

func (t randomKeys) search() {
	name := t.leaf.Name()
	as := t.classOf(name)
	if t.flow == content && (t.unchanged() || t.path != "") {
		file := strings.ReplaceAll(t.target(), `\`, "/")
		name = baseOf(file)
		as = t.classOfFile(file, name)
	} else if !t.unchanged() {
		return
	}
	if as.Secret() && privatekey.IsRandom(t.S) {
		id := t.id()
		if t.flow == value && id == "secret-in-content" {
			id = "plain-secret-parameter"
		}
		t.named(id, 0, len(t.S), name, t.S, rule.Likely)
	}
}
