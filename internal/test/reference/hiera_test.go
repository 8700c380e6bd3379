package reference

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/report"
)

// TestHiera compiles classes with plain text from Hiera, and again with the lookup_options
// that the audit writes for the first catalog. The second catalog has no finding.
func TestHiera(t *testing.T) {
	requirePuppet(t)
	c := compiler{serve(t, "testdata/compile.rb", t.TempDir(), "testdata/hiera")}
	const data = `profile::db::password: q8Zr-TnVk2L-wXs4
profile::db::user: shop
profile::db::settings: {replica: {host: db02.example.com, password: zK4top-k9Xw-Tq4}}
profile::shop::dsn: postgresql://shop:Gx7vhuz-Tqm2-Lw@db01.example.com/shop
`
	audited := func(data string) (*audit.Report, []byte) {
		compiled := c.compile(t, "web01.example.com", "include profile::shop", map[string]string{"common.yaml": data})
		return auditOf(t, compiled), compiled
	}
	before, _ := audited(data)
	var b bytes.Buffer
	if err := report.Write(&b, "hiera", before, report.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"profile::db::password", "profile::db::settings", "profile::shop::dsn"} {
		if !strings.Contains(b.String(), "\n  "+key+":\n    convert_to: Sensitive\n") {
			t.Errorf("no options for %s:\n%s", key, b.String())
		}
	}
	i := slices.IndexFunc(before.Findings, func(f audit.Finding) bool { return f.Title == "Profile::Db" })
	if i < 0 || !strings.HasSuffix(before.Findings[i].File, "/modules/profile/manifests/db.pp") {
		t.Errorf("the class has no manifest: %+v", before.Findings)
	}
	after, compiled := audited(data + b.String())
	for _, f := range after.Findings {
		t.Errorf("found again: %s at %s", f.Rule, f.Location())
	}
	if want := `"sensitive_parameters":["password","settings"]`; !bytes.Contains(compiled, []byte(want)) {
		t.Errorf("the parameters are not Sensitive: %s", compiled)
	}
}

// auditOf returns the report of an audit of a catalog in rich JSON.
func auditOf(t *testing.T, data []byte) *audit.Report {
	t.Helper()
	a, err := audit.New(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Run(t.Context(), []audit.Input{audit.Document("catalog", data)})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Failures {
		t.Fatal(f)
	}
	return r
}
