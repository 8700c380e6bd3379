package verify_test

import (
	"fmt"

	"github.com/pcatdev/pcat/catalog/verify"
	"github.com/pcatdev/pcat/serialization/formats"
)

func ExampleDocument() {
	const doc = `{"resources":[{"type":"File","title":"/etc/motd","parameters":{"content":{"__ptype":"Binary","__pvalue":"aGkK"}}}]}`
	result, err := verify.Document([]byte(doc), formats.RichJSON(), formats.Default().Formats(), verify.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Same())
	for _, road := range result.Roads {
		line := road.Form + ": " + string(road.Status)
		if road.Place != "" {
			line += " " + road.Place
		}
		fmt.Println(line)
	}
	// Output:
	// true
	// rich-msgpack: same
	// rich-json: same
	// msgpack: cannot hold File[/etc/motd]/content
	// json: cannot hold File[/etc/motd]/content
	// stringified-json: cannot hold File[/etc/motd]/content
	// yaml: same
	// tabulated-json: same
	// tabulated-msgpack: same
}
