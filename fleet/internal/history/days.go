package history

import (
	"maps"
	"time"
)

// Day is the number of findings at the end of a day, or now.
type Day struct {
	Day string `json:"day"` // such as 2026-12-31, in UTC
	// Findings is the number of findings that are neither gone nor accepted, by severity.
	Findings map[string]int `json:"findings"`
	Accepted int            `json:"accepted"`
}

// Days are the numbers of findings of the last 90 days, the oldest first. Days on which nothing ran are
// missing. The zero value has none.
type Days []Day

// Record replaces the numbers of the day of now. It reports whether they changed. If the clock was set
// back, the last day remains as it is.
func (d *Days) Record(findings map[string]int, accepted int, now time.Time) bool {
	today := Day{now.UTC().Format(time.DateOnly), findings, accepted}
	list := *d
	if n := len(list); n > 0 {
		switch last := list[n-1]; {
		case last.Day > today.Day || last.Day == today.Day && last.Accepted == accepted && maps.Equal(last.Findings, findings):
			return false
		case last.Day == today.Day:
			list = list[:n-1]
		}
	}
	first := now.UTC().Add(-Kept).Format(time.DateOnly)
	for len(list) > 0 && list[0].Day <= first {
		list = list[1:]
	}
	*d = append(list[:len(list):len(list)], today)
	return true
}

// Last returns the last day, or "" if there is none.
func (d Days) Last() string {
	if len(d) == 0 {
		return ""
	}
	return d[len(d)-1].Day
}
