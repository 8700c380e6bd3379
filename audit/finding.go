package audit

import (
	"cmp"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Finding is one secret in one location, or one bad practice. Secrets are
// masked in all its texts.
type Finding struct {
	// Input is the position of the Input in the run, and Catalog its name, masked.
	Input   int
	Catalog string
	// Node is the name of the node, or "" if unknown.
	Node string
	// Pointer is the RFC 6901 pointer to the value in the document. If Hidden
	// is set, a secret in it is masked, and it does not resolve; Offset is then
	// the position in bytes, if known. Otherwise Offset is -1.
	Pointer string
	Hidden  bool
	Offset  int64
	// At is the location, not masked, for programs that change the catalog.
	At catalog.Location
	// Start and End are the position of the secret in the text at that
	// location, in bytes. Both are 0 if the finding is about the whole value.
	Start, End int
	// Part indicates that the text contains more than the secret.
	Part bool

	Rule       string
	Class      rule.Class
	Severity   rule.Severity
	Confidence rule.Confidence
	// Type and Title name the resource, and Parameter the parameter or member.
	Type, Title, Parameter string
	// Element is the part of the catalog that has the secret.
	Element Element
	// File and Line are the location in the manifest, or "" and 0 if unknown. For a class
	// declared by include, File is its manifest, if other resources of the catalog name it. In
	// the content of a file that the resource copies, they are the location in that file; see
	// [catalog.Resource.ContentFile].
	File string
	Line int64
	// Fingerprint identifies the finding across runs, independent of its
	// position in the catalog, its encoding and the node. With a key it has 32
	// hexadecimal digits and changes with the secret. Without a key it has 64
	// and depends only on the rule, resource, parameter and ordinal, so that a
	// new secret in the same location has the same Fingerprint, and the secret
	// cannot be guessed from it.
	Fingerprint string
	// Repair identifies the change that removes the finding: 16 hexadecimal digits that depend
	// on the rule, the resource, without the name of the node in its title, and the path of the
	// manifest below its environment. Other lines, nodes, environments and secrets do not
	// change it.
	Repair string
	// Owner are the owners of the manifest, separated by spaces, or "" if unknown.
	Owner string
	// Tag is equal for equal secrets: under one key or, without a key, in one
	// run, where it is a number. It is empty if the finding is not about a
	// secret.
	Tag string
	// Name is the name of the secret in its location, or the subject of a
	// practice, or "" if there is none. Shown is a description of the secret
	// that may be shown, `‹8-15 chars, …›`, or "" if the finding is not about a
	// secret.
	Name, Shown string
	// Encodings are the encodings that were decoded to find it.
	Encodings []string
	Message   string
	// Source is the location of the secret elsewhere that the finding copies, or nil if it copies none.
	Source *Source
	// State is the result of a comparison with an earlier run.
	State State
	// Secret is the secret. It is nil unless [Options.KeepSecrets] is set, and
	// if the finding is not about a secret.
	Secret *pcore.Sensitive
	// Spelled is the text between Start and End: the secret as written there,
	// possibly escaped, or the encoded text that contains it. It is nil if
	// Secret is nil or if the finding is about the whole value.
	Spelled *pcore.Sensitive
	// Again are the positions, in bytes, at which the same rule found Spelled
	// again in the same text. It is nil if Secret is nil.
	Again []int

	plain string // the message without text from the catalog
	facts facts  // that make the severity
}

// Source is the first location of a secret whose copy is a finding, with secrets masked.
type Source struct {
	// Declared is set if the value is Sensitive there. Otherwise it was found there.
	Declared bool
	// Ref is the resource, or "" for a member of the catalog itself. Pointer is the RFC 6901 pointer to the
	// value in its document, or "" if it would contain a secret.
	Ref, Pointer string
	// File and Line are the location in the manifest, or "" and 0 if unknown.
	File string
	Line int64
	// Others is the number of other locations of the secret.
	Others int
}

// Element is a part of a catalog. The zero value is [InValue].
type Element uint8

// The elements.
const (
	// InValue is a value or a key, usually of a parameter.
	InValue Element = iota
	// InTitle is the title of a resource.
	InTitle
	// InTag is a tag. Tags repeat titles in lower case.
	InTag
	// InEdge is an end of an edge, which repeats the title of a resource.
	InEdge
)

// State relates a finding to an earlier run. The zero value is [NotCompared].
type State uint8

// The states.
const (
	// NotCompared means that there was no comparison.
	NotCompared State = iota
	// Fresh is a finding that the earlier run did not have.
	Fresh
	// Known is a finding that the earlier run had, too.
	Known
)

// String returns "new", "known" or, for [NotCompared], "".
func (s State) String() string { return [...]string{"", "new", "known"}[min(s, Known)] }

// Location returns the location of the finding for people, without its secrets: the
// resource and the parameter, as in `File[/etc/motd]/content`, or else the pointer.
func (f *Finding) Location() string {
	if f.Type == "" {
		return f.Pointer
	}
	place := f.Type + "[" + f.Title + "]"
	if f.Parameter != "" {
		place += "/" + f.Parameter
	}
	return place
}

// NodeName returns the name of the node, or else that of the catalog.
func (f *Finding) NodeName() string { return cmp.Or(f.Node, f.Catalog) }

// Masked returns a description that may be shown: `password=‹8-15 chars, …›`.
func (f *Finding) Masked() string {
	if f.Name == "" || f.Shown == "" {
		return f.Name + f.Shown
	}
	return f.Name + "=" + f.Shown
}
