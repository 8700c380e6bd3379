package sensitive_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func ExampleRedactor() {
	data := []byte(`{"name":"web01","resources":[
		{"type":"Class","title":"App","parameters":{"password":"S3cret-Value"},"sensitive_parameters":["password"]},
		{"type":"File","title":"/etc/app.conf","parameters":{"content":"pw=S3cret-Value"}}],"edges":[]}`)
	form, err := formats.Default().ByName("rich-json")
	if err != nil {
		fmt.Println(err)
		return
	}
	src := func() *catalog.Reader { return catalog.NewReaderBytes(data, form, serialization.DecodeOptions{}) }

	r := sensitive.New(sensitive.Options{})
	if err := r.Collect(src()); err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	if err := r.Redact(context.Background(), &out, form, src()); err != nil {
		fmt.Println(err)
		return
	}
	for res, err := range catalog.NewReaderBytes(out.Bytes(), form, serialization.DecodeOptions{}).Resources() {
		if err != nil {
			fmt.Println(err)
			return
		}
		parameters, err := res.RevealParameters()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Ref(), slices.Collect(parameters.Values()))
	}
	// Output:
	// Class[App] ['redacted-1-by-pcat']
	// File[/etc/app.conf] ['pw=redacted-1-by-pcat']
}
