package audit_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/pcatdev/pcat/audit"
)

// The identifier of a repair is the same on other nodes, lines, environments and for other secrets,
// with and without a key, and differs for other rules, resources and manifests.
func TestRepair(t *testing.T) {
	repair := func(node, title, file string, line int, secret, key string) string {
		t.Helper()
		a, err := audit.New(audit.Options{Key: []byte(key)})
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.Run(context.Background(), []audit.Input{audit.Document(node, fmt.Appendf(nil,
			`{"name":%q,"resources":[{"type":"File","title":%q,"file":%q,"line":%d,"parameters":{"content":"password = %s\n"}}],"edges":[]}`, node, title, file, line, secret))})
		if err != nil || len(r.Findings) != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		return r.Findings[0].Repair
	}
	const production, secret = "/etc/puppetlabs/code/environments/production/site/app.pp", "k9FzQ2mTx8Lw0vR4"
	want := repair("web01.example.com", "/etc/app/web01.conf", production, 3, secret, "")
	if len(want) != 16 {
		t.Errorf("got %q", want)
	}
	for name, got := range map[string]string{
		"line":        repair("web01.example.com", "/etc/app/web01.conf", production, 30, secret, ""),
		"node":        repair("web02.example.com", "/etc/app/web02.conf", production, 3, secret, ""),
		"environment": repair("web01.example.com", "/etc/app/web01.conf", "/code/environments/test/site/app.pp", 3, secret, ""),
		"secret":      repair("web01.example.com", "/etc/app/web01.conf", production, 3, "n7Hq-vL2pX-83kd", ""),
		"key":         repair("web01.example.com", "/etc/app/web01.conf", production, 3, secret, "a key"),
	} {
		if got != want {
			t.Errorf("another %s: %s, want %s", name, got, want)
		}
	}
	for name, got := range map[string]string{
		"title":    repair("web01.example.com", "/etc/app/other.conf", production, 3, secret, ""),
		"word":     repair("web01.example.com", "/etc/app/web011.conf", production, 3, secret, ""),
		"manifest": repair("web01.example.com", "/etc/app/web01.conf", "/code/environments/test/site/b.pp", 3, secret, ""),
	} {
		if got == want {
			t.Errorf("another %s: the same repair", name)
		}
	}
	if repair("db.example.com", "/etc/db/x", production, 3, secret, "") != repair("web.example.com", "/etc/db/x", production, 3, secret, "") {
		t.Error("the host db is not the word db")
	}
}
