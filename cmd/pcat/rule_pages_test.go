package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/auditconfig"
)

// TestRulePages checks that docs/rules has an index and one page for each rule, as the
// registry describes it. With -update, it writes them.
func TestRulePages(t *testing.T) {
	registry, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	rules := slices.Collect(registry.All())
	pages := map[string]string{"README.md": ruleIndex(rules)}
	for _, r := range rules {
		pages[r.ID+".md"] = rulePage(r)
	}
	dir := filepath.Join("..", "..", "docs", "rules")
	if updating(t) {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, page := range pages {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		if pages[filepath.Base(file)] == "" {
			t.Errorf("%s is not the page of a rule", file)
		}
	}
	for name, page := range pages {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		} else if string(text) != page {
			t.Errorf("%s is not up to date; run make update", name)
		}
	}
}

// TestRuleCommand checks that pcat list rules ID shows the wrong and the right code of each rule.
func TestRuleCommand(t *testing.T) {
	registry, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	for r := range registry.All() {
		out := output(t, ".", "pcat list rules "+r.ID)
		for title, code := range map[string]string{"Wrong": r.Wrong, "Right": r.Right} {
			block := "\n" + title + "\n"
			for line := range strings.Lines(code) {
				if line != "\n" {
					line = "  " + line
				}
				block += line
			}
			if code == "" || !strings.Contains(out, block) {
				t.Errorf("pcat list rules %s does not show the code %q:\n%s", r.ID, title, out)
			}
		}
	}
}

// TestAllowEntries checks that the entries for .pcat-audit.yaml on the pages of rules are valid.
func TestAllowEntries(t *testing.T) {
	registry, err := rule.Default()
	if err != nil {
		t.Fatal(err)
	}
	for r := range registry.All() {
		for _, text := range []string{allowEntry(r), severityOff(r)} {
			if _, err := auditconfig.Parse([]byte(text)); err != nil {
				t.Errorf("%s: %v\n%s", r.ID, err, text)
			}
		}
	}
}

const generated = "<!-- Written by make update from audit/rule; changes here are lost. -->\n\n"

// ruleIndex returns the list of all rules, the most severe first.
func ruleIndex(rules []*rule.Rule) string {
	var b strings.Builder
	b.WriteString(generated)
	b.WriteString("# Rules of the audit\n\n")
	b.WriteString(wrapped("This page lists the rules of [`pcat audit`](../audit.md), the most severe first. Each page has wrong and right " +
		"Puppet code; `pcat list rules ID` prints the same text on a terminal. A rule of class *leak* finds a plain-text secret. A rule " +
		"of class *policy* finds a practice that makes leaks likely. The ID of a rule never changes its meaning."))
	b.WriteString("\n| rule | severity | class | finding |\n|---|---|---|---|\n")
	sorted := slices.Clone(rules)
	slices.SortStableFunc(sorted, func(x, y *rule.Rule) int { return int(y.Severity) - int(x.Severity) })
	for _, r := range sorted {
		fmt.Fprintf(&b, "| [`%s`](%s.md) | %s | %s | %s |\n", r.ID, r.ID, r.Severity, r.Class, r.Title)
	}
	b.WriteString("\n" + wrapped("[Custom rules](../audit.md#custom-names-and-rules) have IDs that begin with `own/`."))
	return b.String()
}

// rulePage returns the page of a rule.
func rulePage(r *rule.Rule) string {
	var b strings.Builder
	b.WriteString(generated)
	fmt.Fprintf(&b, "# %s\n\n**%s**\n\n", r.ID, r.Title)
	fmt.Fprintf(&b, "severity %s · class %s", r.Severity, r.Class)
	if r.CWE > 0 {
		fmt.Fprintf(&b, " · [CWE-%d](https://cwe.mitre.org/data/definitions/%d.html)", r.CWE, r.CWE)
	}
	b.WriteString(" · [all rules](README.md)\n\n" + wrapped(r.Doc))
	if r.ID == "at-rest-sensitive" {
		b.WriteString("\n    pcat audit --at-rest catalog.json\n")
	}
	b.WriteString("\n## Remedy\n\n" + wrapped(r.Remedy))
	fmt.Fprintf(&b, "\n## Wrong\n\n```puppet\n%s```\n", r.Wrong)
	fmt.Fprintf(&b, "\n## Right\n\n```puppet\n%s```\n", r.Right)
	notation := "The tests of the rule use these samples. A sample has the location of a parameter and its value; `!` marks a Sensitive " +
		"parameter. `{alnum:12}` represents 12 random characters; `;;` separates resources, and `;;;` separates catalogs."
	if strings.HasSuffix(r.ID, "-in-report") || strings.HasSuffix(r.ID, "-in-fact") || r.ID == "diff-of-secret" {
		notation += " After `report:` or `facts:`, the resources belong to a [report](../reports.md#locations) or to [facts](../facts.md)."
	}
	b.WriteString("\n## Samples\n\n" + wrapped(notation))
	ruleSamples(&b, "Detected, between « and »:", r, r.Catch)
	ruleSamples(&b, "Not detected:", r, r.Ignore)
	b.WriteString("\n## Intended findings\n\n" + wrapped("Accept intended findings in `.pcat-audit.yaml`, with a reason and an end date. "+
		"`type`, `title`, `parameter`, `file` and `fingerprint` select single findings "+
		"([more](../audit.md#entries-for-intended-findings))."))
	b.WriteString("\n```yaml\n" + allowEntry(r) + "```\n")
	if r.Class == rule.Policy {
		b.WriteString("\nOr turn the rule off:\n\n```yaml\n" + severityOff(r) + "```\n")
	}
	return b.String()
}

// shownSamples is the maximum number of samples of each kind on a page.
const shownSamples = 6

func ruleSamples(b *strings.Builder, title string, r *rule.Rule, list []string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n\n", title)
	for _, s := range list[:min(len(list), shownSamples)] {
		b.WriteString("    " + s + "\n")
	}
	if n := len(list) - shownSamples; n > 0 {
		fmt.Fprintf(b, "\n`pcat list rules --all %s` prints %d more.\n", r.ID, n)
	}
}

// allowEntry returns a configuration that allows findings of the rule.
func allowEntry(r *rule.Rule) string {
	return fmt.Sprintf("allow:\n  - rule: %s\n    node: legacy*.example.com\n    reason: the legacy cluster is switched off in June\n    expires: 2027-06-30\n", r.ID)
}

// severityOff returns a configuration that turns the rule off.
func severityOff(r *rule.Rule) string { return fmt.Sprintf("severities:\n  %s: off\n", r.ID) }

// wrapped breaks a paragraph into lines.
func wrapped(text string) string {
	const width = 110
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case column == 0:
		case column+1+n > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	b.WriteByte('\n')
	return b.String()
}
