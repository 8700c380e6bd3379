package history

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Day is the number of findings at the end of a day, or now. A finding counts once for each node.
type Day struct {
	Day string `json:"day"` // such as 2026-12-31, in UTC
	// Findings is the number of findings that are neither gone nor accepted, by severity.
	Findings map[string]int `json:"findings"`
	Accepted int            `json:"accepted"`
}

// Days are the numbers of findings of the last 90 days on which the fleet was audited, the oldest first.
// The zero value has none. A clock that was wrong for a while adds its own days, and removes no more
// days than it adds.
type Days []Day

// mostDays is the maximum number of days.
const mostDays = 90

// Record replaces the numbers of the day of now, and leaves other copies of d unchanged. It reports whether
// d changed.
func (d *Days) Record(findings map[string]int, accepted int, now time.Time) bool {
	today := Day{now.UTC().Format(time.DateOnly), findings, accepted}
	i, found := d.find(today.Day)
	list := slices.Clone(*d)
	switch {
	case found && list[i].Accepted == accepted && maps.Equal(list[i].Findings, findings):
		return false
	case found:
		list[i] = today
	case i == 0 && len(list) >= mostDays:
		return false
	default:
		list = slices.Insert(list, i, today)
	}
	*d = list[max(0, len(list)-mostDays):]
	return true
}

// Has reports whether there are numbers of the day of now.
func (d Days) Has(now time.Time) bool {
	_, found := d.find(now.UTC().Format(time.DateOnly))
	return found
}

// Until returns the days up to the day of now, without those of a clock that was ahead.
func (d Days) Until(now time.Time) Days {
	i, found := d.find(now.UTC().Format(time.DateOnly))
	if found {
		i++
	}
	return d[:i:i]
}

func (d Days) find(day string) (int, bool) {
	return slices.BinarySearchFunc(d, day, func(x Day, day string) int { return cmp.Compare(x.Day, day) })
}

// Numbers returns the number of findings by severity, and of accepted findings, among the sightings of
// each node, as [Record.Observe] counts them.
func Numbers(nodes map[string][]Sighting) (open map[string]int, accepted int) {
	open = map[string]int{}
	for _, list := range nodes {
		severities := make(map[string]string, len(list)) // by fingerprint; "" if all its sightings are accepted
		for i := range list {
			s := &list[i]
			switch severity, known := severities[s.Fingerprint]; {
			case s.Accepted && !known:
				severities[s.Fingerprint] = ""
			case !s.Accepted && severity == "":
				severities[s.Fingerprint] = s.Severity
			}
		}
		for _, severity := range severities {
			if severity == "" {
				accepted++
			} else {
				open[severity]++
			}
		}
	}
	return open, accepted
}
