package settings_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/internal/settings"
)

func TestFind(t *testing.T) {
	root := t.TempDir()
	below := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(filepath.Join(below, ".x.yaml"), 0o700); err != nil { // a directory is no file
		t.Fatal(err)
	}
	want := filepath.Join(root, "a", ".x.yaml")
	if err := os.WriteFile(want, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := settings.Find(below, ".x.yaml"); got != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if _, err := settings.Find(below, ".pcat-nothing.yaml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// entry decodes itself, so that the decoder does not see its keys.
type entry struct {
	Until settings.Day
	Line  int
}

func (e *entry) UnmarshalYAML(n *yaml.Node) error {
	type plain entry
	if err := settings.Keys(n, "an entry", "until"); err != nil {
		return err
	}
	e.Line = n.Line
	return settings.At(n, n.Decode((*plain)(e)))
}

// file has entries.
type file struct{ List []entry }

func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"list:\n- until: 2026-12-31": "",
		"lists: []":                  "line 1: unknown key lists",
		"list: 3":                    "line 1: unexpected number, expected a list",
		"list:\n- until: soon":       `line 2: "soon" is not a date; use the form 2026-12-31`,
		"list:\n- from: x":           `line 2: unknown key "from" in an entry; its keys are until`,
		"list:\n- utnil: x":          `line 2: unknown key "utnil" in an entry; did you mean until?`,
		"list:\n- [a, b]":            "line 2: an entry is a map; its keys are until",
		"list: !!set {a}":            "line 1: unexpected value, expected a list",
		"list: !own 3":               "line 1: unexpected value, expected a list",
		"list: [":                    "line 1: did not find expected node content",
	} {
		var v file
		got := ""
		if err := settings.Decode([]byte(text), &v); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestDayPassed(t *testing.T) {
	var last settings.Day
	if err := last.UnmarshalText([]byte("2026-12-31")); err != nil {
		t.Fatal(err)
	}
	west := time.FixedZone("west", -8*3600)
	for _, tt := range []struct {
		now    time.Time
		passed bool
	}{
		{time.Date(2026, 12, 31, 23, 59, 0, 0, time.UTC), false},
		{time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), true},
		{time.Date(2026, 12, 31, 23, 0, 0, 0, west), false}, // another day in UTC
	} {
		if got := last.Passed(tt.now); got != tt.passed {
			t.Errorf("at %s: %t", tt.now, got)
		}
	}
	if (settings.Day{}).Passed(time.Now()) {
		t.Error("no day has passed")
	}
}
