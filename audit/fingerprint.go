package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/pcore"
)

// Lengths of fingerprints in hexadecimal digits. They differ, so that the two
// kinds cannot be confused.
const (
	keyedLen   = 32
	unkeyedLen = 2 * sha256.Size
)

// KeyedFingerprint reports whether a fingerprint has the form of one made with
// a key, and whether it has the form of any fingerprint.
func KeyedFingerprint(fingerprint string) (keyed, valid bool) {
	_, err := hex.DecodeString(fingerprint)
	keyed = len(fingerprint) == keyedLen
	return keyed, err == nil && (keyed || len(fingerprint) == unkeyedLen)
}

// tagOf returns the tag of a secret: a keyed digest or, without a key, the
// number of the secret in the order of first occurrence in the findings.
func (j *judge) tagOf(secret string) string {
	secret = normal(secret)
	if j.keyed != nil {
		return hex.EncodeToString(j.mac("pcat audit tag v1", secret))[:6]
	}
	number, ok := j.numbers[secret]
	if !ok {
		number = len(j.numbers) + 1
		j.numbers[secret] = number
	}
	return strconv.Itoa(number)
}

// fingerprint returns the fingerprint of version 1: a keyed digest of the rule,
// the type, the title, the path to the value without positions in arrays, and
// the secret, separated by zero bytes. Without a key, it returns
// locationFingerprint.
func (j *judge) fingerprint(h *raw, f Finding) string {
	if j.keyed == nil {
		return j.locationFingerprint(h, f)
	}
	return hex.EncodeToString(j.mac(h.Rule, f.Type, f.Title, stablePath(h).Pointer(), normal(h.Secret))[:keyedLen/2])
}

func (j *judge) mac(parts ...string) []byte {
	j.text = j.text[:0]
	for i, p := range parts {
		if i > 0 {
			j.text = append(j.text, 0)
		}
		j.text = append(j.text, p...)
	}
	j.keyed.Reset()
	_, _ = j.keyed.Write(j.text) // never fails
	return j.keyed.Sum(nil)
}

// occurrence identifies a location in a catalog, which can have many findings
// of one rule.
type occurrence struct {
	catalog  *leaf.Catalog
	location [sha256.Size]byte
}

// locationFingerprint returns the fingerprint for a run without a key: the SHA-256
// of the rule, type, title and path, with secrets masked, and of the ordinal of
// the finding among the findings of its catalog for which these are equal. A
// digest of the secret itself could be reversed by trying passwords.
func (j *judge) locationFingerprint(h *raw, f Finding) string {
	path, _ := pointer("", stablePath(h), j.mask)
	j.text = j.text[:0]
	for _, part := range [...]string{"pcat audit place v1", h.Rule, f.Type, f.Title, path} {
		j.text = binary.AppendUvarint(j.text, uint64(len(part)))
		j.text = append(j.text, part...)
	}
	at := occurrence{h.catalog, sha256.Sum256(j.text)}
	j.ordinals[at]++
	j.text = binary.AppendUvarint(j.text, uint64(j.ordinals[at]))
	sum := sha256.Sum256(j.text)
	return j.kept.text(hex.EncodeToString(sum[:])) // shared by the nodes of a fleet
}

// normal returns a secret without surrounding whitespace and with "\n" as its
// line breaks.
func normal(secret string) string {
	return strings.TrimSpace(strings.ReplaceAll(secret, "\r\n", "\n"))
}

// stablePath returns the path of a hit without positions in arrays, and in reports.
func stablePath(h *raw) pcore.Path {
	var names pcore.Path
	for _, s := range h.at().Path {
		if isReportLine(h.catalog, s) {
			continue
		}
		if s.Kind == pcore.StepEntry || s.Kind == pcore.StepAttribute {
			names = append(names, pcore.Step{Kind: pcore.StepEntry, Key: s.Key})
		}
	}
	return names
}
