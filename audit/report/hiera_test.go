package report_test

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
)

// The block for Hiera has each class parameter with a secret in plain text once.
func TestHiera(t *testing.T) {
	const document = `{"name":"n","resources":[
		{"type":"Class","title":"Profile::Db","parameters":{"token":"zK4top-k9Xw-Tq4","settings":{"password":"q8Zr-TnVk2L-wXs4","a":{"secret":"Gx7vhuz-Tqm2-Lw"}},"strong":"hunter2","api_key":"q8Zr-TnVk2L-wXs4"},"sensitive_parameters":["strong"]},
		{"type":"Class","title":"App","parameters":{"password":"changeme","dsn":"amqp://app:Gx7vhuz-Tqm2-Lw@mq/x",
			"vault":{"__ptype":"Deferred","name":"vault_lookup::lookup","arguments":["a",{"secret_id":"Ty5-hUkm-Wq2z-8Lp"}]}}},
		{"type":"Profile::Define","title":"a","parameters":{"password":"Bn4-vXwe-Rt6y-1Qs"}}
	],"edges":[]}`
	_, block, _ := strings.Cut(write(t, "hiera", audited(t, document, document)), "\nlookup_options:")
	const want = `
  app::dsn:
    convert_to: Sensitive
  app::password:
    convert_to: Sensitive
  profile::db::api_key:
    convert_to: Sensitive
  profile::db::settings:
    convert_to: Sensitive
  profile::db::token:
    convert_to: Sensitive
`
	if block != want {
		t.Errorf("got %s", block)
	}
	if empty := write(t, "hiera", &audit.Report{Catalogs: 1}); !strings.HasSuffix(empty, "\nlookup_options: {}\n") {
		t.Errorf("got %s", empty)
	}
}
