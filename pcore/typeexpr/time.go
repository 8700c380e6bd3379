package typeexpr

import (
	"fmt"

	"github.com/pcatdev/pcat/internal/ruby/timefmt"
	"github.com/pcatdev/pcat/pcore"
)

// timespanOf returns a bound of a Timespan type from a Timespan, a text, a
// number of seconds, or a hash of fields.
func timespanOf(v pcore.Value) (pcore.Timespan, error) {
	switch v := v.(type) {
	case pcore.Timespan, pcore.String, pcore.Integer, pcore.Float:
		return pcore.TimespanFrom(v)
	case *pcore.Hash:
		return timespanOfHash(v)
	default:
		return pcore.Timespan{}, fmt.Errorf("%w: a Timespan cannot be made of a value of type %s", errParameter, kindOf(v))
	}
}

func kindOf(v pcore.Value) pcore.Type { return pcore.Generalize(pcore.Infer(v)) }

func timespanOfHash(h *pcore.Hash) (pcore.Timespan, error) {
	if text, ok := h.GetString("string"); ok {
		s, ok := text.(pcore.String)
		if !ok {
			return pcore.Timespan{}, fmt.Errorf("%w: the string of a Timespan is of type %s", errParameter, kindOf(text))
		}
		formats, err := formatsOf(h, timefmt.NewSpanFormat)
		if err != nil {
			return pcore.Timespan{}, err
		}
		d, err := timefmt.ParseSpan(string(s), formats...)
		return pcore.NewTimespan(d.Whole(), int64(d.Nanosecond())), err
	}
	var f timefmt.Fields
	parts := map[string]*int64{
		"days": &f.Days, "hours": &f.Hours, "minutes": &f.Minutes, "seconds": &f.Seconds,
		"milliseconds": &f.Milliseconds, "microseconds": &f.Microseconds, "nanoseconds": &f.Nanoseconds,
	}
	for k, v := range h.All() {
		name, _ := k.(pcore.String)
		n, ok := v.(pcore.Integer)
		switch part := parts[string(name)]; {
		case part != nil && ok:
			*part = int64(n)
		case name == "negative":
			f.Negative = v == pcore.Value(pcore.Boolean(true))
		default:
			return pcore.Timespan{}, fmt.Errorf("%w: a Timespan has no part %s of type %s", errParameter, k, kindOf(v))
		}
	}
	d, err := f.Span()
	return pcore.NewTimespan(d.Whole(), int64(d.Nanosecond())), err
}

// timestampOf returns a bound of a Timestamp type from a Timestamp, a text, a
// number of seconds since 1970, or a hash with a text and its formats.
func timestampOf(v pcore.Value) (pcore.Timestamp, error) {
	switch v := v.(type) {
	case pcore.Timestamp, pcore.String, pcore.Integer, pcore.Float:
		return pcore.TimestampFrom(v)
	case *pcore.Hash:
		return timestampOfHash(v)
	default:
		return pcore.Timestamp{}, fmt.Errorf("%w: a Timestamp cannot be made of a value of type %s", errParameter, kindOf(v))
	}
}

func timestampOfHash(h *pcore.Hash) (pcore.Timestamp, error) {
	text, _ := h.GetString("string")
	s, ok := text.(pcore.String)
	if !ok {
		return pcore.Timestamp{}, fmt.Errorf("%w: a Timestamp needs the member string, a String", errParameter)
	}
	formats, err := formatsOf(h, func(source string) (*timefmt.InstantFormat, error) {
		return timefmt.NewInstantFormat(source), nil
	})
	if err != nil {
		return pcore.Timestamp{}, err
	}
	var zone timefmt.Zone
	if name, ok := h.GetString("timezone"); ok {
		z, _ := name.(pcore.String)
		if zone, err = timefmt.ParseZone(string(z)); err != nil {
			return pcore.Timestamp{}, err
		}
	}
	t, err := timefmt.ParseInstant(string(s), zone, formats...)
	return pcore.NewTimestamp(t.Unix(), int64(t.Nanosecond())), err
}

// formatsOf returns the formats in the member "format": one, or a list.
func formatsOf[F any](h *pcore.Hash, compile func(string) (F, error)) ([]F, error) {
	v, ok := h.GetString("format")
	if !ok {
		return nil, nil
	}
	var formats []F
	for _, source := range flatten(nil, []pcore.Value{v}) {
		s, ok := source.(pcore.String)
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
