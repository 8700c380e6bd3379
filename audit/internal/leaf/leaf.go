package leaf

import (
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/pcore"
)

// Kind is the part of a catalog that a [Leaf] belongs to.
type Kind uint8

// The kinds of leaves.
const (
	Value    Kind = iota // a value of a parameter, or part of one
	Key                  // a key of a Hash
	Title                // the title of a resource
	Tag                  // a tag, of a resource or of the catalog
	Edge                 // an end of an edge
	Metadata             // file metadata of a static catalog
	Header               // any other member of the catalog or of an envelope
)

// State is how, if at all, a leaf is declared a secret.
type State uint8

// The states of a leaf.
const (
	// Open is a leaf that is not declared a secret.
	Open State = iota
	// Param is a parameter named in `sensitive_parameters`.
	Param
	// Inside is a part of such a parameter, which is an Array or a Hash.
	Inside
	// Nested is a leaf inside a Sensitive.
	Nested
)

// Form is the origin of a catalog, as far as its shape reveals it.
type Form uint8

// The forms of a catalog.
const (
	Plain     Form = iota // as written by the compiler
	Enveloped             // inside an envelope, as returned by an API
	PuppetDB              // as stored by PuppetDB, where anyone with query access can read it
	Report                // the presentation of a report or of events, see package rundata
	Facts                 // the presentation of facts
)

// Catalog describes a catalog that is being walked. All but the name may change
// until its end.
type Catalog struct {
	// Name is the name of the document in the run.
	Name string
	// Node is the name of the node, or empty if unknown.
	Node string
	Form Form
	// Document is the kind of the document that the catalog presents, or empty.
	Document rundata.Kind
}

// Resource is a resource of a catalog.
type Resource struct {
	catalog.Ref
	Catalog *Catalog
	// Pointer is the RFC 6901 pointer to it in the document.
	Pointer string
	// File and Line are the position in the manifest, or empty and 0 if unknown.
	File     string
	Line     int64
	Exported bool
	// ContentFile is the file that has the parameter content; see [catalog.Resource.ContentFile].
	ContentFile string
	// Kind is the kind of the type; see [catalog.Resource.Kind].
	Kind string
	Tags []string
	// Parameters are the parameters by name, never nil. The parameters named in Sensitive
	// are in plain text.
	Parameters *pcore.Hash
	Sensitive  []string

	listed catalog.Names // Sensitive
}

// IsSensitive reports whether Sensitive contains parameter.
func (r *Resource) IsSensitive(parameter string) bool { return r.listed.Has(parameter) }

// Text returns the value of a parameter if it is a String, and "" otherwise.
func (r *Resource) Text(parameter string) string {
	if r == nil {
		return ""
	}
	return text(r.Parameters, parameter)
}

// Path returns the path of the file that the resource manages, taken from a parameter or
// the title. It is empty if there is none or r is nil.
func (r *Resource) Path() string {
	if r == nil {
		return ""
	}
	for _, text := range []string{r.Text("path"), r.Text("target"), r.Text("file"), r.Title} {
		if strings.ContainsAny(text, `/\`) {
			return text
		}
	}
	return ""
}

// Leaf is one text of a catalog.
type Leaf struct {
	// Text is the text itself, the bytes if Binary is set, or the digits of a number.
	Text   string
	Kind   Kind
	State  State
	Binary bool
	Number bool
	// Catalog contains the leaf. Resource is nil if the leaf is outside of the resources.
	Catalog  *Catalog
	Resource *Resource

	source source
	base   string // pointer to the start of path
	path   pcore.Path
	above  []pcore.Value // the values along path
	skip   int           // number of steps of path before the name of a parameter
}

// Pointer returns the RFC 6901 pointer to the leaf in the document.
func (l *Leaf) Pointer() string { return l.base + l.path.Pointer() }

// Steps returns the pointer in parts: base consists only of positions and members of the
// catalog, and path continues from there to the leaf. The first skip steps of path
// precede the name of the parameter. The path is valid during the visit.
func (l *Leaf) Steps() (base string, path pcore.Path, skip int) { return l.base, l.path, l.skip }

// Location returns the location of the leaf.
func (l *Leaf) Location() catalog.Location {
	at := catalog.Location{Path: append(pcore.Path(nil), l.path[l.skip:]...)}
	if l.Resource != nil {
		at.Ref = l.Resource.Ref
	}
	return at
}

// IsInDiff reports whether the leaf is one of the files of a difference in a log line.
func (l *Leaf) IsInDiff() bool {
	return l.Catalog != nil && l.Catalog.Form == Report && l.InParameter() && IsInDiff(l.path[l.skip:])
}

// IsOutput reports whether the leaf is the text of log lines that a command prints.
func (l *Leaf) IsOutput() bool {
	return l.Catalog != nil && l.Catalog.Form == Report && l.InParameter() && len(l.path)-l.skip == message+1 && isMessage(l.path[l.skip:]) &&
		strings.Contains(stepText(l.path[l.skip+1]), "-")
}

// IsMessage reports whether the leaf is the message of a log line, or a part of one, but not a file in a
// difference.
func (l *Leaf) IsMessage() bool {
	return l.Catalog != nil && l.Catalog.Form == Report && l.InParameter() && isMessage(l.path[l.skip:]) && !l.IsInDiff()
}

// Compared returns the path of the file that a difference is about, as its header has it.
func (l *Leaf) Compared() string {
	name := stepText(l.path[len(l.path)-1])
	_, number, _ := strings.Cut(name, " ")
	lines := text(l.Hash(), strings.TrimSpace("head "+number))
	for _, mark := range []string{"--- ", "+++ "} {
		_, file, found := strings.Cut("\n"+lines, "\n"+mark)
		file, _, _ = strings.Cut(file, "\n")
		file, _, _ = strings.Cut(file, "\t")
		if found && strings.ContainsAny(file, `/\`) && file != "/dev/null" {
			return file
		}
	}
	return ""
}

// message is the position of the message in the path of a log line: logs/NUMBER/message.
const message = 2

func isMessage(path pcore.Path) bool {
	return len(path) > message && path[0].Key == pcore.String("logs") && path[message].Key == pcore.String("message")
}

// IsInDiff reports whether a path in a report is the one of a file of a difference:
// logs/NUMBER/message/new.
func IsInDiff(path pcore.Path) bool {
	if len(path) != message+2 || !isMessage(path) {
		return false
	}
	name, _, _ := strings.Cut(stepText(path[message+1]), " ")
	return name == "old" || name == "new"
}

// IsNumber reports whether a step is a key of digits, such as the number of a log line, or of several
// that are one text: `3-7`.
func IsNumber(s pcore.Step) bool {
	key, _ := s.Key.(pcore.String)
	return key != "" && strings.Trim(string(key), "0123456789-") == ""
}

// Parameter returns the name of the parameter, or of the member, that contains the leaf.
func (l *Leaf) Parameter() string {
	if len(l.path) <= l.skip {
		return ""
	}
	return stepText(l.path[l.skip])
}

// InParameter reports whether the leaf is in the parameters of a resource.
func (l *Leaf) InParameter() bool { return l.skip > 0 }

// CopiedFrom returns the file that has the text, if the resource copies a file. It is empty for any other text.
func (l *Leaf) CopiedFrom() string {
	if l.Resource == nil || l.Resource.ContentFile == "" || !l.InParameter() || l.Parameter() != "content" {
		return ""
	}
	return l.Resource.ContentFile
}

// Name returns the nearest key above the leaf: of a Hash, an attribute or a parameter. An
// element of an Array has the name of the Array; an argument of a Deferred has none.
func (l *Leaf) Name() string {
	for i := len(l.path) - 1; i >= 0; i-- {
		switch l.path[i].Kind {
		case pcore.StepEntry, pcore.StepAttribute:
			return stepText(l.path[i])
		case pcore.StepArgument, pcore.StepKey:
			return ""
		case pcore.StepIndex, pcore.StepSecret:
		}
	}
	return ""
}

// Names yields the keys on the path to the leaf, the nearest first.
func (l *Leaf) Names(yield func(string) bool) {
	for i := len(l.path) - 1; i >= l.skip; i-- {
		s := l.path[i]
		if (s.Kind == pcore.StepEntry || s.Kind == pcore.StepAttribute) && !yield(stepText(s)) {
			return
		}
	}
}

// Hash returns the innermost Hash of which the leaf is a value, or nil if there is none
// or an Array comes between.
func (l *Leaf) Hash() *pcore.Hash {
	for i := len(l.path) - 1; i >= 0; i-- {
		switch l.path[i].Kind {
		case pcore.StepEntry:
			h, _ := l.above[i].(*pcore.Hash)
			return h
		case pcore.StepSecret:
		default:
			return nil
		}
	}
	return nil
}

// HashAround is like [Leaf.Hash], and also passes an Array with one element, because Puppet writes the values of many
// properties as such Arrays.
func (l *Leaf) HashAround() *pcore.Hash {
	for i := len(l.path) - 1; i >= 0; i-- {
		switch l.path[i].Kind {
		case pcore.StepEntry:
			h, _ := l.above[i].(*pcore.Hash)
			return h
		case pcore.StepIndex:
			if a, _ := l.above[i].(*pcore.Array); a == nil || a.Len() != 1 {
				return nil
			}
		case pcore.StepSecret:
		default:
			return nil
		}
	}
	return nil
}

// Element returns the Array that the leaf is an element of, and its position.
func (l *Leaf) Element() (*pcore.Array, int) {
	if n := len(l.path); n > 0 && l.path[n-1].Kind == pcore.StepIndex {
		a, _ := l.above[n-1].(*pcore.Array)
		return a, l.path[n-1].Index
	}
	return nil, 0
}

// IsNested reports whether the leaf is an element of an Array in another Array.
func (l *Leaf) IsNested() bool {
	n := len(l.path)
	return n > 1 && l.path[n-1].Kind == pcore.StepIndex && l.path[n-2].Kind == pcore.StepIndex
}

// Deferred returns the innermost Deferred that has the leaf, or a value containing it, as
// an argument.
func (l *Leaf) Deferred() (call *pcore.Deferred, argument int) {
	for i := len(l.path) - 1; i >= 0; i-- {
		if l.path[i].Kind == pcore.StepArgument {
			d, _ := l.above[i].(*pcore.Deferred)
			return d, l.path[i].Index
		}
	}
	return nil, 0
}

func text(h *pcore.Hash, key string) string {
	v, _ := h.GetString(key)
	return asText(v)
}

func stepText(s pcore.Step) string {
	if t, ok := s.Key.(pcore.String); ok {
		return string(t)
	}
	return ""
}
