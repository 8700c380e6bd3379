package redact_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/redact"
)

func TestFile(t *testing.T) {
	dir := t.TempDir()
	src, dst := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
	const document = `{"name":"a","resources":[{"type":"T","title":"x","parameters":{"p":"Zx9-qKw4vTz"},"sensitive_parameters":["p"]},` +
		`{"type":"T","title":"y","parameters":{"q":"--pass=Zx9-qKw4vTz"}}]}`
	if err := os.WriteFile(src, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{dst, src} {
		r, err := redact.File(t.Context(), to, src, redact.Options{})
		if err != nil || r.Secrets != 1 || r.Copies != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		got, err := os.ReadFile(to)
		if err != nil || string(got) != strings.ReplaceAll(document, "Zx9-qKw4vTz", "redacted-1-by-pcat") {
			t.Errorf("%s, %v", got, err)
		}
	}
	for _, bad := range []string{filepath.Join(dir, "missing.json"), filepath.Join(dir, "empty.json")} {
		if filepath.Base(bad) == "empty.json" {
			if err := os.WriteFile(bad, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := redact.File(t.Context(), filepath.Join(dir, "c.json"), bad, redact.Options{}); err == nil || !strings.Contains(err.Error(), filepath.Base(bad)) {
			t.Errorf("%v", err)
		}
	}
	all, err := os.ReadDir(dir)
	if err != nil || len(all) != 3 {
		t.Errorf("files are left: %v, %v", fmt.Sprint(all), err)
	}
}

// TestFileOfReport redacts a report: the rest of it keeps its bytes.
func TestFileOfReport(t *testing.T) {
	const report = `{"host": "web01", "report_format": 12, "logs": [{"level":"notice", "source":"Puppet", "tags":[],
  "message":"connecting with --password=%s to db01"}], "resource_statuses": {}}
`
	auditor, err := redact.NewAuditor(audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(name, fmt.Appendf(nil, report, "Vr7mqLt2xPweN9"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time, it is clean
		if _, err := redact.File(t.Context(), name, name, redact.Options{Audit: auditor}); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil || string(got) != fmt.Sprintf(report, "redacted-1-by-pcat") {
			t.Errorf("%s, %v", got, err)
		}
	}
}
