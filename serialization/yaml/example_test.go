package yaml_test

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/yaml"
)

func ExampleAppend() {
	v := pcore.NewHash(
		pcore.Entry{Key: pcore.String("content"), Value: pcore.String("line one\nline two\n")},
		pcore.Entry{Key: pcore.String("mode"), Value: pcore.String("0644")},
		pcore.Entry{Key: pcore.String("span"), Value: pcore.NewTimespan(90, 0)},
	)
	text, err := yaml.Append(nil, v, serialization.EncodeOptions{})
	fmt.Print(string(text), err)
	// Output:
	// content: |
	//   line one
	//   line two
	// mode: "0644"
	// span:
	//   __ptype: Timespan
	//   __pvalue: "0-00:01:30.0"
	// <nil>
}
