package catalog

import (
	"errors"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// What can be wrong with a catalog beyond what package serialization tells.
var (
	// ErrNotCatalog tells that a document holds no catalog.
	ErrNotCatalog = errors.New("no catalog found: missing the key `resources`")
	// ErrShape tells that a part of a catalog is of another kind than it
	// must be.
	ErrShape = errors.New("unexpected type of value")
)

// Error is a failure in a catalog, with its place. It never quotes data other
// than the names in the place.
type Error struct {
	// At is the place; the zero value is the catalog as a whole.
	At Location
	// Offset is the position in the input in bytes, from 0; -1 when there is
	// none.
	Offset int64
	// Err says what is wrong. An [serialization.Error] is found in it by
	// errors.As.
	Err error
}

func (e *Error) Error() string {
	place := serialization.Error{Offset: e.Offset, Err: e.Err}
	var inner *serialization.Error
	if errors.As(e.Err, &inner) && inner.Err != nil {
		place = *inner // its path is a part of At
		place.Offset, place.Path = e.Offset, nil
	}
	if at := e.At.String(); at != "" {
		return at + ": " + place.Error()
	}
	return place.Error()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// located returns err as an *[Error] seen from outside: at is where the part
// stands that err tells about, base the offset of that part in the input, -1
// when there is none. An error that names its resource already stays.
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
			e.Err = serialization.Within(err, base, nil) // lines of the part are not those of the input
		}
	}
	e.At = at.Join(e.At.Path)
	return e
}

// UntilMember returns err, about a document whose catalogs could not be read so far
// that it is known which parameters are sensitive. Where its path leads into a
// parameter, or into another member of a resource, it ends there, and the words of an
// error that may quote a value are left out: all of it may be secret. Nil stays nil.
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

// memberLen returns how much of a path, from a document, leads to a member of a
// resource.
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

// discreet returns err with another path, and without the words of an error that may
// quote a value: those of types and their constructors.
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

// path makes a path of names and positions.
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
