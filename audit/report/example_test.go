package report_test

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func ExampleWrite() {
	data := []byte(`{"name":"web01","resources":[{"type":"User","title":"app","parameters":{"ensure":"present"}}],"edges":[]}`)
	format := formats.RichJSON()
	auditor, err := audit.New(audit.Options{Key: []byte("a key of sixteen bytes or more")})
	if err != nil {
		fmt.Println(err)
		return
	}
	open := func() (*catalog.Reader, io.Closer, error) {
		return catalog.NewReaderBytes(data, format, serialization.DecodeOptions{}), nil, nil
	}
	found, err := auditor.Run(context.Background(), []audit.Input{{Name: "web01.json", Open: open}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := report.Write(os.Stdout, "junit", found, report.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <testsuites name="pcat audit" tests="1" failures="0" errors="0">
	//   <testsuite name="pcat audit" tests="1" failures="0" errors="0">
	//     <testcase name="1 catalog audited, no findings" classname="pcat"></testcase>
	//   </testsuite>
	// </testsuites>
}
