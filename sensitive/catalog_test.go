package sensitive_test

import (
	"bytes"
	"testing"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// TestCollectCatalog compares a catalog in memory, as read and as a program
// made it, with its document.
func TestCollectCatalog(t *testing.T) {
	data := []byte(`{"name":"a","classes":["x"],"resources":[{"type":"T","title":"x","parameters":{"p":"Zx9-qKw4vTz"},"sensitive_parameters":["p"]},` +
		`{"type":"T","title":"y","parameters":{"q":{"__ptype":"Sensitive","__pvalue":"hU7-wqLx2"},"r":"--pass=Zx9-qKw4vTz hU7-wqLx2"}}],"edges":[]}`)
	form := formats.RichJSON()
	src := func() *catalog.Reader { return catalog.NewReaderBytes(data, form, serialization.DecodeOptions{}) }
	redacted := func(c *sensitive.Collector) string {
		var out bytes.Buffer
		if err := c.Secrets().Redactor(nil).Redact(t.Context(), &out, form, src()); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	var whole sensitive.Collector
	if err := whole.Collect(src()); err != nil {
		t.Fatal(err)
	}
	want := redacted(&whole)
	for read, err := range src().Catalogs() {
		if err != nil {
			t.Fatal(err)
		}
		var made []*catalog.Resource
		for _, r := range read.Resources() {
			v, err := r.RevealValue()
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := catalog.NewResource(v)
			if err != nil {
				t.Fatal(err)
			}
			made = append(made, fresh)
		}
		for name, c := range map[string]*catalog.Catalog{
			"read": read,
			"made": catalog.New(catalog.NewHeader(catalog.NewMember("name", pcore.String("a"))), made, read.Edges()),
		} {
			var collector sensitive.Collector
			if err := collector.CollectCatalog(c); err != nil {
				t.Fatal(err)
			}
			if got := redacted(&collector); got != want {
				t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
			}
		}
	}
}
