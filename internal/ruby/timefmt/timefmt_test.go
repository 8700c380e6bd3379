package timefmt_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/pcatdev/pcat/internal/ruby/timefmt"
)

// lines decodes each line of a file of testdata into a T.
func lines[T any](t testing.TB, file string) []T {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, v)
	}
	return all
}

// want checks an error against Puppet's result, of which only the presence of
// an error matters, and reports whether there is a value to compare.
func want(t *testing.T, err error, wantErr bool, format string, args ...any) bool {
	t.Helper()
	if (err != nil) != wantErr {
		t.Errorf(format+": error %v, want error %t", append(args, err, wantErr)...)
	}
	return err == nil && !wantErr
}

func instant(t testing.TB, sec, nsec int64) timefmt.Instant {
	t.Helper()
	i, err := timefmt.NewInstant(sec, nsec)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func span(t testing.TB, sec, nsec int64) timefmt.Span {
	t.Helper()
	d, err := timefmt.NewSpan(sec, nsec)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestInstantFormat(t *testing.T) {
	for _, c := range lines[struct {
		Sec, Nsec          int64
		Format, Zone, Want string
		Error              bool
	}](t, "strftime.jsonl") {
		var got string
		zone, err := timefmt.ParseZone(c.Zone)
		if err == nil {
			got, err = timefmt.NewInstantFormat(c.Format).Format(instant(t, c.Sec, c.Nsec), zone)
		}
		if want(t, err, c.Error, "%d.%09d in %q by %q", c.Sec, c.Nsec, c.Zone, c.Format) && got != c.Want {
			t.Errorf("%d.%09d in %q by %q = %q, want %q", c.Sec, c.Nsec, c.Zone, c.Format, got, c.Want)
		}
	}
}

func TestParseInstant(t *testing.T) {
	for _, c := range lines[struct {
		Text, Zone  string
		Formats     []string
		List, Error bool
		Sec, Nsec   int64
	}](t, "strptime.jsonl") {
		var formats []*timefmt.InstantFormat
		for _, f := range c.Formats {
			formats = append(formats, timefmt.NewInstantFormat(f))
		}
		zone, err := timefmt.ParseZone(c.Zone)
		var got timefmt.Instant
		switch {
		case err != nil:
		case len(formats) == 1 && !c.List:
			got, err = formats[0].Parse(c.Text, zone)
		default:
			got, err = timefmt.ParseInstant(c.Text, zone, formats...)
		}
		if want(t, err, c.Error, "%q by %q in %q", c.Text, c.Formats, c.Zone) && got != instant(t, c.Sec, c.Nsec) {
			t.Errorf("%q by %q in %q = %v, want %v", c.Text, c.Formats, c.Zone, got, instant(t, c.Sec, c.Nsec))
		}
	}
}

func TestSpanFormat(t *testing.T) {
	for _, c := range lines[struct {
		Sec, Nsec    int64
		Format, Want string
		Error        bool
	}](t, "spanformat.jsonl") {
		d := span(t, c.Sec, c.Nsec)
		f, err := timefmt.NewSpanFormat(c.Format)
		if want(t, err, c.Error, "%v by %q", d, c.Format) && f.Format(d) != c.Want {
			t.Errorf("%v by %q = %q, want %q", d, c.Format, f.Format(d), c.Want)
		}
	}
}

func TestParseSpan(t *testing.T) {
	for _, c := range lines[struct {
		Text      string
		Formats   []string
		Error     bool
		Sec, Nsec int64
	}](t, "spanparse.jsonl") {
		got, err := parseSpan(c.Text, c.Formats)
		if want(t, err, c.Error, "%q by %q", c.Text, c.Formats) && got != span(t, c.Sec, c.Nsec) {
			t.Errorf("%q by %q = %v, want %v", c.Text, c.Formats, got, span(t, c.Sec, c.Nsec))
		}
	}
}

// parseSpan parses a text with several formats in order. As in Puppet, an
// invalid format is only an error once it is reached.
func parseSpan(text string, formats []string) (d timefmt.Span, err error) {
	if len(formats) == 0 {
		return timefmt.ParseSpan(text)
	}
	for _, source := range formats {
		var f *timefmt.SpanFormat
		if f, err = timefmt.NewSpanFormat(source); err != nil {
			break
		}
		var other *timefmt.ParseError
		if d, err = timefmt.ParseSpan(text, f); !errors.As(err, &other) || other.Err != nil && !errors.Is(err, timefmt.ErrFractionAlone) {
			break
		}
	}
	return d, err
}
