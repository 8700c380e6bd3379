package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]Address{
		"puppetdb:":                           {System: PuppetDB},
		"puppetdb:web01.example.com":          {System: PuppetDB, Node: "web01.example.com"},
		"puppetdb://pdb.example.com":          {System: PuppetDB, Host: "pdb.example.com"},
		"puppetdb://pdb:8081/web01":           {System: PuppetDB, Host: "pdb:8081", Node: "web01"},
		"puppetdb://[::1]:8080/web01?tls=no":  {System: PuppetDB, Host: "[::1]:8080", Node: "web01", Insecure: true},
		"puppetdb:?query=nodes{facts.a = 1}":  {System: PuppetDB, Query: "nodes{facts.a = 1}"},
		`puppetdb:?query=["=","a","b%26c"]`:   {System: PuppetDB, Query: `["=","a","b&c"]`},
		"puppetserver:web01?environment=test": {System: PuppetServer, Node: "web01", Environment: "test"},
		"puppetserver:?environment=test&api=v3&query=nodes{a ~ 'b+'}": {
			System: PuppetServer, Environment: "test", API: "v3", Query: "nodes{a ~ 'b+'}",
		},
		"puppetdb:web01?what=events&since=2026-11-28": {System: PuppetDB, Node: "web01", What: "events", Since: "2026-11-28"},
		"puppetdb:?what=facts":                        {System: PuppetDB, What: "facts"},
		"agent:web01?what=report":                     {System: Agent, Node: "web01", What: "report"},
		"agent:":                                      {System: Agent},
		"agent:web01":                                 {System: Agent, Node: "web01"},
	} {
		got, err := ParseAddress(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", text, diff)
		}
	}
	for text, want := range map[string]string{
		"catalog.json":                        `"catalog.json" is not an address`,
		"puppetdb:Web01":                      `"Web01" is not a certname`,
		"puppetdb:../x":                       `"../x" is not a certname`,
		"puppetdb:a/b":                        `"a/b" is not a certname`,
		"puppetdb:..":                         `".." is not a certname`,
		"puppetdb:web01?query=nodes{}":        "use a certname or a query, not both",
		"puppetdb:?querry=x":                  `has no parameter "querry"; parameters: query, tls`,
		"puppetdb:?query=a&query=b":           "parameter query is given twice",
		"puppetdb:?tls=no":                    "tls=no needs a host",
		"puppetdb:?what=catalogs":             "what=catalogs: use reports, events, facts, resources",
		"puppetdb:?since=2026-11-28":          "since=TIME needs what=reports or what=events",
		"puppetdb://u:secret@host/":           "an address cannot contain a user or a password",
		"puppetdb://a b/":                     `"a b" is not a host`,
		"puppetdb:///web01":                   `"" is not a host`,
		"puppetdb://host:/web01":              `"host:" is not a host`,
		"puppetdb://host#x/web01":             `"host#x" is not a host`,
		"puppetdb://::1/web01":                `"::1" is not a host`,
		"puppetserver:web01?api=v5":           "api=v5: use v3 or v4",
		"agent://host/":                       "has no host",
		"agent:?query=x":                      `has no parameter "query"; parameters: what`,
		"puppetserver:web01?environment=100%": "write % as %25",
	} {
		_, err := ParseAddress(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error contains the password", text)
		}
	}
}

// An address is the same after it was written and parsed.
func TestAddressText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Address{
			System: rapid.SampledFrom(systems()).Draw(t, "system"),
			Node:   rapid.SampledFrom([]string{"", "web01", "a b?c%d~&"}).Draw(t, "node"),
		}
		if want.System != Agent {
			want.Host = rapid.SampledFrom([]string{"", "host", "host:1", "[::1]:2"}).Draw(t, "host")
			if want.Node == "" {
				want.Query = rapid.StringMatching(`[ -~]{0,9}`).Draw(t, "query")
			}
		}
		if want.System == PuppetServer {
			want.Environment = rapid.StringMatching(`[a-z%&=?#]{0,9}`).Draw(t, "environment")
			want.API = rapid.SampledFrom([]string{"", "v3", "v4"}).Draw(t, "api")
		}
		want.Insecure = want.System == PuppetDB && want.Host != "" && rapid.Bool().Draw(t, "insecure")
		got, err := ParseAddress(want.String())
		if err != nil || got != want {
			t.Fatalf("%q: got %+v, %v, want %+v", want.String(), got, err, want)
		}
	})
}
