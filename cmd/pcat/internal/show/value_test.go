package show

import (
	"runtime"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

// nested returns a text in so many Hashes.
func nested(depth, size int) pcore.Value {
	v := pcore.Value(pcore.String(strings.Repeat("x", size)))
	for range depth {
		v = pcore.NewHash(pcore.Entry{Key: pcore.String("k"), Value: v})
	}
	return v
}

// TestNestedValueIsBounded checks that a value is not rendered again at each of its levels.
func TestNestedValueIsBounded(t *testing.T) {
	const depth, size = 400, 20_000
	v := nested(depth, size)
	l := layout{columns: 80, paint: func(_, text string) string { return text }}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var b strings.Builder
	l.value(&b, "  ", "a", 10, v)
	runtime.ReadMemStats(&after)
	if used, limit := after.TotalAlloc-before.TotalAlloc, uint64(50*size); used > limit {
		t.Errorf("%d bytes were allocated for a value of %d, more than %d", used, size, limit)
	}
	rows := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	// The value has a line for each level, one for the text, and one for each end.
	if want := "… and 760 more lines; --all prints them"; len(rows) != maxLines+2 || !strings.Contains(rows[len(rows)-1], want) {
		t.Errorf("%d lines, the last %q; want %d lines and %q", len(rows), rows[len(rows)-1], maxLines+2, want)
	}
}

// TestCutOfNestedValue compares cut values with complete ones around the limit.
func TestCutOfNestedValue(t *testing.T) {
	for n := range 50 {
		var elements []pcore.Value
		for range n {
			elements = append(elements, pcore.String(strings.Repeat("y", 90)))
		}
		text := func(all bool) []string {
			l := layout{columns: 80, all: all, paint: func(_, text string) string { return text }}
			var b strings.Builder
			l.value(&b, "", "a", 3, pcore.NewArray(elements...))
			return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		}
		cut, whole := text(false), text(true)
		want := len(whole)
		if hidden := len(whole) - 1 - maxLines; hidden > 1 {
			want = maxLines + 2
		}
		if len(cut) != want {
			t.Errorf("%d elements: %d lines of %d, want %d", n, len(cut), len(whole), want)
		}
	}
}
