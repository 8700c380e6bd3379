package vault_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/deferred/vault"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
)

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"data":{"data":{"password":"s3cret"}}}`) // instead of Vault
	}))
	defer server.Close()
	secrets, err := vault.New(vault.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := &deferred.Resolver{
		Functions: deferred.Providers{functions, secrets},
		Policy:    deferred.Policy{Effects: function.UsesNetwork},
	}
	options := pcore.NewHash(
		pcore.Entry{Key: pcore.String("vault_addr"), Value: pcore.String(server.URL)},
		pcore.Entry{Key: pcore.String("auth_method"), Value: pcore.String("agent")},
		pcore.Entry{Key: pcore.String("field"), Value: pcore.String("password")},
	)
	call := pcore.NewDeferred(vault.Name, pcore.NewArray(pcore.String("secret/data/db"), options))
	v, err := r.Resolve(context.Background(), call)
	fmt.Println(v, err)
	// Output: Sensitive [value redacted] <nil>
}
