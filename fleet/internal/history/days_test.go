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
		{1, 4, true, 2},  // also if it is the same
		{0, 9, false, 2}, // the clock was set back
		{72, 5, true, 3}, // nothing ran in between
		{89 * 24, 5, true, 4}, {90 * 24, 6, true, 4}, {300 * 24, 6, true, 1},
	} {
		now := start.Add(time.Duration(c.hours) * time.Hour)
		if got := d.Record(map[string]int{"high": c.high}, 1, now); got != c.changed || len(d) != c.days {
			t.Errorf("%d: %t, %v", i, got, d)
		}
		if last := now.Format(time.DateOnly); c.changed && (d.Last() != last || d[len(d)-1].Findings["high"] != c.high) {
			t.Errorf("%d: the last day is %v", i, d[len(d)-1])
		}
	}
	if first := d[0].Day; len(d) != 1 || first != "2027-08-28" {
		t.Error(d)
	}
}
