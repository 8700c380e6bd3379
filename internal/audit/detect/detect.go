package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/audit/leaf"
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

// search emits the hits in the text.
func (t *Text) search() {
	if t.isKey {
		keys{t}.material()
		return
	}
	l := t.leaf
	if l.Kind == leaf.Tag {
		issuers{t}.search()
		return // Puppet derives the other tags from titles
	}
	parameters{t}.search()
	if l.Kind == leaf.Title && l.Resource.Type == "Snmp_community" {
		// The title of such a resource is the community.
		t.given("community", 0, len(t.S), password)
	}
	if l.Number || len(t.S) < minText || l.InParameter() && isRelation(l.Parameter()) {
		return // a reference repeats a title
	}
	for _, g := range [...]grammar{keys{t}, urls{t}, hashes{t}, leaks{t}, issuers{t}} {
		g.search()
	}
	if l.Kind == leaf.Value || l.Kind == leaf.Title || len(t.Encodings) > 0 {
		for _, g := range [...]grammar{
			commands{t}, conditions{t}, assignments{t}, directives{t}, prompts{t}, lineFormats{t},
			statements{t}, calls{t}, files{t}, sentences{t},
		} {
			g.search()
		}
	}
}

// grammar finds the secrets that a language marks by their form, or by a name, in a text. It
// first looks whether the bytes of the text allow any.
type grammar interface{ search() }

// minText is the minimum length of a text with a name and a secret.
const minText = 6
