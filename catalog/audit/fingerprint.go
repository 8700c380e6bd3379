package audit

import (
	"encoding/hex"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// tagOf returns what tells one secret from another.
func (j *judge) tagOf(secret string) string {
	return hex.EncodeToString(j.mac("pcat audit tag v1", normal(secret)))[:6]
}

// fingerprint returns the fingerprint of version 1: a keyed digest of rule,
// type, title, the path to the value but for positions in arrays, and the
// secret, each but the last ended by a zero byte.
func (j *judge) fingerprint(h *raw, f Finding) string {
	return hex.EncodeToString(j.mac(h.Rule, f.Type, f.Title, stablePath(h.at().Path), normal(h.Secret))[:16])
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

// normal returns a secret without the blanks around and the kinds of line
// breaks in it.
func normal(secret string) string {
	return strings.TrimSpace(strings.ReplaceAll(secret, "\r\n", "\n"))
}

// stablePath returns the names that lead to a value.
func stablePath(path pcore.Path) string {
	var names pcore.Path
	for _, s := range path {
		if s.Kind == pcore.StepEntry || s.Kind == pcore.StepAttribute {
			names = append(names, pcore.Step{Kind: pcore.StepEntry, Key: s.Key})
		}
	}
	return names.Pointer()
}
