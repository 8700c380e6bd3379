package detect

import (
	"encoding/asn1"
	"strings"

	"github.com/pcatdev/pcat/catalog/audit/rule"
)

// keyMaterial finds keys in bytes that are no text: DER, containers of keys,
// keyrings.
func (t *Text) keyMaterial() {
	if c, ok := isKeyMaterial(t.S); ok {
		t.found("private-key", 0, len(t.S), c)
	}
}

// keytab begins a keytab of Kerberos, which has as many zeros as UTF-16.
const keytab = "\x05\x02\x00\x00"

func isKeyMaterial(s string) (rule.Confidence, bool) {
	b := []byte(s)
	switch {
	case isPrivateDER(b):
		return rule.Certain, true
	case isOpenSSH(b):
		return rule.Certain, true
	case isPKCS12(b):
		return rule.Certain, true
	case strings.HasPrefix(s, "\xfe\xed\xfe\xed\x00\x00\x00"), strings.HasPrefix(s, "\xce\xce\xce\xce\x00\x00\x00"): // Java's key stores
		return rule.Likely, len(s) > 64
	case strings.HasPrefix(s, keytab):
		return rule.Certain, len(s) > 16
	case strings.HasPrefix(s, "== ed25519v1-secret:"): // of a service of Tor
		return rule.Certain, len(s) >= 96
	case strings.HasPrefix(s, "\x00GITCRYPTKEY"):
		return rule.Certain, true
	case len(s) > 64 && s[0]&0x80 != 0 && isOpenPGP(b) && (s[0] == 0x95 || s[0] == 0x94 || s[0] == 0x97 || s[0] == 0xc5 || s[0] == 0xc7):
		return rule.Likely, pgpVersion(b)
	}
	return 0, false
}

// pgpVersion reports whether a packet of OpenPGP has the version of a key.
func pgpVersion(b []byte) bool {
	head := 2
	switch {
	case b[0]&0x40 != 0 && b[1] >= 192 && b[1] < 224:
		head = 3
	case b[0]&0x40 != 0 && b[1] == 255:
		head = 6
	case b[0]&0x40 == 0:
		head = 1 + 1<<(b[0]&3)
	}
	return head < len(b) && b[head] >= 3 && b[head] <= 6
}

// isPKCS12 reports whether b is a PFX of RFC 7292: version 3, and content of
// PKCS #7.
func isPKCS12(b []byte) bool {
	var pfx struct {
		Version int
		Safe    struct {
			OID     asn1.ObjectIdentifier
			Content asn1.RawValue `asn1:"optional"`
		}
		MAC asn1.RawValue `asn1:"optional"`
	}
	_, err := asn1.Unmarshal(b, &pfx)
	return err == nil && pfx.Version == 3 && len(pfx.Safe.OID) > 6 && pfx.Safe.OID[:6].Equal(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7})
}
