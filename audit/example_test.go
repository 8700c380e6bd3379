package audit_test

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
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

// A fleet of two nodes: the second one has a copy of a secret that the first one declares.
func ExampleLedger() {
	ctx := context.Background()
	auditor, err := audit.New(audit.Options{Key: []byte("the key of the fingerprints")})
	if err != nil {
		fmt.Println(err)
		return
	}
	inputs := map[string]audit.Input{
		"db":  catalogOf("db", `{"type":"Class","title":"Db","parameters":{"secret":"n7Hq-vL2pX-83kd"},"sensitive_parameters":["secret"]}`),
		"web": catalogOf("web", `{"type":"Exec","title":"migrate","parameters":{"command":"/opt/migrate n7Hq-vL2pX-83kd"}}`),
	}
	ledger, updater := auditor.NewLedger(nil), auditor.Updater()
	for name, input := range inputs {
		ledger.Put(name, updater.Collect(input))
	}
	for {
		knowledge, changed := ledger.Learn()
		stale := slices.Collect(ledger.Stale())
		if !changed && len(stale) == 0 {
			break
		}
		for _, name := range stale {
			part, err := updater.Update(ctx, inputs[name], ledger.Part(name), knowledge)
			if err != nil {
				fmt.Println(err)
				return
			}
			ledger.Put(name, part)
		}
	}
	for _, f := range ledger.Report().Findings {
		fmt.Println(f.Node, f.Rule, f.Location())
	}
	// Output:
	// web sensitive-cross-node Exec[migrate]/command
}

func catalogOf(node, resource string) audit.Input {
	text := fmt.Sprintf(`{"name":%q,"resources":[%s],"edges":[]}`, node, resource)
	return audit.Input{Name: node, Open: func() (*catalog.Reader, io.Closer, error) {
		return catalog.NewReaderBytes([]byte(text), formats.RichJSON(), serialization.DecodeOptions{}), nil, nil
	}}
}
