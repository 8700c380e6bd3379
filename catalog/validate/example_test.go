package validate_test

import (
	"fmt"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/validate"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/loader"
)

func Example() {
	modules := loader.New(function.Tree{ModulePath: []string{"../../testdata/catalogs/modules"}}, nil, eval.Lax())
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
	findings, err := validate.New(modules).Resource(r)
	for _, f := range findings {
		fmt.Printf("%s: %s\n", f.At, f.Message)
	}
	fmt.Println(err)
	// Output:
	// Stack::Vhost[shop]/port: parameter 'port' expects an Integer[1, 65535] value, got Integer[80000, 80000]
	// <nil>
}
