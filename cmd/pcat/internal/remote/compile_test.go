package remote_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote/compile"
	"github.com/pcatdev/pcat/internal/source"
)

// PuppetDB is asked once for both sides of a comparison: it has the answers at one time.
func TestStoredAnswers(t *testing.T) {
	var inventory, resources atomic.Int32
	puppetdb := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/pdb/query/v4/inventory":
			_, _ = fmt.Fprintf(w, `[{"certname":"web01","facts":{"number":%d},"trusted":{}}]`, inventory.Add(1))
		case "/pdb/query/v4/resources":
			_, _ = fmt.Fprintf(w, `[{"certname":"lb01","type":"Host","title":"h%d","parameters":{}}]`, resources.Add(1))
		}
	}))
	defer puppetdb.Close()
	t.Chdir(t.TempDir())
	s := cli.Streams(strings.NewReader(""), t.Output(), t.Output())
	f := &remote.Flags{Settings: []string{"puppetdb=" + puppetdb.URL}}
	f.Compile.Exported = "puppetdb:"
	client := func() (*source.Client, error) {
		c, _, err := f.Client(s)
		return c, err
	}
	for _, ref := range []string{"main", "feature"} {
		found, err := f.Compile.Settings(s, client, compile.Address{Ref: ref, Facts: "puppetdb:"})
		if err != nil {
			t.Fatal(err)
		}
		o := found.Options
		for range 2 {
			facts, err := o.Facts.Facts(t.Context(), "web01")
			if err != nil || !strings.Contains(facts.Values.String(), "1") {
				t.Errorf("%s: got %v, error %v", ref, facts, err)
			}
			hosts, err := o.Exported.Exported(t.Context(), compile.Query{Type: "Host", Node: "web01"})
			if err != nil || len(hosts) != 1 || hosts[0].Title != "h1" {
				t.Errorf("%s: got %v, error %v", ref, hosts, err)
			}
		}
	}
	if inventory.Load() != 1 || resources.Load() != 1 {
		t.Errorf("PuppetDB was asked %d times for facts and %d times for resources", inventory.Load(), resources.Load())
	}
	other, err := f.Compile.Settings(s, client, compile.Address{Facts: `puppetdb:?query=inventory{facts.os.family = "Debian"}`})
	if err != nil || other.Facts.String() == "puppetdb:" {
		t.Errorf("another query has the same facts: %v, error %v", other.Facts, err)
	}
}
