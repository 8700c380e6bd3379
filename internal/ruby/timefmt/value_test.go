package timefmt_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/ruby/timefmt"
)

func TestFloats(t *testing.T) {
	for _, c := range lines[struct {
		Float, Back float64
		Sec, Nsec   int64
		Error       bool
	}](t, "floats.jsonl") {
		d, err := timefmt.SpanFromSeconds(c.Float)
		if !want(t, err, c.Error, "%g s", c.Float) {
			continue
		}
		if d != span(t, c.Sec, c.Nsec) || d.Seconds() != c.Back {
			t.Errorf("%g s = %v = %g s, want %v = %g s", c.Float, d, d.Seconds(), span(t, c.Sec, c.Nsec), c.Back)
		}
		i, err := timefmt.InstantFromSeconds(c.Float)
		if err != nil || i != instant(t, c.Sec, c.Nsec) || i.Seconds() != c.Back {
			t.Errorf("%g s from 1970 = %v = %g s, %v", c.Float, i, i.Seconds(), err)
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := timefmt.SpanFromSeconds(f); !errors.Is(err, timefmt.ErrRange) {
			t.Errorf("%g s: error %v", f, err)
		}
	}
}

func TestArithmetic(t *testing.T) {
	type pair = *[2]int64
	for _, c := range lines[struct {
		A, B                                        [2]int64
		N                                           int64
		X                                           float64
		Add, Sub, Neg, Mul, MulFloat, Div, DivFloat pair
		Ratio                                       *float64
	}](t, "arithmetic.jsonl") {
		a, b := span(t, c.A[0], c.A[1]), span(t, c.B[0], c.B[1])
		check := func(want pair, what string, got timefmt.Span, err error) {
			t.Helper()
			switch {
			case want == nil && !errors.Is(err, timefmt.ErrRange):
				t.Errorf("%v and %v, %d, %g: %s = %v, %v, want out of range", a, b, c.N, c.X, what, got, err)
			case want != nil && (err != nil || got != span(t, want[0], want[1])):
				t.Errorf("%v and %v, %d, %g: %s = %v, %v, want %v", a, b, c.N, c.X, what, got, err, span(t, want[0], want[1]))
			}
		}
		do := func(want pair, what string, op func() (timefmt.Span, error)) {
			t.Helper()
			got, err := op()
			check(want, what, got, err)
		}
		do(c.Add, "sum", func() (timefmt.Span, error) { return a.Add(b) })
		do(c.Sub, "difference", func() (timefmt.Span, error) { return a.Sub(b) })
		do(c.Neg, "negative", a.Neg)
		do(c.Mul, "product", func() (timefmt.Span, error) { return a.Mul(c.N) })
		do(c.MulFloat, "float product", func() (timefmt.Span, error) { return a.MulFloat(c.X) })
		do(c.Div, "quotient", func() (timefmt.Span, error) { return a.Div(c.N) })
		do(c.DivFloat, "float quotient", func() (timefmt.Span, error) { return a.DivFloat(c.X) })
		ratio := a.Ratio(b)
		if c.Ratio == nil && !math.IsNaN(ratio) && !math.IsInf(ratio, 0) || c.Ratio != nil && ratio != *c.Ratio {
			t.Errorf("%v / %v = %g", a, b, ratio)
		}
	}
}

func TestFields(t *testing.T) {
	for _, c := range []struct {
		fields timefmt.Fields
		want   string // "" if out of range
	}{
		{timefmt.Fields{}, "0-00:00:00.0"},
		{timefmt.Fields{Days: 1, Hours: 2, Minutes: 3, Seconds: 4, Milliseconds: 5, Microseconds: 6, Nanoseconds: 7}, "1-02:03:04.005006007"},
		{timefmt.Fields{Negative: true, Days: 1, Hours: 2}, "-1-02:00:00.0"},
		{timefmt.Fields{Days: -1, Seconds: 1}, "-0-23:59:59.0"},
		{timefmt.Fields{Negative: true, Milliseconds: -1500}, "0-00:00:01.5"},
		{timefmt.Fields{Hours: 49, Minutes: 61}, "2-02:01:00.0"},
		{timefmt.Fields{Nanoseconds: math.MaxInt64}, "106751-23:47:16.854775807"},
		{timefmt.Fields{Days: math.MaxInt64, Hours: math.MinInt64, Minutes: math.MinInt64}, ""},
		{timefmt.Fields{Days: math.MaxInt64}, ""},
	} {
		d, err := c.fields.Span()
		if c.want == "" && !errors.Is(err, timefmt.ErrRange) || c.want != "" && (err != nil || d.String() != c.want) {
			t.Errorf("%+v = %v, %v, want %s", c.fields, d, err, c.want)
		}
	}
}

func TestRange(t *testing.T) {
	first, last := instant(t, math.MinInt64, 0), instant(t, math.MaxInt64, 999_999_999)
	nanosecond, negative := span(t, 0, 1), span(t, 0, -1)
	if _, err := last.Add(nanosecond); !errors.Is(err, timefmt.ErrRange) {
		t.Errorf("after the last instant: %v", err)
	}
	if _, err := first.Add(negative); !errors.Is(err, timefmt.ErrRange) {
		t.Errorf("before the first instant: %v", err)
	}
	if _, err := last.Sub(first); !errors.Is(err, timefmt.ErrRange) {
		t.Errorf("from the first instant to the last: %v", err)
	}
	for _, c := range [][2]int64{{math.MaxInt64, 1e9}, {math.MinInt64, -1}, {math.MaxInt64, math.MaxInt64}} {
		if _, err := timefmt.NewInstant(c[0], c[1]); !errors.Is(err, timefmt.ErrRange) {
			t.Errorf("NewInstant(%d, %d): %v", c[0], c[1], err)
		}
	}
	if d := span(t, 1, -1); d.Whole() != 0 || d.Nanosecond() != 999_999_999 {
		t.Errorf("a second less a nanosecond is %v", d)
	}
}

func TestZones(t *testing.T) {
	format := timefmt.NewInstantFormat("%F %T %Z")
	for _, c := range lines[struct {
		Name   string
		Offset int64
	}](t, "zones.jsonl") {
		got, err := format.Parse("2000-01-01 00:00:00 "+c.Name, timefmt.Zone{})
		if want := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Unix() - c.Offset; err != nil || got.Unix() != want {
			t.Errorf("midnight %s is %v, %v, want %d", c.Name, got, err, want)
		}
	}
}

func TestCurrentZone(t *testing.T) {
	zone, err := timefmt.ParseZone("Current")
	if err != nil || !zone.IsSet() {
		t.Fatalf("the current zone is %v, %v", zone, err)
	}
	_, offset := time.Now().Zone()
	if got, err := timefmt.NewInstantFormat("%s %T").Parse("0 00:00:00", zone); !errors.Is(err, timefmt.ErrNoYear) {
		t.Errorf("a time without a year is %v, %v", got, err)
	}
	if got, err := timefmt.NewInstantFormat("%Y").Parse("1970", zone); err != nil || got.Unix() != -int64(offset) {
		t.Errorf("the beginning of 1970 here is %v, %v", got, err)
	}
}

func TestErrors(t *testing.T) {
	var zoneErr *timefmt.ZoneError
	if _, err := timefmt.ParseZone("Europe/Berlin"); !errors.As(err, &zoneErr) || zoneErr.Name != "Europe/Berlin" {
		t.Errorf("unknown zone: %v", err)
	}
	far, err := timefmt.ParseZone("+30:00")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := timefmt.NewInstantFormat("%T").Format(timefmt.Instant{}, far); !errors.As(err, &zoneErr) || !zoneErr.Format {
		t.Errorf("zone too far: %v", err)
	}
	var parseErr *timefmt.ParseError
	if _, err := timefmt.ParseInstant("yesterday", timefmt.Zone{}); !errors.As(err, &parseErr) || len(parseErr.Formats) != 10 {
		t.Errorf("no instant: %v", err)
	}
	if _, err := timefmt.ParseSpan("soon"); !errors.As(err, &parseErr) || len(parseErr.Formats) != 8 {
		t.Errorf("no span: %v", err)
	}
	utc, err := timefmt.ParseZone("UTC")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := timefmt.NewInstantFormat("%F %Z").Parse("2016-01-01 CET", utc); !errors.Is(err, timefmt.ErrTwoZones) {
		t.Errorf("two zones: %v", err)
	}
	var formatErr *timefmt.FormatError
	if _, err := timefmt.NewSpanFormat("é%5Q"); !errors.As(err, &formatErr) || formatErr.Spec != "%5" || formatErr.Position != 3 {
		t.Errorf("bad directive: %v", err)
	}
	if _, err := timefmt.NewInstantFormat("100%").Format(timefmt.Instant{}, utc); !errors.As(err, &formatErr) {
		t.Errorf("incomplete directive: %v", err)
	}
	if got, err := timefmt.NewInstantFormat("%Y 100%").Parse("2016 100%", utc); err != nil || got.Unix() != 1451606400 {
		t.Errorf("a format for parsing only: %v, %v", got, err)
	}
}

// TestLimits checks that a short format cannot produce a long text.
func TestLimits(t *testing.T) {
	var formatErr *timefmt.FormatError
	for _, f := range []string{"%999999999N", strings.Repeat("%600000d", 2), "%2000000z"} {
		if _, err := timefmt.NewInstantFormat(f).Format(timefmt.Instant{}, timefmt.Zone{}); !errors.As(err, &formatErr) {
			t.Errorf("%s: error %v", f, err)
		}
	}
	for _, f := range []string{"%999999999N", strings.Repeat("%600000S", 2), "%99999999999999999999D"} {
		if _, err := timefmt.NewSpanFormat(f); !errors.As(err, &formatErr) {
			t.Errorf("%s: error %v", f, err)
		}
	}
	wide, err := timefmt.NewSpanFormat("%2000S")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wide.Parse("1"); !errors.As(err, &formatErr) {
		t.Errorf("a wide number is parsed: %v", err)
	}
}

func TestZeroFormats(t *testing.T) {
	var spans timefmt.SpanFormat
	if d, err := spans.Parse(""); err != nil || d != (timefmt.Span{}) || spans.Format(span(t, -1, 0)) != "-" {
		t.Errorf("the empty format parses %v, %v and prints %q", d, err, spans.Format(span(t, -1, 0)))
	}
	var instants timefmt.InstantFormat
	if text, err := instants.Format(instant(t, 5, 0), timefmt.Zone{}); err != nil || text != "" {
		t.Errorf("the empty format prints %q, %v", text, err)
	}
}

var anySpan = rapid.Custom(func(t *rapid.T) timefmt.Span {
	d, err := timefmt.NewSpan(rapid.Int64().Draw(t, "sec"), rapid.Int64Range(0, 999_999_999).Draw(t, "nsec"))
	if err != nil {
		t.Fatal(err)
	}
	return d
})

var anyInstant = rapid.Custom(func(t *rapid.T) timefmt.Instant {
	i, err := timefmt.NewInstant(rapid.Int64().Draw(t, "sec"), rapid.Int64Range(0, 999_999_999).Draw(t, "nsec"))
	if err != nil {
		t.Fatal(err)
	}
	return i
})

func TestDefaultFormsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, i := anySpan.Draw(t, "span"), anyInstant.Draw(t, "instant")
		if back, err := timefmt.ParseSpan(d.String()); err != nil || back != d {
			t.Fatalf("%v reads back as %v, %v", d, back, err)
		}
		if back, err := timefmt.ParseInstant(i.String(), timefmt.Zone{}); err != nil || back != i {
			t.Fatalf("%v reads back as %v, %v", i, back, err)
		}
	})
}

// TestInstantAgreesWithTime compares with the standard library in the years
// that both support.
func TestInstantAgreesWithTime(t *testing.T) {
	f := timefmt.NewInstantFormat("%FT%T.%N|%a %b %e %j %G-%V %I%p %y")
	rapid.Check(t, func(t *rapid.T) {
		first, last := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix()
		std := time.Unix(rapid.Int64Range(first, last).Draw(t, "sec"), rapid.Int64Range(0, 999_999_999).Draw(t, "nsec")).UTC()
		got, err := f.Format(timefmt.InstantOf(std), timefmt.Zone{})
		if err != nil {
			t.Fatal(err)
		}
		year, week := std.ISOWeek()
		want := std.Format("2006-01-02T15:04:05.000000000|Mon Jan _2 002 ") + digits(year, 4) + "-" + digits(week, 2) + std.Format(" 03PM 06")
		if got != want {
			t.Fatalf("%v = %q, want %q", std, got, want)
		}
		if back := timefmt.InstantOf(std).Time(); !back.Equal(std) {
			t.Fatalf("%v comes back as %v", std, back)
		}
	})
}

func digits(n, width int) string {
	text := []byte(strings.Repeat("0", width))
	for i := width - 1; i >= 0; i-- {
		text[i] += byte(n % 10)
		n /= 10
	}
	return string(text)
}

func TestCompareAndSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i, d := anyInstant.Draw(t, "i"), anySpan.Draw(t, "d")
		later, err := i.Add(d)
		if err != nil {
			return
		}
		if later.Compare(i) != d.Compare(timefmt.Span{}) {
			t.Fatalf("%v + %v = %v", i, d, later)
		}
		if back, err := later.Sub(i); err != nil || back != d {
			t.Fatalf("%v - %v = %v, %v, want %v", later, i, back, err, d)
		}
	})
}

func FuzzInstantFormat(f *testing.F) {
	for _, c := range lines[struct{ Format string }](f, "strftime.jsonl")[:40] {
		f.Add(c.Format, "2016-09-06", int64(1473149045))
	}
	f.Fuzz(func(t *testing.T, format, text string, sec int64) {
		compiled := timefmt.NewInstantFormat(format)
		if out, err := compiled.Format(instant(t, sec, 5), timefmt.Zone{}); err == nil && len(out) > 40*len(format)+timefmt.MaxPadding {
			t.Fatalf("%q makes %d bytes", format, len(out))
		}
		if got, err := compiled.Parse(text, timefmt.Zone{}); err == nil {
			if back, err := timefmt.ParseInstant(got.String(), timefmt.Zone{}); err != nil || back != got {
				t.Fatalf("%q by %q is %v, which reads back as %v, %v", text, format, got, back, err)
			}
		}
	})
}

func FuzzParseZone(f *testing.F) {
	for _, name := range []string{"UTC", "+05:30", "-9.51", "W. Europe Daylight Time", "est dst", "current"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		zone, err := timefmt.ParseZone(name)
		if err == nil && zone.IsSet() != (name != "") {
			t.Fatalf("ParseZone(%q) = %v", name, zone)
		}
	})
}

func FuzzSpanFormat(f *testing.F) {
	for _, c := range lines[struct {
		Format    string
		Sec, Nsec int64
	}](f, "spanformat.jsonl")[:40] {
		f.Add(c.Format, "1-02:03:04.5", c.Sec)
	}
	f.Fuzz(func(t *testing.T, format, text string, sec int64) {
		compiled, err := timefmt.NewSpanFormat(format)
		if err != nil {
			return
		}
		if out := compiled.Format(span(t, sec, 5)); len(out) > 40*len(format)+timefmt.MaxPadding+1 {
			t.Fatalf("%q makes %d bytes", format, len(out))
		}
		if got, err := compiled.Parse(text); err == nil {
			if back, err := timefmt.ParseSpan(got.String()); err != nil || back != got {
				t.Fatalf("%q by %q is %v, which reads back as %v, %v", text, format, got, back, err)
			}
		}
	})
}
