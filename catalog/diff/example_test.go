package diff_test

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

// exampleSide returns the only catalog of a document.
func exampleSide(document string) diff.Side {
	read := func() *catalog.Reader {
		return catalog.NewReaderBytes([]byte(document), formats.RichJSON(), serialization.DecodeOptions{})
	}
	for c, err := range read().Catalogs() {
		if err == nil {
			return diff.Side{Catalog: c, Document: read}
		}
	}
	return diff.Side{}
}

const (
	exampleOld = `{"name":"web01","resources":[
		{"type":"File","title":"/etc/motd","parameters":{"mode":"0644","notify":"Service[x]"}},
		{"type":"User","title":"app","parameters":{"password":"correct-horse-1"},"sensitive_parameters":["password"]},
		{"type":"Service","title":"x","parameters":{}}]}`
	exampleNew = `{"name":"web01","resources":[
		{"type":"File","title":"/etc/motd","parameters":{"mode":"0600","notify":["Service[x]"]}},
		{"type":"User","title":"app","parameters":{"password":"correct-horse-2"},"sensitive_parameters":["password"]},
		{"type":"Service","title":"x","parameters":{}}]}`
)

// Changes have a location, both values, and effects on the node. Secrets are replaced.
func ExampleCompare() {
	r, err := diff.Compare(context.Background(), exampleSide(exampleOld), exampleSide(exampleNew), redact.NewFinder(nil), diff.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range r.Changes {
		fmt.Println(c.Op, c.Ref, c.Path, c.Old, c.New, c.Rank)
		for _, e := range c.Effects {
			fmt.Println(" ", e.Effect, e.Ref)
		}
	}
	// Output:
	// change User[app] /parameters/password Sensitive [value redacted] Sensitive [value redacted] danger
	//   change-user User[app]
	// change File[/etc/motd] /parameters/mode '0644' '0600' restart
	//   chmod File[/etc/motd]
	//   refresh Service[x]
}

// A Fleet groups the changes of many nodes. Compare can be called concurrently; Add
// determines the order of the nodes.
func ExampleFleet() {
	f := diff.NewFleet(redact.NewFinder(nil), diff.Options{Profiles: []diff.Profile{"auto", "content"}})
	for _, node := range []string{"web01", "web02"} {
		old := exampleSide(`{"name":"` + node + `","resources":[{"type":"File","title":"/etc/motd","parameters":{"content":"` + node + ` old"}}]}`)
		new := exampleSide(`{"name":"` + node + `","resources":[{"type":"File","title":"/etc/motd","parameters":{"content":"` + node + ` new"}}]}`)
		p, err := f.Compare(context.Background(), old, new)
		if err != nil {
			fmt.Println(err)
			return
		}
		f.Add(p)
	}
	f.OnlyOld("web03")
	if err := report.Write(os.Stdout, "text", f.Report(), report.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2 nodes  same but for the node's name  web[01-02]  1 changed
	// ~ File[/etc/motd]  write  content  web01 old → web01 new
	//
	// 2 nodes changed · 0 unchanged · only in old: web03
}
