package richdata

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/timefmt"
	"github.com/pcatdev/pcat/serialization"
)

// newScalar returns the value of the scalar type called name that text stands
// for, as rich data has most of them; known is false for every other name. The
// text may be secret, so no error quotes it.
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
		return nil, true, fmt.Errorf("%w: the text is no %s", serialization.ErrValue, name)
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
