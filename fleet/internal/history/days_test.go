package history_test

import (
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/history"
)

func TestDays(t *testing.T) {
	var d history.Days
	start := time.Date(2026, 11, 1, 23, 0, 0, 0, time.UTC)
	for i, c := range []struct {
		hours   int
		high    int
		changed bool
		days    int
	}{
		{0, 3, true, 1}, {0, 3, false, 1}, {0, 4, true, 1}, // one number a day, the last one
		{1, 4, true, 2},             // also if it is the same
		{0, 9, true, 2},             // the clock was set back
		{72, 5, true, 3},            // nothing ran in between
		{24 * 365 * 11, 1, true, 4}, // the clock was ahead
		{96, 5, true, 5},
	} {
		now := start.Add(time.Duration(c.hours) * time.Hour)
		if got := d.Record(map[string]int{"high": c.high}, 1, now); got != c.changed || len(d) != c.days {
			t.Errorf("%d: %t, %v", i, got, d)
		}
		until := d.Until(now)
		if last := until[len(until)-1]; !d.Has(now) || last.Day != now.Format(time.DateOnly) || last.Findings["high"] != c.high {
			t.Errorf("%d: the last day is %v", i, last)
		}
	}
	earlier := d
	for i := range 200 {
		d.Record(map[string]int{"high": i}, 0, start.Add(time.Duration(5+i)*24*time.Hour))
	}
	if len(d) != 90 || d[0].Day != "2027-02-25" || len(earlier) != 5 || earlier[1].Findings["high"] != 4 {
		t.Error(len(d), d[0], earlier)
	}
	if d.Record(nil, 0, start) || d.Has(start) {
		t.Error("a day before all others is kept")
	}
}

// A finding counts once for each node, and is open if one of its locations is.
func TestNumbers(t *testing.T) {
	open, accepted := history.Numbers(map[string][]history.Sighting{
		"a": {{Fingerprint: "x", Severity: "high"}, {Fingerprint: "x", Severity: "high"}, {Fingerprint: "y", Severity: "low", Accepted: true}},
		"b": {{Fingerprint: "x", Severity: "high"}, {Fingerprint: "y", Severity: "low", Accepted: true}, {Fingerprint: "y", Severity: "low"}},
	})
	if open["high"] != 2 || open["low"] != 1 || len(open) != 2 || accepted != 1 {
		t.Error(open, accepted)
	}
}
