package deferred_test

import (
	"context"
	"fmt"

	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

func ExampleResolver() {
	functions, err := stdlib.New(func(text string) (pcore.Type, error) { return typeexpr.Parse(text, nil) })
	if err != nil {
		fmt.Println(err)
		return
	}
	password := deferred.Answer{Function: "vault_lookup::lookup", Value: pcore.NewSensitive(pcore.String("s3cret"))}
	r := &deferred.Resolver{
		Functions: deferred.NewTable([]deferred.Answer{password}, functions),
		Facts:     pcore.NewHash(pcore.Entry{Key: pcore.String("hostname"), Value: pcore.String("web01")}),
	}
	call := func(name string, args ...pcore.Value) pcore.Value {
		return pcore.NewDeferred(name, pcore.NewArray(args...))
	}

	v, err := r.Resolve(context.Background(), call("upcase", call("$facts", pcore.String("hostname"))))
	fmt.Println(v, err)
	v, err = r.Resolve(context.Background(), call("sprintf", pcore.String("password=%s"), call("vault_lookup::lookup", pcore.String("db"))))
	fmt.Println(v, err)
	v, err = r.Resolve(context.Background(), call("my::function"))
	fmt.Println(v, err)
	// Output:
	// 'WEB01' <nil>
	// Sensitive [value redacted] <nil>
	// Deferred({'name' => 'my::function', 'arguments' => []}) my::function is not known
}
