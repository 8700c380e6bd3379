package detect

import "github.com/pcatdev/pcat/internal/audit/leaf"

// grammar finds the secrets that a language marks by their form, or by a name, in a text. It
// first looks whether the bytes of the text allow any.
type grammar interface{ search() }

// grammars yields the grammars that may occur in the text.
func (t *Text) grammars(yield func(grammar) bool) {
	l := t.leaf
	switch {
	case t.isKey:
		yield(keys{t})
		return
	case l.Kind == leaf.Tag:
		yield(issuers{t})
		return // Puppet derives the other tags from titles
	case !yield(parameters{t}), l.Number, len(t.S) < minText, l.InParameter() && isRelation(l.Parameter()):
		return // a reference repeats a title
	}
	for _, g := range [...]grammar{keys{t}, urls{t}, hashes{t}, leaks{t}, issuers{t}} {
		if !yield(g) {
			return
		}
	}
	if l.Kind != leaf.Value && l.Kind != leaf.Title && len(t.Encodings) == 0 {
		return
	}
	for _, g := range [...]grammar{
		commands{t}, conditions{t}, assignments{t}, directives{t}, prompts{t}, lineFormats{t},
		statements{t}, calls{t}, files{t}, sentences{t},
	} {
		if !yield(g) {
			return
		}
	}
}

// minText is the minimum length of a text with a name and a secret.
const minText = 6
