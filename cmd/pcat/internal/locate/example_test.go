package locate_test

import (
	"fmt"
	"iter"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func ExampleFind() {
	document := []byte(`{"name":"web01","resources":[
	  {"type":"Class","title":"Motd"},
	  {"type":"File","title":"/etc/motd","parameters":{"content":"Welcome\n","require":"Package[base]"}},
	  {"type":"Package","title":"base"}],
	 "edges":[{"source":"Class[Motd]","target":"File[/etc/motd]"}]}`)
	parts := func() iter.Seq2[catalog.Part, error] {
		return catalog.NewReaderBytes(document, formats.RichJSON(), serialization.DecodeOptions{}).Parts()
	}

	target, ok := locate.Parse("File[/etc/motd]/content")
	if !ok {
		panic("no reference")
	}
	catalogs, err := locate.Find(parts, target)
	if err != nil {
		panic(err)
	}
	found := catalogs[0].Found[0]
	fmt.Println(found.Value())
	fmt.Println("in", found.Containers)
	for _, r := range found.Relations {
		fmt.Println(r.Kind, r.Ref)
	}

	wrong, _ := locate.Parse("File[/etc/mtod]")
	near, err := locate.Near(parts, wrong)
	if err != nil {
		panic(err)
	}
	fmt.Println("did you mean", near.Refs)
	// Output:
	// "Welcome\n" <nil>
	// in [Class[Motd]]
	// requires Package[base]
	// did you mean [File[/etc/motd]]
}
