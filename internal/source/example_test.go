package source_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/pcatdev/pcat/internal/source"
)

func ExampleClient() {
	puppetdb := imitation() // instead of a real one
	defer puppetdb.Close()
	settings, err := source.ReadSettings(map[string]string{"puppetdb": puppetdb.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	client := source.NewClient(settings, nil)
	nodes, err := source.ParseAddress(`puppetdb:?query=nodes{facts.os.family = "Debian"}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	all, err := client.List(ctx, nodes)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, one := range all {
		document, err := client.Read(ctx, one, 0)
		fmt.Println(one, string(document), err)
	}
	// Output:
	// puppetdb:web01 {"certname":"web01"} <nil>
	// puppetdb:web02 {"certname":"web02"} <nil>
}

func ExampleParseAddress() {
	a, err := source.ParseAddress("puppetserver:web01.example.com?environment=feature")
	fmt.Println(a.System, a.Node, a.Environment, err)
	_, err = source.ParseAddress("puppetserver:web01?branch=feature")
	fmt.Println(err)
	// Output:
	// puppetserver web01.example.com feature <nil>
	// puppetserver: has no parameter "branch"; parameters: environment, api, query
}

// imitation answers as PuppetDB does.
func imitation() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/pdb/query/v4":
			_, _ = fmt.Fprint(w, `[{"certname":"web02"},{"certname":"web01"}]`)
		case "/pdb/query/v4/catalogs/web01", "/pdb/query/v4/catalogs/web02":
			_, _ = fmt.Fprintf(w, `{"certname":%q}`, r.URL.Path[len(r.URL.Path)-5:])
		}
	}))
}
