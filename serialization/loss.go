package serialization

import (
	"slices"

	"github.com/pcatdev/pcat/pcore"
)

// LossKind tells what of a value a form cannot hold.
type LossKind string

// What can be lost.
const (
	// LostType says that a value was written as its text, or without a
	// parameter: what it was cannot be told any more.
	LostType LossKind = "type"
	// LostValue says that something else was written for a value.
	LostValue LossKind = "value"
	// LostKey says that the key of a Hash was written as another one.
	LostKey LossKind = "key"
	// LostEntry says that nothing was written of an entry of a Hash, since
	// another one has the same key by then.
	LostEntry LossKind = "entry"
	// LostMeaning says that a Hash was written as it is and will be read as
	// rich data, since it has the key `__ptype`.
	LostMeaning LossKind = "meaning"
)

// Loss is something that an [Encoder] or [Writer] could not write as it is. It
// holds the value in clear; mask it where [Loss.Secret] says so.
type Loss struct {
	// Path leads to the value from the one that is written, or from the
	// root of the document of a Writer.
	Path pcore.Path
	Kind LossKind
	// Before is the value, or the key, and After what was written for it;
	// nil when nothing was.
	Before, After pcore.Value
}

// Secret reports whether the value stands in a Sensitive, or is one.
func (l *Loss) Secret() bool {
	_, is := l.Before.(*pcore.Sensitive)
	return is || slices.ContainsFunc(l.Path, func(s pcore.Step) bool { return s.Kind == pcore.StepSecret })
}

// Lose tells OnLoss of a loss, if anybody asks; path is copied.
func (o *EncodeOptions) Lose(path pcore.Path, kind LossKind, before, after pcore.Value) {
	if o.OnLoss != nil {
		o.OnLoss(Loss{slices.Clone(path), kind, before, after})
	}
}
