package roundtrip_test

import (
	"fmt"

	"github.com/pcatdev/pcat/cmd/pcat/internal/verify/roundtrip"
	"github.com/pcatdev/pcat/serialization/formats"
)

func ExampleDocument() {
	const doc = `{"resources":[{"type":"File","title":"/etc/motd","parameters":{"content":{"__ptype":"Binary","__pvalue":"aGkK"}}}]}`
	result, err := roundtrip.Document([]byte(doc), formats.RichJSON(), formats.Default().Formats(), roundtrip.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Same())
	for _, conversion := range result.Formats {
		line := conversion.Format + ": " + string(conversion.Status)
		if conversion.Text != "" {
			line += " " + conversion.Text
		}
		fmt.Println(line)
	}
	// Output:
	// true
	// rich-msgpack: same
	// rich-json: same
	// msgpack: lossy File[/etc/motd]/content
	// json: lossy File[/etc/motd]/content
	// stringified-json: lossy File[/etc/motd]/content
	// yaml: same
	// tabulated-json: same
	// tabulated-msgpack: same
}
