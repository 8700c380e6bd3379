package detect

import (
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/audit/alphabet"
	"github.com/pcatdev/pcat/internal/audit/verdict"
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
	names  *verdict.Vocabulary
	values *verdict.Values
	tables alphabet.Tables
}

// New returns a Detector with additional names.
func New(own verdict.Names) *Detector {
	k := alphabet.NewTables()
	names := verdict.NewVocabulary(own)
	return &Detector{names: names, values: verdict.NewValues(names), tables: k}
}
