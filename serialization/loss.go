package serialization

import (
	"slices"

	"github.com/pcatdev/pcat/pcore"
)

// LossKind is the kind of information that a format cannot represent.
type LossKind string

// Kinds of loss.
const (
	// LostType means that a value was written as text, or without a type
	// parameter, so its type cannot be recovered.
	LostType LossKind = "type"
	// LostValue means that another value was written.
	LostValue LossKind = "value"
	// LostKey means that another key was written for a key of a Hash.
	LostKey LossKind = "key"
	// LostEntry means that an entry of a Hash was omitted because another entry
	// has the same key after conversion.
	LostEntry LossKind = "entry"
	// LostMeaning means that a Hash has the key `__ptype` and will be read as
	// rich data.
	LostMeaning LossKind = "meaning"
)

// Loss is information that an [Encoder] or [Writer] could not represent. It
// contains the value in plain text; mask it if [Loss.Secret] reports true.
type Loss struct {
	// Path leads to the value from the root: the value being encoded or, for a
	// Writer, the document.
	Path pcore.Path
	Kind LossKind
	// Before is the value or key, and After is its replacement, or nil if
	// nothing was written.
	Before, After pcore.Value
}

// Secret reports whether the value is a Sensitive or inside one.
func (l *Loss) Secret() bool {
	_, is := l.Before.(*pcore.Sensitive)
	return is || slices.ContainsFunc(l.Path, func(s pcore.Step) bool { return s.Kind == pcore.StepSecret })
}
