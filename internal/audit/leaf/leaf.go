package leaf

import (
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Kind tells what part of a catalog a [Leaf] is.
type Kind uint8

// The kinds of leaves.
const (
	Value    Kind = iota // a value, of a parameter or inside one
	Key                  // a key of a Hash
	Title                // the title of a resource
	Tag                  // a tag, of a resource or of the catalog
	Edge                 // an end of an edge
	Metadata             // what a static catalog says about files
	Header               // any other member of the catalog or of an envelope
)

// State tells whether Puppet knows that a leaf is a secret.
type State uint8

// The states of a leaf.
const (
	// Open is what nothing declares to be a secret.
	Open State = iota
	// Param is a parameter that `sensitive_parameters` names.
	Param
	// Inside is a part of such a parameter, which is an Array or a Hash.
	Inside
	// Nested is what a Sensitive holds.
	Nested
)

// Form tells where a catalog came from, as far as its shape shows.
type Form uint8

// The forms of a catalog.
const (
	Plain     Form = iota // as the compiler writes it
	Enveloped             // inside an envelope, as an API answers
	PuppetDB              // as PuppetDB stores it and everybody who may ask reads it
)

// Catalog is what is known about a catalog that is walked. Node and Form can
// change until its end.
type Catalog struct {
	// Name is what the run calls the document.
	Name string
	// Node is the name of the node, empty when it is not told.
	Node string
	Form Form
}

// Resource is a resource of a catalog.
type Resource struct {
	catalog.Ref
	Catalog *Catalog
	// Pointer is the RFC 6901 pointer to it in the document.
	Pointer string
	// File and Line tell the manifest; empty and 0 when it is not told.
	File     string
	Line     int64
	Exported bool
	// Kind is what kind of type it has, as [catalog.Resource.Kind] tells.
	Kind string
	Tags []string
	// Parameters are its parameters by name, never nil. Those that Sensitive
	// names are in clear.
	Parameters *pcore.Hash
	Sensitive  []string

	listed catalog.Names // Sensitive
}

// IsSensitive reports whether Sensitive names a parameter.
func (r *Resource) IsSensitive(parameter string) bool { return r.listed.Has(parameter) }

// Text returns a parameter that is a String, and "" for anything else.
func (r *Resource) Text(parameter string) string {
	if r == nil {
		return ""
	}
	return text(r.Parameters, parameter)
}

// Path returns the path of the file that the resource manages, as far as a
// parameter or the title tells it; empty when there is none, or no resource.
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
	// Text is the text itself, or the bytes when Binary is set. Of a number,
	// it is the digits.
	Text   string
	Kind   Kind
	State  State
	Binary bool
	Number bool
	// Catalog is where it stands, Resource nil when that is beside the
	// resources.
	Catalog  *Catalog
	Resource *Resource

	source source
	base   string // pointer to where path begins
	path   pcore.Path
	above  []pcore.Value // the values that path leads through
	skip   int           // the steps of path before the name of a parameter
}

// Pointer returns the RFC 6901 pointer to the leaf in the document.
func (l *Leaf) Pointer() string { return l.base + l.path.Pointer() }

// Steps returns the pointer in parts: base leads to what holds the leaf and
// names nothing but positions and members of the catalog, path leads on from
// there. Its first steps, as many as skip tells, come before the name of the
// parameter. The path is valid during the visit.
func (l *Leaf) Steps() (base string, path pcore.Path, skip int) { return l.base, l.path, l.skip }

// Location returns the place of the leaf.
func (l *Leaf) Location() catalog.Location {
	at := catalog.Location{Path: append(pcore.Path(nil), l.path[l.skip:]...)}
	if l.Resource != nil {
		at.Ref = l.Resource.Ref
	}
	return at
}

// Parameter returns the name of the parameter, or of the member, that the leaf
// stands in.
func (l *Leaf) Parameter() string {
	if len(l.path) <= l.skip {
		return ""
	}
	return stepText(l.path[l.skip])
}

// InParameter reports whether the leaf stands in the parameters of a resource.
func (l *Leaf) InParameter() bool { return l.skip > 0 }

// Name returns the nearest key that the leaf stands under: of a Hash, an
// attribute or a parameter. An element of an Array has the name of the Array,
// an argument of a Deferred has none.
func (l *Leaf) Name() string {
	for i := len(l.path) - 1; i >= 0; i-- {
		switch s := l.path[i]; s.Kind {
		case pcore.StepEntry, pcore.StepAttribute:
			return stepText(s)
		case pcore.StepArgument, pcore.StepKey:
			return ""
		case pcore.StepIndex, pcore.StepSecret:
		}
	}
	return ""
}

// Names returns the keys that lead to the leaf, the nearest first.
func (l *Leaf) Names(yield func(string) bool) {
	for i := len(l.path) - 1; i >= l.skip; i-- {
		s := l.path[i]
		if (s.Kind == pcore.StepEntry || s.Kind == pcore.StepAttribute) && !yield(stepText(s)) {
			return
		}
	}
}

// Hash returns the innermost Hash that the leaf is a value of, nil when it
// stands in none, or an Array comes between.
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

// Element returns the Array that the leaf is an element of, and its position.
func (l *Leaf) Element() (*pcore.Array, int) {
	if n := len(l.path); n > 0 && l.path[n-1].Kind == pcore.StepIndex {
		a, _ := l.above[n-1].(*pcore.Array)
		return a, l.path[n-1].Index
	}
	return nil, 0
}

// Deferred returns the innermost Deferred that the leaf is, or is part of, an
// argument of.
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
