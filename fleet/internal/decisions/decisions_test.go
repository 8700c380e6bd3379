package decisions_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/fleet/internal/decisions"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

const secret = "k9FzQ2mTx8Lw0vR4"

// report returns a report with a finding in /etc/app.ini and one in /srv/x.
func report(t *testing.T, key []byte) *audit.Report {
	t.Helper()
	a, err := audit.New(audit.Options{Key: key})
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Run(context.Background(), []audit.Input{audit.Document("f/web", []byte(
		`{"name":"web","resources":[{"type":"File","title":"/etc/app.ini","parameters":{"content":"password = `+secret+`\n"}},`+
			`{"type":"File","title":"/srv/x","parameters":{"content":"password = `+secret+`\n"}}],"edges":[]}`))})
	if err != nil || len(r.Findings) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	return r
}

// files writes a configuration and a baseline.
func files(t *testing.T, text, baseline string) decisions.Files {
	t.Helper()
	f := decisions.Files{Config: filepath.Join(t.TempDir(), auditconfig.Name), Baseline: filepath.Join(t.TempDir(), "baseline.jsonl")}
	for path, text := range map[string]string{f.Config: text, f.Baseline: baseline} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// Acceptances and the configuration are applied together, and then the baseline. A decision that
// contains a secret is hidden.
func TestApply(t *testing.T) {
	key := []byte("a key of the test")
	var b strings.Builder
	if err := auditconfig.NewBaseline(report(t, key)).Write(&b, key); err != nil {
		t.Fatal(err)
	}
	known := strings.ReplaceAll(b.String(), `"rule":`, `"reason":"it is `+secret+`","rule":`)
	w, err := decisions.New(files(t, "severities: {weak-secert: off}\nallow:\n- {title: /etc/*, reason: r, expires: 2030-01-01}\n- {type: Exec, reason: it runs "+secret+"}\n", known), key, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	accepted := []*decisions.Acceptance{
		{ID: "late", By: "x", At: time.Unix(2, 0), Entry: auditconfig.Entry{Title: "/nothing", Reason: "r"}},
		{ID: "early", By: "y", At: time.Unix(1, 0), Entry: auditconfig.Entry{Title: "/etc/app.ini", Reason: "r"}},
	}
	r := report(t, key)
	o := w.Settings().Apply(r, accepted, time.Date(2030, 2, 1, 0, 0, 0, 0, time.UTC))
	if len(r.Findings) != 0 || r.Accepted != 2 || len(o.Accepted) != 2 || len(o.Warnings) != 1 || !strings.Contains(o.Warnings[0], "weak-secert") {
		t.Errorf("%d findings, %d and %d accepted, %s", len(r.Findings), r.Accepted, len(o.Accepted), o.Warnings)
	}
	if reasons := strings.Join(o.Reasons, "|"); reasons != "r|(hidden: it contains a secret)" {
		t.Errorf("the reasons are %s", reasons)
	}
	for i, want := range []decisions.State{
		{ID: "early", Use: decisions.Active, Findings: 1, Condition: decisions.Condition{Title: "/etc/app.ini"}, Reason: "r", By: "y", At: time.Unix(1, 0)},
		{ID: "late", Use: decisions.Unused, Condition: decisions.Condition{Title: "/nothing"}, Reason: "r", By: "x", At: time.Unix(2, 0)},
		{From: ".pcat-audit.yaml:3", Use: decisions.Expired, Findings: 1, Condition: decisions.Condition{Title: "/etc/*"}, Until: "2030-01-01", Reason: "r"},
		{From: ".pcat-audit.yaml:4", Use: decisions.Unused, Reason: "(hidden: it contains a secret)"},
		{From: "baseline.jsonl", Use: decisions.Unused, Findings: 1, Baseline: 2, Missing: 1},
	} {
		if i >= len(o.States) || o.States[i] != want {
			t.Errorf("%d: got %+v, want %+v", i, o.States, want)
			break
		}
	}
}

// Files that cannot be used are an error that says what to do.
func TestFiles(t *testing.T) {
	key := []byte("a key of the test")
	var other strings.Builder
	if err := auditconfig.NewBaseline(report(t, []byte("another key"))).Write(&other, []byte("another key")); err != nil {
		t.Fatal(err)
	}
	for want, f := range map[string]decisions.Files{
		"no such file":                   {Config: "missing.yaml"},
		"line 1: unknown key allows":     files(t, "allows: []\n", ""),
		"pcatd report --format baseline": files(t, "", other.String()),
		"not a baseline: line 1":         files(t, "", "x\n"),
		"missing.toml: open":             files(t, "rule_files: [missing.toml]\n", ""),
		"Illegal variable name":          files(t, "rules:\n- {id: x, when: '$', title: t}\n", ""),
		"bytes; a fleet can have 786432": files(t, "names: {secret: ["+strings.Repeat("x", 1<<20)+"]}\n", ""),
	} {
		if _, err := decisions.New(f, key, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
