package detect

import (
	"encoding/base64"
	"encoding/binary"
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/audit/alphabet"
)

const (
	pemBegin = "-----BEGIN "
	pemDash  = "-----"
)

// keys finds private keys by their form.
type keys struct{ *Text }

func (t keys) search() {
	if t.isKey {
		t.material()
		return
	}
	if t.has.Has('-') {
		t.pem()
		t.ssh2()
		t.putty()
	}
	t.signify()
	if t.has.Has('k') && t.has.Has('t') && t.has.Has('y') || t.leaf.Name() == "d" || t.leaf.Name() == "k" {
		t.jwk()
	}
}

// pem finds armoured private keys: the blocks of RFC 7468, OpenSSH and OpenPGP. The body
// must parse, or be long enough for a key in an unknown format.
func (t keys) pem() {
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
		if c, ok := privatePEM(label, body); ok {
			t.found("private-key", start, end, c)
		}
	}
}

// ssh2 finds the private keys of ssh.com, whose armour has four dashes.
func (t keys) ssh2() {
	const begin, end = "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "---- END SSH2 ENCRYPTED PRIVATE KEY ----"
	if i := strings.Index(t.S, begin); i >= 0 {
		if n := strings.Index(t.S[i:], end); n > len(begin)+64 {
			t.found("private-key", i, i+n+len(end), rule.Likely)
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
	start := lineEnd(t.S, 0) + 1
	if start >= len(t.S) {
		return
	}
	line := strings.TrimSpace(t.S[start:lineEnd(t.S, start)])
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

// privatePEM reports whether a block contains a private key.
func privatePEM(label, body string) (rule.Confidence, bool) {
	if !strings.Contains(label, "PRIVATE KEY") && !strings.Contains(label, "Static key") && !strings.Contains(label, "tls-crypt") {
		return 0, false
	}
	if strings.HasPrefix(label, "OpenVPN") {
		return rule.Certain, len(hexOf(body)) >= 128
	}
	der := armoured(body)
	switch {
	case label == "OPENSSH PRIVATE KEY":
		return rule.Certain, isOpenSSH(der)
	case strings.HasPrefix(label, "PGP"):
		return rule.Certain, isOpenPGP(der)
	case strings.HasPrefix(label, "ENCRYPTED"), strings.Contains(body, "ENCRYPTED"):
		return rule.Likely, len(der) >= 32
	case isPrivateDER(der):
		return rule.Certain, true
	}
	return rule.Likely, len(der) >= 32
}

// armoured decodes the base64 of a body. Lines may be indented, joined, or escaped as `\n`;
// headers and checksums are ignored.
func armoured(body string) []byte {
	if strings.IndexByte(body, '\\') >= 0 {
		body = strings.NewReplacer(`\r`, "\n", `\n`, "\n", `\\n`, "\n").Replace(body)
	}
	var text strings.Builder
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if joined, ok := strings.CutSuffix(line, "+"); ok && strings.ContainsAny(joined, "\"'") {
			line = joined // concatenated strings of a program
		}
		line = strings.Trim(line, " \t\"',\\|>")
		if strings.ContainsAny(line, ":") || strings.HasPrefix(line, "=") {
			continue
		}
		text.WriteString(line)
	}
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.ReplaceAll(text.String(), " ", ""), "="))
	if err != nil {
		return nil
	}
	return b
}

func hexOf(body string) string {
	var b strings.Builder
	for f := range strings.FieldsSeq(strings.ReplaceAll(body, `\n`, "\n")) {
		if alphabet.IsHex(f) {
			b.WriteString(f)
		}
	}
	return b.String()
}

// isOpenSSH reports whether b is a private key in the OpenSSH format.
func isOpenSSH(b []byte) bool {
	rest, ok := strings.CutPrefix(string(b), "openssh-key-v1\x00")
	if !ok {
		return false
	}
	for range 3 { // cipher, KDF, KDF options
		if len(rest) < 4 {
			return false
		}
		n := int(binary.BigEndian.Uint32([]byte(rest[:4])))
		if n < 0 || n > len(rest)-4 {
			return false
		}
		rest = rest[4+n:]
	}
	return len(rest) > 4 && binary.BigEndian.Uint32([]byte(rest[:4])) >= 1
}

// isOpenPGP reports whether b begins with a secret key packet of RFC 9580.
func isOpenPGP(b []byte) bool {
	if len(b) < 32 || b[0]&0x80 == 0 {
		return false
	}
	tag := b[0] >> 2 & 0x0f
	if b[0]&0x40 != 0 {
		tag = b[0] & 0x3f
	}
	return tag == 5 || tag == 7
}

// putty finds key files of PuTTY.
func (t keys) putty() {
	i := strings.Index(t.S, "PuTTY-User-Key-File-")
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
		end = lineEnd(t.S, i+k)
	}
	t.found("private-key", i, min(end, len(t.S)), c)
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
