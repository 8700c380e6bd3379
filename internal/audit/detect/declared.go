package detect

import (
	"strings"

	"github.com/pcatdev/pcat/internal/audit/leaf"
)

// Declared finds the secrets in leaves that are declared to be one. It must not
// be used by several goroutines at once; make one with [Detector.Declared].
type Declared struct {
	scanner *Scanner
	leaf    *leaf.Leaf
	list    []string
}

// Declared returns a Declared.
func (d *Detector) Declared() *Declared {
	in := &Declared{}
	in.scanner = d.Scanner(func(h Hit) {
		if !IsIdentifier(h.Rule) && (h.Secret != in.leaf.Text || in.leaf.State == leaf.Inside) {
			in.list = append(in.list, h.Secret)
		}
	}, (*Text).Detect)
	return in
}

// IsIdentifier reports whether a rule finds identifiers, which are no secret by
// themselves.
func IsIdentifier(rule string) bool {
	switch rule {
	case "provider-token/aws-access-key", "provider-token/alibaba-access-key", "provider-token/tencent-secret-id":
		return true
	}
	return false
}

// Secrets returns the secrets that a leaf holds which is declared to be one:
// itself, and those that stand inside it. Of an Array or a Hash that is
// declared as a whole, only the elements count that look like secrets. The
// list is valid until the next call.
func (in *Declared) Secrets(l *leaf.Leaf) []string {
	in.leaf, in.list = l, in.list[:0]
	in.scanner.Leaf(l)
	if l.State != leaf.Inside || in.looksSecret(l) {
		// The scan asked most often the same of it.
		if r := in.scanner.against(candidate{l.Text, password, inParameter}); (r == none || r == tooLong || r == common) && !in.scanner.detector.isLabel(l.Text) {
			in.list = append(in.list, l.Text)
		}
	}
	return in.list
}

// looksSecret reports whether a part of a structure looks like a secret. In a list
// of secrets, less is asked for.
func (in *Declared) looksSecret(l *leaf.Leaf) bool {
	if random(l.Text) || isPhrase(l.Text) {
		return true
	}
	return isAlone(l) && (machineMade(l.Text) || strings.Count(l.Text, "-") >= 2)
}

// isAlone reports whether a leaf is an element of an Array that is a parameter:
// a list of secrets, and no structure that has names for what is none.
func isAlone(l *leaf.Leaf) bool {
	list, _ := l.Element()
	return list != nil && l.Hash() == nil
}
