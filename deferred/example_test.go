package deferred_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/native"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func ExampleResolver() {
	functions, err := stdlib.New(pcore.OpenVox8)
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

// A Go function answers the calls of a Deferred: its parameters and its result
// are the signature, and a Secret stays secret.
func Example_function() {
	passwords := map[string]string{"shop": "s3cret"}
	password, err := function.Of("site::password", func(database string) (native.Secret[string], error) {
		if p, ok := passwords[database]; ok {
			return native.NewSecret(p), nil
		}
		return native.Secret[string]{}, fmt.Errorf("no password for the database %s", database)
	})
	functions := function.NewRegistry()
	if err := errors.Join(err, functions.Add(password)); err != nil {
		fmt.Println(err)
		return
	}
	r := &deferred.Resolver{Functions: functions}
	for _, database := range []pcore.Value{pcore.String("shop"), pcore.String("blog"), pcore.Integer(1)} {
		v, err := r.Resolve(context.Background(), pcore.NewDeferred("site::password", pcore.NewArray(database)))
		fmt.Println(pcore.KindOf(v), err)
	}
	// Output:
	// Sensitive <nil>
	// Deferred site::password(): no password for the database blog
	// Deferred 'site::password' parameter 'arg1' expects a String value, got Integer
}

// vault is a provider: it answers all functions below vault::.
type vault struct{}

func (vault) Function(name string) (*function.Function, bool) {
	secret, below := strings.CutPrefix(name, "vault::")
	f, err := function.Of(name, func(key string) native.Secret[string] { return native.NewSecret(secret + "/" + key) })
	return &f, below && err == nil
}

// A provider answers calls before the functions of the language.
func ExampleProviders() {
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := &deferred.Resolver{Functions: deferred.Providers{vault{}, functions}}
	for _, name := range []string{"vault::db", "upcase"} {
		v, err := r.Resolve(context.Background(), pcore.NewDeferred(name, pcore.NewArray(pcore.String("root"))))
		fmt.Println(v, err)
	}
	// Output:
	// Sensitive [value redacted] <nil>
	// 'ROOT' <nil>
}

// The calls of different resources are concurrent. The output keeps catalog
// order.
func ExampleResolver_Parallel() {
	const document = `{"name":"web01","resources":[
		{"type":"Notify","title":"a","parameters":{"message":{"__ptype":"Deferred","name":"upcase","arguments":["first"]}}},
		{"type":"Notify","title":"b","parameters":{"message":{"__ptype":"Deferred","name":"vault::lookup","arguments":["x"]}}}
	]}`
	format := formats.RichJSON()
	open := func() *catalog.Reader {
		return catalog.NewReaderBytes([]byte(document), format, serialization.DecodeOptions{})
	}
	functions, err := stdlib.New(pcore.OpenVox8)
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
