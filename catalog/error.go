package catalog

import (
	"errors"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Errors of catalogs, in addition to the errors of package serialization.
var (
	// ErrNotCatalog tells that a document holds no catalog.
	ErrNotCatalog = errors.New("no catalog found: missing the key `resources`")
	// ErrShape tells that a part of a catalog is of another kind than it
	// must be.
	ErrShape = errors.New("unexpected type of value")
)

// Error is a failure in a catalog with its location. It never quotes data other
// than the names in the location.
type Error struct {
	// At is the location; the zero value is the whole catalog.
	At Location
	// Offset is the position in the input in bytes, from 0, or -1 if unknown.
	Offset int64
	// Err is the cause. It may wrap a [serialization.Error].
	Err error
}

func (e *Error) Error() string {
	location := serialization.Error{Offset: e.Offset, Err: e.Err}
	var inner *serialization.Error
	if errors.As(e.Err, &inner) && inner.Err != nil {
		location = *inner // its path is a part of At
		location.Offset, location.Path = e.Offset, nil
	}
	if at := e.At.String(); at != "" {
		return at + ": " + location.Error()
	}
	return location.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// located returns err as an *[Error] with a location in the whole catalog: at
// is the location of the part in which err occurred, and base is the offset of
// that part in the input, or -1 if unknown. An error that already names its
// resource is returned unchanged.
func located(err error, at Location, base int64) error {
	if err == nil {
		return nil
	}
	e := &Error{Offset: base, Err: err}
	var known *Error
	var inner *serialization.Error
	switch {
	case errors.As(err, &known):
		if !known.At.Ref.IsZero() {
			return err
		}
		*e = *known
	case errors.As(err, &inner):
		e.At.Path = inner.Path
		if base >= 0 && inner.Offset >= 0 {
			e.Offset = base + inner.Offset
		}
		if base > 0 {
			e.Err = codec.Within(err, base, nil) // line numbers of the part are not those of the input
		}
	}
	e.At = at.Join(e.At.Path)
	return e
}

// UntilMember restricts err, an error in a document whose sensitive parameters
// are not known yet, to text that cannot be secret. A path into a parameter, or
// into another member of a resource, ends at that member, and the text of an
// error that may quote a value is removed. It returns nil if err is nil.
func UntilMember(err error) error {
	var inner *serialization.Error
	if !errors.As(err, &inner) {
		return err
	}
	if n := memberLen(inner.Path); n < len(inner.Path) {
		return discreet(inner, inner.Path[:n])
	}
	return err
}

// memberLen returns the length of the prefix of p, a path from a document, that
// leads to a member of a resource.
func memberLen(p pcore.Path) int {
	n := len(p)
	for i, step := range p {
		switch step.Key {
		case pcore.String(keyParameters):
			return min(i+2, len(p))
		case pcore.String("resources"):
			n = min(i+3, len(p))
		}
	}
	return n
}

// discreet returns err with another path and without text that may quote a
// value, which errors of types and their constructors contain.
func discreet(err *serialization.Error, path pcore.Path) error {
	clean := *err
	clean.Path = path
	for _, kind := range []error{serialization.ErrUnknownType, serialization.ErrReference, serialization.ErrValue} {
		if errors.Is(err.Err, kind) {
			clean.Err = kind
		}
	}
	return &clean
}

// path returns the path of the given names and positions.
func path(steps ...any) pcore.Path {
	var p pcore.Path
	for _, s := range steps {
		switch s := s.(type) {
		case string:
			p = p.Key(s)
		case int:
			p = p.Index(s)
		}
	}
	return p
}
