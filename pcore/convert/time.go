package convert

import (
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/timefmt"
	"github.com/pcatdev/pcat/pcore"
)

func timespanConstructor() constructor {
	return constructor{
		name: "new_timespan",
		ways: []way{
			by(timespanOfSeconds, "seconds"),
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				return parseTimespan(args[0], argument(args, 1))
			}, "string", "format"),
			by(timespanOfFields, "days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"),
			by(func(_ *Converter, args []pcore.Value) (pcore.Value, error) {
				h := args[0].(*pcore.Hash)
				return parseTimespan(member(h, "string"), member(h, "format"))
			}, "hash_arg"),
			by(timespanOfHash, "hash_arg"),
		},
	}
}

func timespanOfSeconds(_ *Converter, args []pcore.Value) (pcore.Value, error) {
	switch v := args[0].(type) {
	case pcore.Integer:
		return timespan(timefmt.NewSpan(int64(v), 0))
	case pcore.Float:
		return timespan(timefmt.SpanFromSeconds(float64(v)))
	default:
		return nil, timefmt.ErrRange // a BigInteger
	}
}

func timespan(d timefmt.Span, err error) (pcore.Value, error) {
	if err != nil {
		return nil, err
	}
	return pcore.NewTimespan(d.Whole(), int64(d.Nanosecond())), nil
}

// parseTimespan parses a text with the first format that matches. An invalid
// format is an error only if no earlier format matches.
func parseTimespan(text, format pcore.Value) (pcore.Value, error) {
	var formats []*timefmt.SpanFormat
	var bad error
	for _, source := range texts(format) {
		f, err := timefmt.NewSpanFormat(source)
		if err != nil {
			bad = err
			break
		}
		formats = append(formats, f)
	}
	if bad != nil && len(formats) == 0 {
		return nil, bad
	}
	v, err := timespan(timefmt.ParseSpan(string(text.(pcore.String)), formats...))
	if err != nil && bad != nil {
		err = bad
	}
	return v, err
}

// texts returns formats given as one String or several; it returns none for
// nil.
func texts(format pcore.Value) []string {
	switch format := format.(type) {
	case pcore.String:
		return []string{string(format)}
	case *pcore.Array:
		list := make([]string, 0, format.Len())
		for e := range format.Values() {
			list = append(list, string(e.(pcore.String)))
		}
		return list
	default:
		return nil
	}
}

func timespanOfFields(_ *Converter, args []pcore.Value) (pcore.Value, error) {
	var f timefmt.Fields
	fields := []*int64{&f.Days, &f.Hours, &f.Minutes, &f.Seconds, &f.Milliseconds, &f.Microseconds, &f.Nanoseconds}
	for i, v := range args {
		if err := setField(fields[i], v); err != nil {
			return nil, err
		}
	}
	return timespan(f.Span())
}

func timespanOfHash(_ *Converter, args []pcore.Value) (pcore.Value, error) {
	var f timefmt.Fields
	fields := map[string]*int64{
		"days": &f.Days, "hours": &f.Hours, "minutes": &f.Minutes, "seconds": &f.Seconds,
		"milliseconds": &f.Milliseconds, "microseconds": &f.Microseconds, "nanoseconds": &f.Nanoseconds,
	}
	for k, v := range args[0].(*pcore.Hash).All() {
		name := string(k.(pcore.String))
		if name == "negative" {
			f.Negative = bool(v.(pcore.Boolean))
			continue
		}
		if err := setField(fields[name], v); err != nil {
			return nil, err
		}
	}
	return timespan(f.Span())
}

func setField(field *int64, v pcore.Value) error {
	n, ok := v.(pcore.Integer)
	if !ok { // a BigInteger
		return timefmt.ErrRange
	}
	*field = int64(n)
	return nil
}

func timestampConstructor() constructor {
	return constructor{
		name: "new_timestamp",
		ways: []way{
			by(func(c *Converter, _ []pcore.Value) (pcore.Value, error) {
				return timestamp(timefmt.InstantOf(c.now()), nil)
			}),
			by(timestampOfSeconds, "seconds"),
			by(func(c *Converter, args []pcore.Value) (pcore.Value, error) {
				return c.parseTimestamp(args[0], argument(args, 1), argument(args, 2))
			}, "string", "format", "timezone"),
			by(func(c *Converter, args []pcore.Value) (pcore.Value, error) {
				h := args[0].(*pcore.Hash)
				return c.parseTimestamp(member(h, "string"), member(h, "format"), member(h, "timezone"))
			}, "hash_arg"),
		},
	}
}

func timestampOfSeconds(_ *Converter, args []pcore.Value) (pcore.Value, error) {
	switch v := args[0].(type) {
	case pcore.Integer:
		return timestamp(timefmt.NewInstant(int64(v), 0))
	case pcore.Float:
		return timestamp(timefmt.InstantFromSeconds(float64(v)))
	default:
		return nil, timefmt.ErrRange // a BigInteger
	}
}

func timestamp(t timefmt.Instant, err error) (pcore.Value, error) {
	if err != nil {
		return nil, err
	}
	return pcore.NewTimestamp(t.Unix(), int64(t.Nanosecond())), nil
}

func (c *Converter) parseTimestamp(text, format, timezone pcore.Value) (pcore.Value, error) {
	zone, err := c.zone(timezone)
	if err != nil {
		return nil, err
	}
	// The error about one format says why it does not match; that about a list names the formats.
	if single, ok := format.(pcore.String); ok {
		return timestamp(timefmt.NewInstantFormat(string(single)).Parse(string(text.(pcore.String)), zone))
	}
	sources := texts(format)
	formats := make([]*timefmt.InstantFormat, len(sources))
	for i, source := range sources {
		formats[i] = timefmt.NewInstantFormat(source)
	}
	return timestamp(timefmt.ParseInstant(string(text.(pcore.String)), zone, formats...))
}

// zone returns the time zone with the given name; "current" is the zone of the
// clock.
func (c *Converter) zone(timezone pcore.Value) (timefmt.Zone, error) {
	name, _ := timezone.(pcore.String)
	if strings.EqualFold(string(name), "current") {
		name = pcore.String(c.now().Format("-07:00"))
	}
	return timefmt.ParseZone(string(name))
}

// spanOf returns a duration for calculations.
func spanOf(v pcore.Timespan) timefmt.Span {
	d, _ := timefmt.NewSpan(v.Seconds(), int64(v.Nanosecond())) // it is in range
	return d
}

// instantOf returns a time for calculations.
func instantOf(v pcore.Timestamp) timefmt.Instant {
	t, _ := timefmt.NewInstant(v.Unix(), int64(v.Nanosecond())) // it is in range
	return t
}
