package privatekey

import "encoding/asn1"

// The first fields of the structures of private keys.
type (
	privatePKCS8 struct {
		Version   int
		Algorithm struct {
			OID        asn1.ObjectIdentifier
			Parameters asn1.RawValue `asn1:"optional"`
		}
		Key  []byte
		Rest asn1.RawValue `asn1:"optional"`
	}
	privateSEC1 struct {
		Version    int
		Key        []byte
		Parameters asn1.RawValue `asn1:"optional,explicit,tag:0"`
		Public     asn1.RawValue `asn1:"optional,explicit,tag:1"`
	}
)

// isDER reports whether b is a private key of PKCS #1, PKCS #8 or SEC 1. Only the
// structure is checked, not the numbers, because a key with a damaged prime still needs
// protection.
func isDER(b []byte) bool {
	if len(b) < 32 || b[0] != 0x30 {
		return false
	}
	var p8 privatePKCS8
	if rest, err := asn1.Unmarshal(b, &p8); err == nil && len(rest) == 0 && p8.Version <= 1 && len(p8.Key) >= 16 {
		return true
	}
	var ec privateSEC1
	if rest, err := asn1.Unmarshal(b, &ec); err == nil && len(rest) == 0 && ec.Version == 1 && len(ec.Key) >= 16 {
		return true
	}
	return isIntegers(b)
}

// isIntegers reports whether b is a sequence of a version of 0 or 1 and at least five large
// integers, the form of RSA and DSA keys.
func isIntegers(b []byte) bool {
	var whole asn1.RawValue
	if rest, err := asn1.Unmarshal(b, &whole); err != nil || len(rest) > 0 || whole.Tag != asn1.TagSequence {
		return false
	}
	n := 0
	for in := whole.Bytes; len(in) > 0; n++ {
		var e asn1.RawValue
		rest, err := asn1.Unmarshal(in, &e)
		if err != nil || e.Tag != asn1.TagInteger && n < 6 {
			return false
		}
		if n == 0 && (len(e.Bytes) != 1 || e.Bytes[0] > 1) {
			return false
		}
		in = rest
	}
	return n >= 6
}
