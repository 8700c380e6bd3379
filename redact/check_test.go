package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/redact"
)

// Each location of a resource with many findings has its own finding, and no other.
func TestCheckManyFindings(t *testing.T) {
	if testing.Short() {
		t.Skip("it redacts thousands of values")
	}
	const n = 2000
	var parameters []string
	for i := range n {
		parameters = append(parameters, fmt.Sprintf(`"db%d_password":"Zx9-qKw4vTz-%d"`, i, i*7919))
	}
	documents := []*document{{text: in(`{"type":"My::App","title":"a","parameters":{` + strings.Join(parameters, ",") + `}}`)}}
	result, err := redact.Check(t.Context(), inputs(t, documents), redact.Options{Audit: auditor(t)})
	if err != nil || result.Failures[0] != nil || len(result.Replacements[0]) != n {
		t.Fatal(len(result.Replacements[0]), result.Failures, err)
	}
	for i, p := range result.Replacements[0] {
		if at := fmt.Sprintf("My::App[a]/db%d_password", i); p.At.String() != at || len(p.Findings) != 1 || p.Findings[0].At.String() != at || p.Declared {
			t.Fatalf("place %d is %s, with %d findings", i, p.At, len(p.Findings))
		}
	}
}
