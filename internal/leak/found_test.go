package leak

import (
	"bytes"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// TestRedactingWhatIsOpen checks that secrets found by an audit appear neither
// in the redacted output nor in the messages of a Redactor.
func TestRedactingWhatIsOpen(t *testing.T) {
	form := rich(t)
	src := func() *catalog.Reader {
		return catalog.NewReaderBytes([]byte(open), form, serialization.DecodeOptions{})
	}
	for name, m := range map[string]sensitive.Masker{"mask": sensitive.NewMask(), "drop": sensitive.NewDrop()} {
		c := sensitive.NewCollector(sensitive.CollectOptions{})
		if err := c.Collect(src()); err != nil {
			t.Fatal(err)
		}
		found := audited(t, audit.Options{KeepSecrets: true}, open).Findings
		kept := 0
		for _, f := range found {
			if f.Secret == nil {
				continue
			}
			kept++
			secret := sensitive.Found{Secret: f.Secret, Spelled: f.Spelled, At: f.At, Start: f.Start}
			if err := c.Add(secret); err != nil {
				t.Fatal(err)
			}
			secret.At = catalog.Location{} // a Location is not masked, as documented
			printed(t, name+": what was found", secret)
		}
		if kept < 8 {
			t.Fatalf("%d secrets, which tests nothing", kept)
		}
		for _, s := range []*sensitive.Secrets{c.Secrets(), c.Secrets().Then(c.Secrets())} {
			r := s.Redactor(m)
			var out bytes.Buffer
			if err := r.Redact(t.Context(), &out, form, src()); err != nil {
				t.Fatal(err)
			}
			noLeak(t, name+": a catalog", out.String())
			machinery(t, name+": a redactor", r)
			machinery(t, name+": secrets", s)
			printed(t, name+": a report", r.Report())
		}
	}
}
