package privatekey

import (
	"encoding/base64"
	"encoding/binary"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/alphabet"
	"github.com/pcatdev/pcat/audit/rule"
)

// Armoured reports whether an armoured block contains a private key, and how certain that
// is. The body must parse, or be long enough for a key in an unknown format.
func Armoured(label, body string) (rule.Confidence, bool) {
	if strings.HasSuffix(label, "NKEY SEED") { // of NATS
		const long = 58
		return rule.Certain, len(strings.TrimSpace(body)) >= long
	}
	if !strings.Contains(label, "PRIVATE KEY") && !strings.Contains(label, "Static key") && !strings.Contains(label, "tls-crypt") {
		return 0, false
	}
	if strings.HasPrefix(label, "OpenVPN") {
		return rule.Certain, len(hexOf(body)) >= 128
	}
	der := bytesOf(body)
	switch {
	case label == "OPENSSH PRIVATE KEY":
		return rule.Certain, isOpenSSH(der)
	case strings.HasPrefix(label, "PGP"):
		return rule.Certain, isOpenPGP(der)
	case strings.HasPrefix(label, "ENCRYPTED"), strings.Contains(body, "ENCRYPTED"):
		return rule.Likely, len(der) >= 32
	case isDER(der):
		return rule.Certain, true
	}
	return rule.Likely, len(der) >= 32
}

// escapedBreaks replaces escaped line breaks.
var escapedBreaks = strings.NewReplacer(`\r`, "\n", `\n`, "\n", `\\n`, "\n")

// bytesOf decodes the base64 of a body. Lines may be indented, joined, or escaped as `\n`;
// headers and checksums are ignored.
func bytesOf(body string) []byte {
	if strings.IndexByte(body, '\\') >= 0 {
		body = escapedBreaks.Replace(body)
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

// hexOf returns the hexadecimal digits of a body.
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
	tag := tagOpenPGP(b)
	return len(b) >= 32 && (tag == 5 || tag == 7)
}

// tagOpenPGP returns the tag of the packet of RFC 9580 that b begins with, or 0.
func tagOpenPGP(b []byte) byte {
	switch {
	case len(b) == 0 || b[0]&0x80 == 0:
		return 0
	case b[0]&0x40 != 0:
		return b[0] & 0x3f
	}
	return b[0] >> 2 & 0x0f
}
