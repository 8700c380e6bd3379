package report_test

import (
	"fmt"
	"os"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/check/report"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
)

func ExampleWrite() {
	found := faults.Finding{
		Kind: faults.Dangling, Severity: faults.Error, Ref: catalog.Ref{Type: "Service", Title: "web"}, Target: "Package[web]",
		Manifest: "/etc/puppetlabs/code/environments/production/modules/web/manifests/init.pp", Line: 7,
		Message: "Service[web] has the require Package[web], which is not in the catalog", Fix: "declare Package[web], or remove the require",
	}
	// The same finding in two catalogs is printed once.
	r := &report.Report{Results: []report.Result{
		{File: "a.json", Node: "web01", Findings: []faults.Finding{found}},
		{File: "b.json", Node: "web02", Findings: []faults.Finding{found}},
	}}
	if err := report.Write(os.Stdout, "text", r, report.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// error  Service[web] has the require Package[web], which is not in the catalog  (dangling)
	//   where   modules/web/manifests/init.pp:7
	//   in      a.json (web01), b.json (web02)
	//   fix     declare Package[web], or remove the require
	//
	// 2 errors in 2 catalogs
}
