package pcore

import (
	"fmt"

	"github.com/pcatdev/pcat/internal/ruby/timefmt"
)

// timespanOf returns a bound of a Timespan type from a Timespan, a text, a
// number of seconds, or a hash of fields.
func timespanOf(v Value) (Timespan, error) {
	switch v := v.(type) {
	case Timespan, String, Integer, Float:
		return timespanFrom(v)
	case *Hash:
		return timespanOfHash(v)
	default:
		return Timespan{}, fmt.Errorf("%w: a Timespan cannot be made of a value of type %s", errParameter, kindOf(v))
	}
}

func kindOf(v Value) Type { return Generalize(Infer(v)) }

func timespanOfHash(h *Hash) (Timespan, error) {
	if text, ok := h.GetString("string"); ok {
		s, ok := text.(String)
		if !ok {
			return Timespan{}, fmt.Errorf("%w: the string of a Timespan is of type %s", errParameter, kindOf(text))
		}
		formats, err := formatsOf(h, timefmt.NewSpanFormat)
		if err != nil {
			return Timespan{}, err
		}
		d, err := timefmt.ParseSpan(string(s), formats...)
		return NewTimespan(d.Whole(), int64(d.Nanosecond())), err
	}
	var f timefmt.Fields
	parts := map[string]*int64{
		"days": &f.Days, "hours": &f.Hours, "minutes": &f.Minutes, "seconds": &f.Seconds,
		"milliseconds": &f.Milliseconds, "microseconds": &f.Microseconds, "nanoseconds": &f.Nanoseconds,
	}
	for k, v := range h.All() {
		name, _ := k.(String)
		n, ok := v.(Integer)
		switch part := parts[string(name)]; {
		case part != nil && ok:
			*part = int64(n)
		case name == "negative":
			f.Negative = v == Value(Boolean(true))
		default:
			return Timespan{}, fmt.Errorf("%w: a Timespan has no part %s of type %s", errParameter, k, kindOf(v))
		}
	}
	d, err := f.Span()
	return NewTimespan(d.Whole(), int64(d.Nanosecond())), err
}

// timestampOf returns a bound of a Timestamp type from a Timestamp, a text, a
// number of seconds since 1970, or a hash with a text and its formats.
func timestampOf(v Value) (Timestamp, error) {
	switch v := v.(type) {
	case Timestamp, String, Integer, Float:
		return timestampFrom(v)
	case *Hash:
		return timestampOfHash(v)
	default:
		return Timestamp{}, fmt.Errorf("%w: a Timestamp cannot be made of a value of type %s", errParameter, kindOf(v))
	}
}

func timestampOfHash(h *Hash) (Timestamp, error) {
	text, _ := h.GetString("string")
	s, ok := text.(String)
	if !ok {
		return Timestamp{}, fmt.Errorf("%w: a Timestamp needs the member string, a String", errParameter)
	}
	formats, err := formatsOf(h, func(source string) (*timefmt.InstantFormat, error) {
		return timefmt.NewInstantFormat(source), nil
	})
	if err != nil {
		return Timestamp{}, err
	}
	var zone timefmt.Zone
	if name, ok := h.GetString("timezone"); ok {
		z, _ := name.(String)
		if zone, err = timefmt.ParseZone(string(z)); err != nil {
			return Timestamp{}, err
		}
	}
	t, err := timefmt.ParseInstant(string(s), zone, formats...)
	return NewTimestamp(t.Unix(), int64(t.Nanosecond())), err
}

// formatsOf returns the formats in the member "format": one, or a list.
func formatsOf[F any](h *Hash, compile func(string) (F, error)) ([]F, error) {
	v, ok := h.GetString("format")
	if !ok {
		return nil, nil
	}
	var formats []F
	for _, source := range flatten(nil, []Value{v}) {
		s, ok := source.(String)
		if !ok {
			return nil, fmt.Errorf("%w: a format is a String, not of type %s", errParameter, kindOf(source))
		}
		f, err := compile(string(s))
		if err != nil {
			return nil, err
		}
		formats = append(formats, f)
	}
	return formats, nil
}
