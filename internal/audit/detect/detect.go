package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
)

// Hit is a secret in a leaf. It contains the secret, so it must not be printed.
type Hit struct {
	// Rule is the ID of the rule.
	Rule string
	// Start and End are the position in the text of the leaf: of the secret, or of the
	// encoded text that contains it.
	Start, End int
	// Secret is the decoded secret.
	Secret string
	// Name is the name of the secret, if it has one.
	Name string
	// Encodings are the encodings of the secret, the outermost first.
	Encodings  []string
	Confidence rule.Confidence
	// Loose is set if the name is ambiguous, or may not belong to the value.
	Loose bool
}

// Detector finds secrets by their context and their form. It is safe for concurrent use.
// Create one with [New].
type Detector struct {
	names  *vocabulary
	values *values
	tables tables
	base64 *table // the alphabets of base64 and its padding
}

// Names are names that the user adds to the vocabulary.
type Names struct {
	// Secret lists words; a name that ends with one of them is the name of a secret.
	Secret []string
	// Harmless lists complete names of values that are not secrets.
	Harmless []string
}

// New returns a Detector with additional names.
func New(own Names) *Detector {
	k := newTables()
	names := newVocabulary()
	d := &Detector{names: names, values: newValues(names), tables: k, base64: k.of(base64a)}
	for _, w := range own.Secret {
		if w == "" {
			continue
		}
		d.names.passwords.add(strings.ToLower(w))
		d.names.note(strings.ToLower(w))
	}
	for _, n := range own.Harmless {
		d.names.fixed[n] = never
		d.names.note(n)
	}
	return d
}
