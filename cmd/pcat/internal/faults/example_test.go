package faults_test

import (
	"fmt"
	"os"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func Example() {
	document, err := os.ReadFile("../../../../testdata/graphs/cycle-contain.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := catalog.NewReaderBytes(document, formats.RichJSON(), serialization.DecodeOptions{})
	for result, err := range faults.Catalogs(r, new(sensitive.Redactor), faults.Options{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, f := range result.Findings {
			fmt.Printf("%s: %s\n%s\n", f.Severity, f.Message, f.Puppet[0])
			for _, w := range f.Path {
				fmt.Println(w.After, "waits for", w.Before.String()+":", w.Why)
			}
		}
	}
	// Output:
	// error: dependency cycle of 3 resources
	// Found 1 dependency cycle: (Notify[i] => Class[Inner] => Class[Outer] => Notify[i])
	// Class[Outer] waits for Class[Inner]: contains it
	// Class[Inner] waits for Notify[i]: contains it
	// Notify[i] waits for Class[Outer]: require
}

func ExampleValidator() {
	modules := eval.NewLoader(function.Tree{ModulePath: []string{"../../../../testdata/catalogs/modules"}}, nil, eval.Lax())
	entry := func(key string, v pcore.Value) pcore.Entry { return pcore.Entry{Key: pcore.String(key), Value: v} }
	r, err := catalog.NewResource(pcore.NewHash(
		entry("type", pcore.String("Stack::Vhost")),
		entry("title", pcore.String("shop")),
		entry("parameters", pcore.NewHash(entry("docroot", pcore.String("/srv")), entry("port", pcore.Integer(80_000)))),
	))
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := faults.NewValidator(modules).Resource(r)
	for _, f := range found {
		fmt.Printf("%s: %s\n", f.At, f.Message)
	}
	fmt.Println(err)
	// Output:
	// Stack::Vhost[shop]/port: parameter 'port' expects an Integer[1, 65535] value, got Integer[80000, 80000]
	// <nil>
}
