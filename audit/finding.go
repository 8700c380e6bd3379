package audit

import (
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Finding is one secret in one place, or one bad practice. Secrets are masked
// in all its texts.
type Finding struct {
	// Catalog is the name that the run gave the document.
	Catalog string
	// Node is the name of the node, empty when it is not told.
	Node string
	// Pointer is the RFC 6901 pointer into the document. It leads nowhere
	// when Hidden is set: a secret in it is masked. Offset tells the place
	// then, in bytes, where one is known; otherwise it is -1.
	Pointer string
	Hidden  bool
	Offset  int64
	// At is the place, not masked: it is for programs that change the catalog.
	At catalog.Location
	// Start and End tell where in the text at that place the secret stands,
	// in bytes; both are 0 when the finding is about the value as a whole.
	Start, End int

	Rule       string
	Class      rule.Class
	Severity   rule.Severity
	Confidence rule.Confidence
	// Type and Title name the resource, Parameter the parameter or member.
	Type, Title, Parameter string
	// File and Line tell the manifest; empty and 0 when it is not known.
	File string
	Line int64
	// Fingerprint identifies the finding, the same in each run: wherever in the
	// catalog it moves, however it is encoded, on every node. With a key it has 32
	// hexadecimal digits and changes with the secret. Without one it has 64 and
	// depends on rule, resource, parameter and ordinal only, so that a new secret
	// at the same place has the same Fingerprint, and none can be guessed by it.
	Fingerprint string
	// Tag is the same for the same secret, under one key, or, without a key, in
	// one run, where it is a number; empty when the finding is about no secret.
	Tag string
	// Name is what the place calls the secret, or what a practice is about; empty
	// when it has no name. Shown is what may be shown of the secret: `‹8-15 chars,
	// …›`; empty when the finding is about none.
	Name, Shown string
	// Encodings are those that were taken off to find it.
	Encodings []string
	Message   string
	// Secret is what was found, nil unless [Options] ask to keep it, or when
	// the finding is about no secret.
	Secret *pcore.Sensitive
	// Spelled is the text between Start and End: the secret as it stands
	// there, escaped perhaps, or the encoded text that holds it. It is nil
	// when Secret is, and when the finding is about the value as a whole.
	Spelled *pcore.Sensitive

	plain string // the message without what the catalog says
}

// Masked returns what may be shown of the place: `password=‹8-15 chars, …›`.
func (f *Finding) Masked() string {
	if f.Name == "" || f.Shown == "" {
		return f.Name + f.Shown
	}
	return f.Name + "=" + f.Shown
}
