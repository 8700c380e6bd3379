package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/fleet/internal/feed"
)

// The catalogs of an earlier time are those that were the newest then.
func TestSince(t *testing.T) {
	s := open(t, stateDir(t), Options{})
	put := func(node, text string) {
		t.Helper()
		if err := s.Put(t.Context(), feed.Catalog{Feed: "f", Node: node, Data: []byte(text)}); err != nil {
			t.Fatal(err)
		}
	}
	since := func(at time.Time) string {
		t.Helper()
		list, err := s.Since(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, b := range list {
			text := b.Node
			if b.Old != nil {
				old, err := s.PastDocument(t.Context(), b.Old)
				if err != nil {
					t.Fatal(err)
				}
				text += " " + string(old)
			} else {
				text += " -"
			}
			if b.New != nil {
				doc, err := s.Document(t.Context(), b.New)
				if err != nil {
					t.Fatal(err)
				}
				text += " " + string(doc)
			} else {
				text += " -"
			}
			all = append(all, text)
		}
		return strings.Join(all, ", ")
	}
	moment := func() time.Time {
		time.Sleep(2 * time.Millisecond)
		defer time.Sleep(2 * time.Millisecond)
		return time.Now()
	}
	begin := moment()
	put("a", "1")
	put("b", "1")
	put("c", "1")
	first := moment()
	put("a", "2")
	if err := s.Remove(t.Context(), "f", "c"); err != nil {
		t.Fatal(err)
	}
	second := moment()
	put("a", "3")
	put("d", "1")
	for _, tt := range []struct {
		name string
		at   time.Time
		want string
	}{
		{"now", moment(), ""},
		{"second", second, "a 2 3, d - 1"},
		{"first", first, "a 1 3, c 1 -, d - 1"},
		{"before all", begin, "a 1 3, b - 1, d - 1"},
	} {
		if got := since(tt.at); got != tt.want {
			t.Errorf("since %s: %q, want %q", tt.name, got, tt.want)
		}
	}
	put("a", "1")
	if got := since(first); got != "c 1 -, d - 1" {
		t.Errorf("a catalog that is back counts as changed: %q", got)
	}
}

// Nodes with many catalogs keep few past ones, the oldest among them.
func TestPastIsBounded(t *testing.T) {
	s := open(t, stateDir(t), Options{})
	for i := range 10 {
		if err := s.Put(t.Context(), feed.Catalog{Feed: "f", Node: "n", Data: fmt.Append(nil, i)}); err != nil {
			t.Fatal(err)
		}
	}
	p, _, err := s.pasts(t.Context(), s.Unit("f", "n"))
	if err != nil || len(p.List) != 2 {
		t.Fatalf("%d past catalogs, %v", len(p.List), err)
	}
	for i, want := range []string{"0", "8"} {
		if data, err := s.PastDocument(t.Context(), &p.List[i]); err != nil || string(data) != want {
			t.Errorf("past catalog %d: %q, %v", i, data, err)
		}
	}
	old := p.List[0]
	w := s.Sweeper(0)
	for range 2 {
		if _, err := w.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		for id := range w.seen { // all were seen long ago
			w.seen[id] = time.Now().Add(-writing)
		}
	}
	if _, err := s.PastDocument(t.Context(), &old); !errors.Is(err, ErrMissing) {
		t.Errorf("a past catalog is kept for longer than asked: %v", err)
	}
}
