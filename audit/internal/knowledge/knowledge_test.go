package knowledge

import (
	"slices"
	"testing"
)

// TestRows checks the columns of a row.
func TestRows(t *testing.T) {
	const text = "# a  b\n\na  b c   -  d   # e  f\nx\ty\n"
	var got [][]string
	for columns := range rows(text, 4) {
		got = append(got, columns)
	}
	want := [][]string{{"a", "b c", "", "d"}, {"x", "y", "", ""}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q, want %q", got, want)
	}
}
