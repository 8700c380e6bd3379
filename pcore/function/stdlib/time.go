package stdlib

import (
	"github.com/pcatdev/pcat/internal/ruby/timefmt"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func timeFunctions() []function.Function {
	return []function.Function{{
		Name:    "strftime",
		Doc:     "Returns a Timestamp, in a time zone, or a Timespan written by a format. Without either, the time of day is written.",
		Effects: function.ReadsClock,
		Dispatches: []function.Dispatch{
			on("Timespan time_object, String format", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				return formatSpan(args[0].(pcore.Timespan), str(args[1]))
			}),
			on("Timestamp time_object, String format, String timezone?", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				t := args[0].(pcore.Timestamp)
				i, err := timefmt.NewInstant(t.Unix(), int64(t.Nanosecond()))
				if err != nil {
					return nil, err
				}
				return formatInstant(i, str(args[1]), optional(args, 2))
			}),
			on("String format, String timezone?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				deprecatedHere(c, "The argument signature (String format, [String timezone]) is deprecated for #strftime. See #strftime documentation and Timespan type for more info")
				return formatInstant(timefmt.InstantOf(c.Time()), str(args[0]), optional(args, 1))
			}),
		},
	}}
}

func formatSpan(d pcore.Timespan, format string) (pcore.Value, error) {
	f, err := timefmt.NewSpanFormat(format)
	if err != nil {
		return nil, err
	}
	span, err := timefmt.NewSpan(d.Seconds(), int64(d.Nanosecond()))
	if err != nil {
		return nil, err
	}
	return pcore.String(f.Format(span)), nil
}

func formatInstant(t timefmt.Instant, format string, zone pcore.Value) (pcore.Value, error) {
	var z timefmt.Zone
	if name, ok := zone.(pcore.String); ok {
		var err error
		if z, err = timefmt.ParseZone(string(name)); err != nil {
			return nil, err
		}
	}
	s, err := timefmt.NewInstantFormat(format).Format(t, z)
	return pcore.String(s), err
}
