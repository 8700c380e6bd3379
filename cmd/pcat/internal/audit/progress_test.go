package audit

import "testing"

func TestProgressLine(t *testing.T) {
	line := progressLine(3)
	for opened, want := range map[int64]string{
		0: "collecting secrets: 0 of 3 catalogs", 3: "collecting secrets: 3 of 3 catalogs", 5: "searching: 2 of 3 catalogs",
	} {
		if got := line(opened); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
