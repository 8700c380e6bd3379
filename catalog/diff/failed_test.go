package diff_test

import (
	"testing"

	"github.com/pcatdev/pcat/catalog/diff"
)

// Only a node that failed before with the same message is known, whatever its line.
func TestFailsNewly(t *testing.T) {
	at := func(message string, line int64) *diff.Failure {
		return &diff.Failure{Message: message, File: "a.pp", Line: line}
	}
	for name, tt := range map[string]struct {
		old, new *diff.Failure
		known    bool
		newly    bool
	}{
		"new":             {nil, at("x", 1), false, true},
		"fixed":           {at("x", 1), nil, false, false},
		"as before":       {at("x", 1), at("x", 2), true, false},
		"another message": {at("x", 1), at("y", 1), false, true},
		"another file":    {at("x", 1), &diff.Failure{Message: "x", File: "b.pp"}, false, true},
	} {
		f := diff.Failed{Name: "web01", Old: tt.old, New: tt.new}
		r := diff.Report{Failed: []diff.Failed{f}}
		if f.IsKnown() != tt.known || r.FailsNewly() != tt.newly || r.Equal() {
			t.Errorf("%s: got known %t, newly %t, equal %t", name, f.IsKnown(), r.FailsNewly(), r.Equal())
		}
	}
}
