package rule_test

import (
	"fmt"

	"github.com/pcatdev/pcat/audit/rule"
)

// The rules of an audit: the built-in ones, and more.
func ExampleRegistry_With() {
	builtin, err := rule.Default()
	if err != nil {
		fmt.Println(err)
		return
	}
	rules, err := builtin.With(rule.Rule{
		ID: "site/world-writable", Class: rule.Policy, Severity: rule.High,
		Title: "Everyone can write a file", Doc: "Any user can change the file.", Remedy: "Remove the bit.",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, ok := rules.ByID("site/world-writable")
	fmt.Println(r.Title, r.Severity, r.Class, ok)
	// Output: Everyone can write a file high policy true
}
