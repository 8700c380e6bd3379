package history_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/history"
)

var start = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func at(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }

func places(fingerprints ...string) []history.Sighting {
	var list []history.Sighting
	for _, f := range fingerprints {
		list = append(list, history.Sighting{Fingerprint: f, Severity: "high", Finding: []byte(`{"rule":"` + f + `"}`)})
	}
	return list
}

// state returns the findings with the minutes of first seen, last seen and gone.
func state(r *history.Record) string {
	var b strings.Builder
	minute := func(t time.Time) any {
		if t.IsZero() {
			return "-"
		}
		return int(t.Sub(start).Minutes())
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s x%d %v %v %v; ", f.Fingerprint, f.Count, minute(f.First), minute(f.Last), minute(f.Gone))
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestObserve(t *testing.T) {
	const day = 24 * 60
	r := &history.Record{Feed: "folder", Node: "web"}
	for _, step := range []struct {
		name      string
		found     []history.Sighting
		seen, now int
		want      string
		events    string
		changed   bool
	}{
		{"first", places("b", "a", "a"), 0, 1, "a x2 1 0 -; b x1 1 0 -", "new b, new a", true},
		{"the same report", places("b", "a", "a"), 0, 2, "a x2 1 0 -; b x1 1 0 -", "", false},
		{"a later catalog", places("b", "a", "a"), 5, 6, "a x2 1 5 -; b x1 1 5 -", "", true},
		{"one is gone", places("a"), 10, 11, "a x1 1 10 -; b x1 1 5 11", "gone b", true},
		{"it stays gone", places("a"), 10, 12, "a x1 1 10 -; b x1 1 5 11", "", false},
		{"it is back", places("a", "b"), 20, 21, "a x1 1 20 -; b x1 1 20 -", "again b", true},
		{"the clock was set back", places("a"), 2, 3, "a x1 1 20 -; b x1 1 20 20", "gone b", true},
		{"long ago", places("a"), 91 * day, 91 * day, fmt.Sprintf("a x1 1 %d -", 91*day), "", true},
	} {
		events, changed := r.Observe(step.found, at(step.seen), at(step.now))
		var kinds []string
		for _, e := range events {
			kinds = append(kinds, string(e.Kind)+" "+e.Fingerprint)
		}
		if got := strings.Join(kinds, ", "); got != step.events || changed != step.changed {
			t.Errorf("%s: events %q, changed %v", step.name, got, changed)
		}
		if got := state(r); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
	if events, _ := r.Remove(at(92 * day)); len(events) != 1 || r.Open() != 0 {
		t.Errorf("after removal: %d events, %d open", len(events), r.Open())
	}
}

// An accepted finding has no events but the one that says so. It is accepted if all of its
// locations are.
func TestObserveAccepted(t *testing.T) {
	accepted := func(list []history.Sighting) []history.Sighting {
		for i := range list {
			list[i].Accepted = true
		}
		return list
	}
	r := &history.Record{}
	for i, step := range []struct {
		name   string
		found  []history.Sighting
		events string
		open   int
	}{
		{"one of two is accepted", append(places("a"), accepted(places("b"))...), "new a", 1},
		{"both are", accepted(places("a", "b")), "accepted a", 0},
		{"the same", accepted(places("a", "b")), "", 0},
		{"one location is not", append(accepted(places("a", "b")), places("b")...), "again b", 1},
		{"it is accepted again", accepted(places("a", "b")), "accepted b", 0},
		{"an accepted one is gone", accepted(places("b")), "", 0},
		{"and is back, accepted", accepted(places("a", "b")), "", 0},
		{"gone again", accepted(places("b")), "", 0},
		{"and is back, not accepted", append(places("a"), accepted(places("b"))...), "again a", 1},
		{"nothing is accepted", places("a", "b"), "again b", 2},
	} {
		var kinds []string
		events, changed := r.Observe(step.found, at(0), at(i))
		for _, e := range events {
			kinds = append(kinds, string(e.Kind)+" "+e.Fingerprint)
			if e.First != at(0) {
				t.Errorf("%s: first seen %s", step.name, e.First)
			}
		}
		if got := strings.Join(kinds, ", "); got != step.events || r.Open() != step.open {
			t.Errorf("%s: events %q, %d open", step.name, got, r.Open())
		}
		if again, same := r.Observe(step.found, at(0), at(i)); !changed && i != 2 || same || len(again) > 0 {
			t.Errorf("%s: it changed %t, and then %t with %d events", step.name, changed, same, len(again))
		}
	}
}

// The reason of an accepted finding follows its decision.
func TestObserveReason(t *testing.T) {
	because := func(reason string) []history.Sighting {
		list := places("a")
		list[0].Accepted, list[0].Reason = reason != "", reason
		return list
	}
	r := &history.Record{}
	for i, reason := range []string{"x", "y", "", "x"} {
		_, changed := r.Observe(because(reason), at(0), at(i))
		if _, again := r.Observe(because(reason), at(0), at(i)); !changed || again || r.Findings[0].Reason != reason {
			t.Errorf("%q: changed %t, again %t, %+v", reason, changed, again, r.Findings[0])
		}
	}
	if r.Remove(at(9)); r.Findings[0].Reason != "" {
		t.Error("a finding that is gone has a reason")
	}
}

// The source of a copy is described.
func TestDescribeSource(t *testing.T) {
	d := history.Describe([]byte(`{"rule":"r","source":{"declared":true,"ref":"Class[App]","path":"/parameters/db/password","manifest":"a.pp","line":7,"others":2}}`))
	if want := (history.Source{Declared: true, Ref: "Class[App]", Path: "/parameters/db/password", Manifest: "a.pp", Line: 7, Others: 2}); d.Source != want || d.Source.Location() != "Class[App]/db/password" {
		t.Errorf("got %+v", d.Source)
	}
}

// A damaged finding has an empty description.
func TestDescribe(t *testing.T) {
	for text, want := range map[string]string{
		`{"rule":"r","type":"File","title":"/etc/motd","parameter":"content","line":3}`: "r File[/etc/motd]/content 3",
		`{"rule":"r","type":"File","title":"/etc/motd"}`:                                "r File[/etc/motd] 0",
		`{"rule":"r","parameter":"content"}`:                                            "r content 0",
		`{"rule":"r","title":"x","line":"y"}`:                                           "  0",
		`{"rule":"\u00e9\"\n","title":"é<","type":"T"}`:                                 "é\"\n T[é<] 0",
		`{"rule":"r","type":"File"`:                                                     "  0",
		`{"rule":"r","type":`:                                                           "  0",
		`{"rule":"r","type`:                                                             "  0",
		`["rule"]`:                                                                      "  0",
		` `:                                                                             "  0",
		``:                                                                              "  0",
	} {
		d := history.Describe([]byte(text))
		if got := fmt.Sprint(d.Rule, " ", d.Location(), " ", d.Line); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// A name is hidden where it contains a secret, and as a whole if only the whole does.
func TestHide(t *testing.T) {
	secret := func(text []byte) bool {
		return strings.Contains(string(text), "otter") || strings.Contains(string(text), "7/w")
	}
	for name, want := range map[[2]string]string{
		{"terminus", "web"}:         "terminus/web",
		{"compiler:otter", "web"}:   "(hidden)/web",
		{"terminus", "otter"}:       "terminus/(hidden)",
		{"compiler:otter", "otter"}: "(hidden)/(hidden)",
		{"compiler:x7", "web"}:      "(hidden)/(hidden)",
		{"compiler:otter7", "web"}:  "(hidden)/web",
	} {
		r := history.Record{Feed: name[0], Node: name[1], Hidden: true}
		r.Hide(secret)
		if got := r.ShownFeed() + "/" + r.ShownNode(); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// An event with a secret is shown without names and texts of catalogs, and any other event as it is.
func TestShownEvent(t *testing.T) {
	secret := func(text []byte) bool { return strings.Contains(string(text), "otter") }
	const rest = `"first_seen":"2026-11-01T12:00:00Z","fingerprint":"f1","severity":"high"`
	event := func(node string) string {
		return `{"kind":"new","time":"2026-11-01T12:00:00Z","feed":"f","node":"` + node + `",` + rest + `,"finding":{"title":"<a>"}}`
	}
	for body, want := range map[string]string{
		event("web"):   event("web"),
		event("otter"): `{"kind":"new","time":"2026-11-01T12:00:00Z","feed":"","node":"",` + rest + `}`,
		"otter":        "otter",
	} {
		if got, err := history.ShownEvent([]byte(body), secret); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", body, got, err, want)
		}
	}
}
