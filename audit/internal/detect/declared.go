package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// Declared finds the secrets inside leaves that are declared Sensitive. It is not safe for
// concurrent use. Create one with [Detector.Declared].
type Declared struct {
	scanner *Scanner
	list    []string
}

// Declared returns a Declared.
func (d *Detector) Declared() *Declared {
	return &Declared{scanner: d.Scanner()}
}

// IsIdentifier reports whether the hits of a rule are identifiers, which are not secret by
// themselves.
func IsIdentifier(rule string) bool {
	switch rule {
	case "provider-token/aws-access-key", "provider-token/alibaba-access-key", "provider-token/tencent-secret-id":
		return true
	}
	return false
}

// Secrets returns the secrets of a leaf that is declared Sensitive: the leaf itself and the
// secrets inside it. If an Array or a Hash is declared as a whole, only elements that look
// like secrets count. The list is valid until the next call.
func (in *Declared) Secrets(l *leaf.Leaf) []string {
	in.list = in.list[:0]
	in.scanner.inside = l.State != leaf.Inside
	for t := range in.scanner.Texts(l) {
		for h := range t.Hits() {
			if !IsIdentifier(h.Rule) && (h.Secret != l.Text || l.State == leaf.Inside) {
				in.list = append(in.list, h.Secret)
			}
		}
	}
	if l.State != leaf.Inside || in.looksSecret(l) {
		if r := in.scanner.against(verdict.Candidate{Value: l.Text, As: verdict.Password, At: verdict.InParameter}); (r == verdict.None || r == verdict.TooLong || r == verdict.Common) && !in.scanner.detector.names.IsLabel(l.Text) {
			in.list = append(in.list, l.Text)
		}
	}
	return in.list
}

// looksSecret reports whether an element of a structure looks like a secret. The criteria
// are weaker for an element of a list of secrets.
func (in *Declared) looksSecret(l *leaf.Leaf) bool {
	if verdict.IsRandom(l.Text) || verdict.IsPhrase(l.Text) {
		return true
	}
	return isAlone(l) && (verdict.IsMachineMade(l.Text) || strings.Count(l.Text, "-") >= 2)
}

// isAlone reports whether a leaf is an element of an Array that is a parameter: a list of
// secrets, rather than a structure that also contains other values.
func isAlone(l *leaf.Leaf) bool {
	list, _ := l.Element()
	return list != nil && l.Hash() == nil
}

// Weak reports whether a leaf that is declared Sensitive is a default password. A marker is
// not, even if its user has the same one.
func (d *Detector) Weak(l *leaf.Leaf) bool {
	if as := d.names.ClassOf(l.Name()); !as.Open() && as != verdict.Token || l.Binary || secret.IsMarker(strings.TrimSpace(l.Text)) {
		return false
	}
	return d.values.IsDefault(strings.ToLower(l.Text)) || isOwnUser(l) || len(l.Text) < 6 && d.values.Against(verdict.Candidate{Value: l.Text, As: verdict.Password, At: verdict.InParameter}) == verdict.None
}

// isOwnUser reports whether a leaf equals the name of a user beside it.
func isOwnUser(l *leaf.Leaf) bool {
	h := l.Hash()
	if h == nil {
		return false
	}
	for _, name := range []string{"user", "username", "name", "login"} {
		if v, _ := h.GetString(name); v == pcore.String(l.Text) {
			return true
		}
	}
	return false
}
