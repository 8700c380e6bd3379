package report_test

import (
	"context"
	"fmt"
	"os"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/catalog/diff/report"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func ExampleWrite() {
	side := func(mode string) (s diff.Side) {
		s.Document = func() *catalog.Reader {
			text := `{"name":"web01","resources":[{"type":"File","title":"/etc/motd","parameters":{"mode":"` + mode + `"}}]}`
			return catalog.NewReaderBytes([]byte(text), formats.RichJSON(), serialization.DecodeOptions{})
		}
		for c, err := range s.Document().Catalogs() {
			if err == nil {
				s.Catalog = c
			}
		}
		return s
	}
	r, err := diff.Compare(context.Background(), side("0644"), side("0600"), redact.NewFinder(nil), diff.Options{})
	if err == nil {
		err = report.Write(os.Stdout, "names", r, report.Options{})
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output: File[/etc/motd]
}
