package deferred_test

import (
	"context"
	"fmt"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func ExampleResolver() {
	functions, err := stdlib.New()
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
	// Deferred({'name' => 'my::function', 'arguments' => []}) unknown function my::function
}

// A Go function answers calls of Deferred values. Its dispatches declare the
// arguments; a Sensitive result stays secret.
func Example_function() {
	functions, err := stdlib.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	passwords := map[string]string{"shop": "s3cret"}
	err = functions.Add(function.Function{
		Name: "site::password",
		Doc:  "Returns the password of a database.",
		Dispatches: []function.Dispatch{{
			Text: "String[1] database >> Sensitive[String]",
			Call: func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				database, _ := args[0].(pcore.String)
				password, ok := passwords[string(database)]
				if !ok {
					return nil, fmt.Errorf("no password for the database %s", database)
				}
				return pcore.NewSensitive(pcore.String(password)), nil
			},
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := &deferred.Resolver{Functions: functions}
	for _, database := range []pcore.Value{pcore.String("shop"), pcore.String("blog"), pcore.Integer(1)} {
		v, err := r.Resolve(context.Background(), pcore.NewDeferred("site::password", pcore.NewArray(database)))
		fmt.Println(v.Kind(), err)
	}
	// Output:
	// Sensitive <nil>
	// Deferred site::password(): no password for the database 'blog'
	// Deferred 'site::password' parameter 'database' expects a String value, got Integer
}

// The calls of different resources are concurrent. The output keeps catalog
// order.
func ExampleResolver_Parallel() {
	const document = `{"name":"web01","resources":[
		{"type":"Notify","title":"a","parameters":{"message":{"__ptype":"Deferred","name":"upcase","arguments":["first"]}}},
		{"type":"Notify","title":"b","parameters":{"message":{"__ptype":"Deferred","name":"vault::lookup","arguments":["x"]}}}
	]}`
	form := formats.RichJSON()
	open := func() *catalog.Reader {
		return catalog.NewReaderBytes([]byte(document), form, serialization.DecodeOptions{})
	}
	functions, err := stdlib.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	r := &deferred.Resolver{Functions: functions}
	parallel := r.Parallel(context.Background(), 4, open().Resources())
	defer parallel.Close()
	for res, err := range open().Resources() {
		if err != nil {
			fmt.Println(err)
			return
		}
		res, err = parallel.Resource(context.Background(), res)
		if err != nil {
			fmt.Println(err)
			return
		}
		message, _, err := res.Parameter("message")
		fmt.Println(res.Ref(), message, err)
	}
	fmt.Println(parallel.Err())
	// Output:
	// Notify[a] 'FIRST' <nil>
	// Notify[b] Deferred({'name' => 'vault::lookup', 'arguments' => ['x']}) <nil>
	// Notify[b]/message: unknown function vault::lookup
}
