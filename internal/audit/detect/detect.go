package detect

import (
	"strings"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/audit/leaf"
)

// Hit is a secret that stands in a leaf. It holds the secret: it must not be
// printed.
type Hit struct {
	// Rule is the ID of the rule.
	Rule string
	// Start and End tell where in the text of the leaf it stands; for one that
	// is encoded, where the encoded text stands.
	Start, End int
	// Secret is the secret itself, decoded.
	Secret string
	// Name is what the place calls the secret, as far as it has a name.
	Name string
	// Encodings are those that were taken off, the outermost first.
	Encodings  []string
	Confidence rule.Confidence
	// Loose is set if the name may not be that of a secret, or may not belong to
	// the value.
	Loose bool
}

// Detector finds secrets by their context and their form. It is safe for
// concurrent use; make one with [New].
type Detector struct {
	names  *vocabulary
	values *values
	tables tables
	base64 *table // of what is encoded in base64, as a whole
}

// Names are names that a user adds to those that are known.
type Names struct {
	// Secret are words that the name of a secret has as its last.
	Secret []string
	// Harmless are whole names of what is no secret.
	Harmless []string
}

// New returns a Detector.
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

// Detect tells what the text shows by its context and its form. Hits may
// overlap.
func (t *Text) Detect() {
	l := t.leaf
	if l.Kind == leaf.Tag {
		t.providers(&t.has)
		return // the rest is what Puppet makes of titles
	}
	if l.Kind == leaf.Value && len(t.Encodings) == 0 {
		t.parameter()
	}
	if l.Kind == leaf.Title && l.Resource.Type == "Snmp_community" {
		// The community is what such a resource is called.
		t.given("community", 0, len(t.S), password)
	}
	if l.Number || len(t.S) < minText || l.InParameter() && isRelation(l.Parameter()) {
		return // a reference repeats a title
	}
	has := &t.has
	if has.byte('-') {
		t.pem()
		t.ssh2()
		t.putty()
	}
	if t.S[0] == comment[0] {
		t.signify()
	}
	if has.byte(':') && has.byte('/') {
		t.urls()
		t.hooks()
	}
	if has.byte('$') || has.byte('{') || has.byte('.') {
		t.hashes()
	}
	if has.byte('k') && has.byte('t') && has.byte('y') || t.leaf.Name() == "d" || t.leaf.Name() == "k" {
		t.jwk()
	}
	if has.byte('[') || has.byte('{') || has.byte('<') {
		t.leaked()
	}
	t.providers(has)
	if l.Kind == leaf.Value || l.Kind == leaf.Title || len(t.Encodings) > 0 {
		t.grammars(has)
	}
}

// minText is the length of the shortest text that can hold a name and a secret.
const minText = 6
