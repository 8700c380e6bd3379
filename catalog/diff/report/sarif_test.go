package report_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/report"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// sarifFingerprints returns the fingerprints of the results for files in one line of a manifest whose modes change.
func sarifFingerprints(t *testing.T, titles ...string) (all []string) {
	t.Helper()
	side := func(mode string) (s diff.Side) {
		s.Document = func() *catalog.Reader {
			var list []string
			for _, title := range titles {
				list = append(list, `{"type":"File","title":"`+title+`","file":"/m/site.pp","line":3,"parameters":{"mode":"`+mode+`"}}`)
			}
			text := `{"name":"web01","resources":[` + strings.Join(list, ",") + `]}`
			return catalog.NewReaderBytes([]byte(text), formats.RichJSON(), serialization.DecodeOptions{})
		}
		for c, err := range s.Document().Catalogs() {
			if err != nil {
				t.Fatal(err)
			}
			s.Catalog = c
		}
		return s
	}
	r, err := diff.Compare(t.Context(), side("0644"), side("0600"), redact.NewFinder(nil), diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := report.Write(&out, "sarif", r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Results []struct{ PartialFingerprints map[string]string }
		}
	}
	if err := json.Unmarshal([]byte(out.String()), &log); err != nil {
		t.Fatal(err)
	}
	for _, result := range log.Runs[0].Results {
		all = append(all, result.PartialFingerprints["pcatDiff/v1"])
	}
	return all
}

// The fingerprint of several changes in a line is the least one of theirs: which is the first does not matter.
func TestFingerprintOfGroup(t *testing.T) {
	titles := []string{"/a", "/b", "/c", "/d", "/e"}
	var alone []string
	for _, title := range titles {
		alone = append(alone, sarifFingerprints(t, title)...)
	}
	if len(alone) != len(titles) || slices.IsSorted(alone) {
		t.Fatalf("got %q", alone)
	}
	for i := range titles[1:] {
		if got, want := sarifFingerprints(t, titles[i:]...), slices.Min(alone[i:]); len(got) != 1 || got[0] != want {
			t.Errorf("%q: got %q, want %q", titles[i:], got, want)
		}
	}
}
