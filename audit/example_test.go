package audit_test

import (
	"context"
	"fmt"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
)

// purgeRule finds folders that are purged.
type purgeRule struct{}

func (purgeRule) Rules() []rule.Rule {
	return []rule.Rule{{
		ID: "site/purged-folder", Class: rule.Policy, Severity: rule.Low,
		Title: "A folder is purged", Doc: "Files of other tools disappear from the folder.", Remedy: "Remove purge.",
	}}
}

func (purgeRule) Resource(r *audit.Resource, found func(id, parameter string), _ func(id string, err error)) {
	if purge, ok := r.Parameters.GetString("purge"); ok && r.Type == "File" && purge.String() == "true" {
		found("site/purged-folder", "purge")
	}
}

// A rule in Go, on the resources of a catalog file.
func ExampleCustom() {
	auditor, err := audit.New(audit.Options{Custom: purgeRule{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := auditor.Run(context.Background(), []audit.Input{audit.File("../testdata/catalogs/webstack/rich.json")})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range r.Findings {
		if f.Rule == "site/purged-folder" {
			fmt.Println(f.Severity, f.Rule, f.At)
		}
	}
	// Output:
	// low site/purged-folder File[/etc/apache2/sites-enabled]/purge
}
