package coordinate

import (
	"fmt"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/store"
	"github.com/pcatdev/pcat/fleet/internal/work"
)

// A new secret is searched for in extracts: a catalog without it is not audited again, and one
// with a copy is. The fleet is settled, and equal to one audit, also after a restart.
func TestNewSecret(t *testing.T) {
	const fresh = "vT5mQ8-zkW2r-Lx93Hd"
	f := newFleet(t, work.Options{})
	f.start(2)
	for i := range 20 {
		node := fmt.Sprint("node", i)
		text := "nothing"
		if i%10 == 3 {
			text = "a copy of " + fresh + ", escaped"
		}
		f.put(node, fmt.Appendf(nil, `{"name":%q,"resources":[{"type":"Notify","title":"note","parameters":{"message":%q}}],"edges":[]}`, node, text))
	}
	f.check()
	revisions := func() map[string]uint64 {
		list := map[string]uint64{}
		for i := range 20 {
			node := fmt.Sprint("node", i)
			_, revision, err := f.store.Part(t.Context(), f.store.Unit("test", node))
			if err != nil || revision == 0 {
				t.Fatal(node, revision, err)
			}
			list[node] = revision
		}
		return list
	}
	before := revisions()
	f.put("owner", fmt.Appendf(nil, `{"name":"owner","resources":[{"type":"Class","title":"Own","parameters":{"secret":%q},"sensitive_parameters":["secret"]}],"edges":[]}`, fresh))
	f.check()
	after := revisions()
	for i := range 20 {
		node := fmt.Sprint("node", i)
		if changed, want := after[node] != before[node], i%10 == 3; changed != want {
			t.Errorf("the part of %s was written again: %t, want %t", node, changed, want)
		}
	}
	f.stop()
	f.start(1)
	f.check()
	unit := f.store.Unit("test", "node1")
	if x, err := f.store.Extract(t.Context(), unit); x == nil || err != nil {
		t.Errorf("the extract of node1: %v, %v", x, err)
	}
	f.remove("node1")
	f.check()
	if x, err := f.store.Extract(t.Context(), unit); x != nil || err != nil {
		t.Errorf("the extract of a node that was removed: %v, %v", x, err)
	}
}

// The last units of a round are waited for, unless they are stuck.
func TestLastUnits(t *testing.T) {
	for name, one := range map[string]struct {
		stale          int
		learnt, shrunk time.Duration // ago
		want           bool
	}{
		"the round is over":      {stale: 0, learnt: 40 * time.Second, shrunk: 0, want: true},
		"it goes on":             {stale: 20, learnt: 40 * time.Second, shrunk: time.Second, want: false},
		"it began":               {stale: 20, learnt: 10 * time.Second, shrunk: 10 * time.Second, want: false},
		"the last are stuck":     {stale: 20, learnt: 40 * time.Second, shrunk: 6 * time.Second, want: true},
		"it goes on for long":    {stale: 20, learnt: 301 * time.Second, shrunk: time.Second, want: true},
		"many are stuck":         {stale: 500, learnt: 40 * time.Second, shrunk: 20 * time.Second, want: false},
		"many, and for too long": {stale: 500, learnt: 301 * time.Second, shrunk: time.Second, want: true},
	} {
		now := time.Now()
		l := &leader{Coordinator: New(Options{}), changed: true, learnt: now.Add(-one.learnt), shrunk: now.Add(-one.shrunk)}
		if got := l.due(0, one.stale); got != one.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Catalogs that keep arriving delay the search for new secrets, for longer while a fleet is filled.
func TestArrivingUnits(t *testing.T) {
	for name, one := range map[string]struct {
		units, inspected int
		waiting          time.Duration
		changed          int           // number of nodes with a newer catalog
		round            time.Duration // the last one
		want             bool
	}{
		"few":                       {units: 20, waiting: 31 * time.Second, want: true},
		"few, soon":                 {units: 20, waiting: 29 * time.Second, want: false},
		"a fleet is filled":         {units: 100, inspected: 49, waiting: 119 * time.Second, want: false},
		"it is filled for long":     {units: 100, inspected: 49, waiting: 121 * time.Second, want: true},
		"most are inspected":        {units: 100, inspected: 51, waiting: 31 * time.Second, want: true},
		"most changed":              {units: 100, inspected: 100, changed: 60, waiting: 31 * time.Second, want: true},
		"rounds are long":           {units: 100, inspected: 51, waiting: 31 * time.Second, round: 20 * time.Second, want: false},
		"it is filled, long rounds": {units: 100, inspected: 0, waiting: 159 * time.Second, round: 20 * time.Second, want: false},
	} {
		now := time.Now()
		l := &leader{Coordinator: New(Options{}), changed: true, waiting: now.Add(-one.waiting), round: one.round, names: map[string]*unit{}}
		for i := range one.units {
			u := &unit{head: &store.Head{Digest: "a"}, put: "a", searched: i < one.inspected}
			if i < one.changed {
				u.head.Digest = "b"
			}
			l.names[fmt.Sprint(i)] = u
		}
		if got := l.due(1, 0); got != one.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
