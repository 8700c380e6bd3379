package sensitive_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func ExampleCollector() {
	data := []byte(`{"name":"web01","resources":[
		{"type":"Class","title":"App","parameters":{"password":"S3cret-Value"},"sensitive_parameters":["password"]},
		{"type":"File","title":"/etc/app.conf","parameters":{"content":"pw=S3cret-Value"}}],"edges":[]}`)
	form := formats.RichJSON()
	src := func() *catalog.Reader { return catalog.NewReaderBytes(data, form, serialization.DecodeOptions{}) }

	c := sensitive.NewCollector(sensitive.CollectOptions{})
	if err := c.Collect(src()); err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	if err := c.Secrets().Redactor(nil).Redact(context.Background(), &out, form, src()); err != nil {
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

func ExampleTextMasker() {
	data := []byte(`{"resources":[
		{"type":"File","title":"/a","parameters":{"content":{"__ptype":"Sensitive","__pvalue":"S3cret-Value"}}},
		{"type":"File","title":"/b","parameters":{"content":"pw=S3cret-Value"}}],"edges":[]}`)
	form := formats.RichJSON()
	src := func() *catalog.Reader { return catalog.NewReaderBytes(data, form, serialization.DecodeOptions{}) }

	var c sensitive.Collector
	if err := c.Collect(src()); err != nil {
		fmt.Println(err)
		return
	}
	tickets := map[string]string{"S3cret-Value": "ticket-4711"}
	masker := sensitive.TextMasker(func(text string) string { return cmp.Or(tickets[text], "ticket-0") })
	fmt.Println(c.Secrets().Redactor(masker).Text("login with S3cret-Value"))
	// Output:
	// login with ticket-4711
}
