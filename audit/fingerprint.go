package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/audit/leaf"
	"github.com/pcatdev/pcat/pcore"
)

// The lengths of fingerprints in hexadecimal digits. They differ, so that one of a
// kind is never taken for one of the other.
const (
	keyedLen   = 32
	unkeyedLen = 2 * sha256.Size
)

// KeyedFingerprint reports whether a fingerprint has the form of one made with a
// key, and whether it has the form of any fingerprint.
func KeyedFingerprint(fingerprint string) (keyed, valid bool) {
	_, err := hex.DecodeString(fingerprint)
	keyed = len(fingerprint) == keyedLen
	return keyed, err == nil && (keyed || len(fingerprint) == unkeyedLen)
}

// tagOf returns the tag of a secret: a keyed digest of it, or, without a key, its
// number in the order in which the secrets of the run occur in the findings.
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

// fingerprint returns the fingerprint of version 1: a keyed digest of rule,
// type, title, the path to the value but for positions in arrays, and the
// secret, each but the last ended by a zero byte. Without a key, it is that of
// the place.
func (j *judge) fingerprint(h *raw, f Finding) string {
	if j.keyed == nil {
		return j.placeFingerprint(h, f)
	}
	return hex.EncodeToString(j.mac(h.Rule, f.Type, f.Title, stablePath(h.at().Path).Pointer(), normal(h.Secret))[:keyedLen/2])
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

// occurrence identifies a place in a catalog: many findings of one rule can be
// there.
type occurrence struct {
	catalog *leaf.Catalog
	place   [sha256.Size]byte
}

// placeFingerprint returns the fingerprint of a run without a key: the SHA-256 of
// rule, type, title and path, secrets in them masked, and of the ordinal of the
// finding among those of its catalog that have all of these in common. A digest of
// the secret itself would be found out by trying passwords.
func (j *judge) placeFingerprint(h *raw, f Finding) string {
	path, _ := pointer("", stablePath(h.at().Path), j.mask)
	j.text = j.text[:0]
	for _, part := range [...]string{"pcat audit place v1", h.Rule, f.Type, f.Title, path} {
		j.text = binary.AppendUvarint(j.text, uint64(len(part)))
		j.text = append(j.text, part...)
	}
	at := occurrence{h.catalog, sha256.Sum256(j.text)}
	j.ordinals[at]++
	j.text = binary.AppendUvarint(j.text, uint64(j.ordinals[at]))
	sum := sha256.Sum256(j.text)
	return j.kept.text(hex.EncodeToString(sum[:])) // the nodes of a fleet share it
}

// normal returns a secret without the blanks around and the kinds of line
// breaks in it.
func normal(secret string) string {
	return strings.TrimSpace(strings.ReplaceAll(secret, "\r\n", "\n"))
}

// stablePath returns the names that lead to a value.
func stablePath(path pcore.Path) pcore.Path {
	var names pcore.Path
	for _, s := range path {
		if s.Kind == pcore.StepEntry || s.Kind == pcore.StepAttribute {
			names = append(names, pcore.Step{Kind: pcore.StepEntry, Key: s.Key})
		}
	}
	return names
}
