package auditconfig_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

func report() *audit.Report {
	finding := func(id, kind, title, parameter, node string) audit.Finding {
		return audit.Finding{
			Rule: id, Severity: rule.High, At: catalog.Location{Ref: catalog.Ref{Type: kind, Title: title}}, Type: kind, Title: title, Parameter: parameter,
			Node: node, Catalog: node + ".json", File: "/etc/code/modules/a/manifests/init.pp", Fingerprint: id + title,
		}
	}
	return &audit.Report{Findings: []audit.Finding{
		finding("plain-secret-parameter", "Profile::Legacy::Db", "main", "password", "web01"),
		finding("provider-token/github-pat", "File", "/etc/x", "content", "web01"),
		finding("secret-in-content", "File", "/etc/y", "content", "web02"),
	}}
}

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func allowed(r auditconfig.Result) (n int) {
	for _, d := range r.Dropped {
		if d.Entry != nil {
			n++
		}
	}
	return n
}

func TestApply(t *testing.T) {
	tests := []struct {
		name, config, left, warnings string
		allowed                      int
	}{
		{"nothing", "", "plain-secret-parameter provider-token/github-pat secret-in-content", "", 0},
		{"a rule", "allow:\n- {rule: secret-in-content, reason: r}", "plain-secret-parameter provider-token/github-pat", "", 1},
		{"a family", "allow:\n- {rule: provider-token, reason: r}", "plain-secret-parameter secret-in-content", "", 1},
		{"a type by a pattern", "allow:\n- {type: 'Profile::Legacy::*', parameter: 'pass?ord', reason: r}", "provider-token/github-pat secret-in-content", "", 1},
		{"a node", "allow:\n- {node: web01, reason: r}", "secret-in-content", "", 2},
		{"a file", "allow:\n- {manifest: '*/modules/a/*', reason: r}", "", "", 3},
		{"a file as a report shows it", "allow:\n- {manifest: modules/a/manifests/init.pp, reason: r}", "", "", 3},
		{"relative files", "allow:\n- {manifest: 'modules/a/*', reason: r}", "", "", 3},
		{"the end of a name is no file", "allow:\n- {manifest: 'odules/a/*', reason: r}", "plain-secret-parameter provider-token/github-pat secret-in-content", "line 2: the entry matches no finding", 0},
		{"an absolute file", "allow:\n- {manifest: /modules/a/manifests/init.pp, reason: r}", "plain-secret-parameter provider-token/github-pat secret-in-content", "line 2: the entry matches no finding", 0},
		{"a fingerprint", "allow:\n- {fingerprint: secret-in-content/etc/y, reason: r}", "plain-secret-parameter provider-token/github-pat", "", 1},
		{"all that it names", "allow:\n- {node: web01, type: Exec, reason: r}", "plain-secret-parameter provider-token/github-pat secret-in-content", "line 2: the entry matches no finding", 0},
		{"its last day", "allow:\n- {node: web01, reason: r, expires: 2026-06-01}", "secret-in-content", "", 2},
		{"the day after", "allow:\n- {node: web01, reason: r, expires: 2026-05-31}", "plain-secret-parameter provider-token/github-pat secret-in-content", "line 2: the entry expired on 2026-05-31", 0},
		{"a rule that is off", "severities: {provider-token: off}", "plain-secret-parameter secret-in-content", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := auditconfig.Parse([]byte(tt.config))
			if err != nil {
				t.Fatal(err)
			}
			r := report()
			result := c.Apply(r, now)
			var left []string
			for _, f := range r.Findings {
				left = append(left, f.Rule)
			}
			if got := strings.Join(left, " "); got != tt.left || allowed(result) != tt.allowed || strings.Join(result.Warnings, "\n") != tt.warnings {
				t.Errorf("left %q, %+v; want %q, %d allowed, warnings %q", got, result, tt.left, tt.allowed, tt.warnings)
			}
		})
	}
}

func TestSeverities(t *testing.T) {
	c, err := auditconfig.Parse([]byte("severities: {secret-in-content: info, provider-token: low, provider-token/github-pat: medium}"))
	if err != nil {
		t.Fatal(err)
	}
	r := report()
	c.Apply(r, now)
	if r.Findings[0].Severity != rule.High || r.Findings[1].Severity != rule.Medium || r.Findings[2].Severity != rule.Info {
		t.Errorf("got %v %v %v", r.Findings[0].Severity, r.Findings[1].Severity, r.Findings[2].Severity)
	}
}

func TestUnknownSeverities(t *testing.T) {
	c, err := auditconfig.Parse([]byte("severities: {weak-secert: off, provider-token/new: low}\nallow:\n" +
		"- {rule: plain-secrets, reason: r}\n- {rule: 'plain-secret-?', reason: r}\n- {rule: secret-in-content, reason: r}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := report()
	if r.Rules, err = rule.Default(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(c.Apply(r, now).Warnings, "|"); got != `severities: unknown rule "weak-secert"|line 3: unknown rule "plain-secrets"|line 4: the entry matches no finding` {
		t.Errorf("got %q", got)
	}
}

// Entries count the findings that they match, also after they have expired.
func TestMatches(t *testing.T) {
	c, err := auditconfig.Parse([]byte("allow:\n- {rule: '*', reason: r, expires: 2020-01-01}\n- {rule: secret-in-content, reason: r}\n- {type: None, reason: r}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := report()
	all := len(r.Findings)
	if got := c.Apply(r, now); !slices.Equal(got.Matches, []int{all, len(got.Dropped), 0}) || len(got.Dropped) == 0 {
		t.Errorf("got %d of %d findings", got.Matches, all)
	}
}

// Fingerprints made with and without a key are not compared, and a warning says so.
func TestFingerprintOfAnotherKind(t *testing.T) {
	keyed, location := strings.Repeat("a", 32), strings.Repeat("b", 64)
	c, err := auditconfig.Parse([]byte("allow:\n- {fingerprint: " + keyed + ", reason: r}\n- {fingerprint: " + location + ", reason: r}\n- {fingerprint: 'aa*', reason: r}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		keyed bool
		want  string
	}{
		{false, "line 2: the fingerprint was made with a key, but this run has no key|line 3: the entry matches no finding|line 4: the entry matches no finding"},
		{true, "line 2: the entry matches no finding|line 3: the fingerprint was made without a key, but this run has a key|line 4: the entry matches no finding"},
	} {
		if got := strings.Join(c.Apply(&audit.Report{Keyed: tt.keyed}, now).Warnings, "|"); got != tt.want {
			t.Errorf("keyed %v: got %q, want %q", tt.keyed, got, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"allow:\n- {rule: x}":                           "line 2: the entry has no reason",
		"allow:\n- {reason: r}":                         "line 2: the entry has no condition",
		"allow:\n- {rule: x, reason: r, tilte: y}":      `unknown key "tilte" in an entry`,
		"allow:\n- {rule: x, reason: r, expires: soon}": "line 2: \"soon\" is not a date",
		"severities:\n  weak-secret: urgent":            "line 2: \"urgent\": unknown severity",
		"severities: {weak-secret: [low]}":              "line 1: unexpected list",
		"\nallwo: []":                                   "line 2: unknown key allwo",
		"allow: [":                                      "line 1",
		"severities: [a]":                               "line 1: unexpected list, expected a map",
		"rules: {a: b}":                                 "line 1: rules must be a list",
		"rules:\n- {id: a, wen: 'true', title: t}":      "line 2: unknown key \"wen\" in a rule",
		"rules:\n- {id: a, when: 'true', title: t}\n- {id: b, title: t}":  "line 3: invalid rule: b has no expression",
		"rules:\n- id: a\n  when: 'true'\n  title: t\n  severity: urgent": "line 2: \"urgent\": unknown severity",
		"rules:\n- {id: a, when: [1], title: t}":                          "line 2: unexpected list, expected a text",
		"rules:\n- {id: a b, when: x, title: t}":                          "line 2: invalid rule: \"a b\" is not an ID",
		"names: {secret: {a: b}}":                                         "line 1",
		"allow:\n- {rule: x, reason: r, expires: 2026-02-31}":             "is not a date",
		strings.Repeat("a: &a [*a]\n", 1):                                 "",
		"allow:\n- {rule: x, reason: r, rule: y}":                         "line 2",
		"x: &x {a: 1}\nallow:\n- {<<: *x, rule: x, reason: 'r'}":          "",
	} {
		_, err := auditconfig.Parse([]byte(text))
		if !errors.Is(err, auditconfig.ErrConfig) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(root, "a", auditconfig.Name)
	if err := os.WriteFile(want, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := auditconfig.Find(deep); err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if got, err := auditconfig.Find(root); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %q, %v; want none", got, err)
	}
}

// A pattern of manifests under `file`, which named the manifest in version 0.1, is an error; one of inputs is none.
func TestFormerFile(t *testing.T) {
	for pattern, isManifest := range map[string]bool{
		"legacy/*.pp": true, "modules/a/*": true, "site/*/manifests/*": true,
		"modules/a/spec/catalogs/*.json": false, "catalogs/*": false, "web01.json": false,
	} {
		_, err := auditconfig.Parse([]byte("allow:\n- rule: weak-secret\n  file: '" + pattern + "'\n  reason: known\n"))
		if (err != nil) != isManifest || isManifest && !strings.Contains(err.Error(), "use manifest") {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}
