package privatekey

import (
	"bytes"
	"encoding/asn1"
	"encoding/binary"
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
)

// Keytab is the prefix of a Kerberos keytab, which contains as many zeros as UTF-16.
const Keytab = "\x05\x02\x00\x00"

// Recognize reports whether s has the form of a key, and how certain that is: DER, key
// stores, keyrings.
func Recognize(s string) (rule.Confidence, bool) {
	b := []byte(s)
	switch {
	case isDER(b):
		return rule.Certain, true
	case isOpenSSH(b):
		return rule.Certain, true
	case isPKCS12(b):
		return rule.Certain, true
	case strings.HasPrefix(s, "\xfe\xed\xfe\xed\x00\x00\x00"), strings.HasPrefix(s, "\xce\xce\xce\xce\x00\x00\x00"):
		return rule.Likely, len(s) > 64 && holdsKey(b)
	case isDropbear(b):
		return rule.Certain, true
	case strings.HasPrefix(s, Keytab):
		return rule.Certain, len(s) > 16
	case strings.HasPrefix(s, "== ed25519v1-secret:"): // of a Tor service
		return rule.Certain, len(s) >= 96
	case strings.HasPrefix(s, "\x00GITCRYPTKEY"):
		return rule.Certain, true
	case len(s) > 64 && s[0]&0x80 != 0 && isOpenPGP(b) && (s[0] == 0x95 || s[0] == 0x94 || s[0] == 0x97 || s[0] == 0xc5 || s[0] == 0xc7):
		return rule.Likely, pgpVersion(b)
	}
	return 0, false
}

// pgpVersion reports whether an OpenPGP packet has the version of a key.
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

// isPKCS12 reports whether b is a PFX of RFC 7292 that contains a key: version 3, and
// content of PKCS #7.
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
	if err != nil || pfx.Version != 3 || len(pfx.Safe.OID) <= 6 || !pfx.Safe.OID[:6].Equal(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7}) {
		return false
	}
	// The types of the bags are not encrypted. A file without key bags is a store of
	// certificates.
	const bags = "\x06\x0b\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x0a\x01"
	return bytes.Contains(b, []byte(bags+"\x01")) || bytes.Contains(b, []byte(bags+"\x02"))
}

// maxEntries is the maximum number of entries of a key store to read.
const maxEntries = 4096

// holdsKey reports whether a Java key store has an entry other than a certificate. A store
// of trusted authorities has none.
func holdsKey(b []byte) bool {
	const private, trusted, secret = 1, 2, 3
	in := reader(b)
	_, version, count := in.uint32(), in.uint32(), in.uint32()
	for range min(count, maxEntries) {
		switch in.uint32() {
		case private, secret:
			return true
		case trusted:
			in.skip(int(in.uint16())) // the alias
			in.skip(8)                // the time
			if version == 2 {
				in.skip(int(in.uint16())) // the type of the certificate
			}
			in.skip(int(in.uint32()))
		default:
			return len(in) > 0 // an unknown form
		}
	}
	return false
}

// isDropbear reports whether b is a private key of Dropbear: the name of the key type, and
// the numbers in the encoding of SSH. A public key begins in the same way, but has fewer
// numbers.
func isDropbear(b []byte) bool {
	in := reader(b)
	fields := func(n int) bool {
		for range n {
			size := in.uint32()
			if size == 0 || int64(size) > int64(len(in)) {
				return false
			}
			in.skip(int(size))
		}
		return len(in) == 0
	}
	if len(b) < 16 || b[0] != 0 || b[1] != 0 || b[2] != 0 {
		return false
	}
	name := int(in.uint32())
	if name > len(in) {
		return false
	}
	kind := string(in[:name])
	in.skip(name)
	switch {
	case kind == "ssh-rsa": // e, n, d, p, q
		return fields(5)
	case kind == "ssh-dss": // p, q, g, y, x
		return fields(5)
	case kind == "ssh-ed25519": // the seed and the public key in one
		return in.uint32() == 64 && len(in) == 64
	case strings.HasPrefix(kind, "ecdsa-sha2-"): // the curve, the point, d
		return fields(3)
	}
	return false
}

// reader reads numbers from bytes, and zeros after their end.
type reader []byte

func (r *reader) skip(n int) { *r = (*r)[max(0, min(n, len(*r))):] }

func (r *reader) uint16() (n uint16) {
	if len(*r) >= 2 {
		n = binary.BigEndian.Uint16(*r)
	}
	r.skip(2)
	return n
}

func (r *reader) uint32() (n uint32) {
	if len(*r) >= 4 {
		n = binary.BigEndian.Uint32(*r)
	}
	r.skip(4)
	return n
}
