package privatekey

import (
	"encoding/asn1"
	"math"
	"net/http"
	"strings"
)

// The lengths in bytes of a key that was drawn at random.
const (
	minRandom = 8
	maxRandom = 8 << 10
)

// IsRandom reports whether bytes look drawn at random, and not like a part of a certificate, an
// archive, an image or another known format: a key of Munge or Corosync, for example.
func IsRandom(s string) bool {
	if len(s) < minRandom || len(s) > maxRandom || hasFormat(s) {
		return false
	}
	var seen [256]bool
	distinct := 0
	for i := range len(s) {
		if !seen[s[i]] {
			seen[s[i]] = true
			distinct++
		}
	}
	drawn := 256 * (1 - math.Pow(255.0/256, float64(len(s)))) // number of distinct bytes to expect
	return 4*float64(distinct) > 3*drawn
}

// hasFormat reports whether bytes begin like a file of a known format.
func hasFormat(s string) bool {
	b := []byte(s)
	switch kind := http.DetectContentType(b); {
	case kind != "application/octet-stream" && !strings.HasPrefix(kind, "text/plain"):
		return true
	case isSequence(b), len(b) > 8 && isOpenPGPKey(b) && pgpVersion(b), strings.HasPrefix(s, "BZh"):
		return true
	}
	in := reader(b)
	switch in.uint32() {
	case 0x7f454c46, 0xfeedfeed, 0xcececece, 0x28b52ffd, 0x04224d18, 0xfd377a58, 0x377abcaf:
		return true // an executable, the key stores of Java, archives
	}
	return false
}

// isSequence reports whether b is a structure in DER, such as a certificate.
func isSequence(b []byte) bool {
	var whole asn1.RawValue
	rest, err := asn1.Unmarshal(b, &whole)
	return err == nil && len(rest) == 0 && whole.Tag == asn1.TagSequence && whole.IsCompound
}

// isOpenPGPKey reports whether b begins with the packet of a key of OpenPGP, public or secret.
func isOpenPGPKey(b []byte) bool {
	switch tagOpenPGP(b) {
	case 5, 6, 7, 14:
		return true
	}
	return false
}
