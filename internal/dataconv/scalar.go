package dataconv

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/internal/ruby/timefmt"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// scalars caches values that are expensive to parse and often repeated: the
// values with a grammar. The zero value is empty.
type scalars struct{ known map[wrappedText]pcore.Value }

type wrappedText struct{ name, text string }

const (
	// maxScalars is the maximum number of cached values, and maxScalarText the
	// maximum length of their text in bytes.
	maxScalars    = 256
	maxScalarText = 256
)

// value is newScalar with a cache.
func (s *scalars) value(name, text string) (v pcore.Value, known bool, err error) {
	switch name {
	case "Regexp", "SemVerRange", "URI":
	default:
		return newScalar(name, text)
	}
	key := wrappedText{name, text}
	if v, ok := s.known[key]; ok {
		return another(v), true, nil
	}
	if v, known, err = newScalar(name, text); err == nil && len(text) <= maxScalarText {
		s.remember(key, v)
	}
	return v, known, err
}

// another returns an equal value with another identity. Otherwise forms that
// write an object once would take two values for one.
func another(v pcore.Value) pcore.Value {
	switch v := v.(type) {
	case *pcore.Regexp:
		return pcore.NewRegexp(v.Source())
	case *pcore.SemVerRange:
		again := *v
		return &again
	case *pcore.URI:
		again := *v
		return &again
	default:
		return v
	}
}

func (s *scalars) remember(key wrappedText, v pcore.Value) {
	switch {
	case s.known == nil:
		s.known = map[wrappedText]pcore.Value{}
	case len(s.known) == maxScalars:
		clear(s.known)
	}
	s.known[key] = v
}

// newScalar parses text as a value of the scalar type called name; known is
// false for every other name. Errors do not quote the text, because it may be
// secret.
func newScalar(name, text string) (v pcore.Value, known bool, err error) {
	switch name {
	case "Binary":
		v, err = pcore.ParseBinary(text)
	case "Regexp":
		v, err = pcore.ParseRegexp(text)
	case "SemVer":
		v, err = pcore.ParseSemVer(text)
	case "SemVerRange":
		v, err = newSemVerRange(text)
	case "String":
		v = pcore.String(text)
	case "Timespan":
		v, err = newTimespan(text)
	case "Timestamp":
		v, err = newTimestamp(text)
	case "URI":
		v, err = newURI(text)
	default:
		return nil, false, nil
	}
	if err != nil {
		return nil, true, fmt.Errorf("%w: the text is not a valid %s", serialization.ErrValue, name)
	}
	return v, true, nil
}

func newTimestamp(text string) (pcore.Value, error) {
	t, err := timefmt.ParseInstant(text, timefmt.Zone{})
	return pcore.NewTimestamp(t.Unix(), int64(t.Nanosecond())), err
}

func newTimespan(text string) (pcore.Value, error) {
	d, err := timefmt.ParseSpan(text)
	return pcore.NewTimespan(d.Whole(), int64(d.Nanosecond())), err
}

var errEmpty = errors.New("the text is empty")

func newURI(text string) (pcore.Value, error) {
	if text == "" {
		return nil, errEmpty
	}
	return pcore.ParseURI(text)
}

func newSemVerRange(text string) (pcore.Value, error) {
	if text == "" {
		return nil, errEmpty
	}
	return pcore.ParseSemVerRange(text)
}
