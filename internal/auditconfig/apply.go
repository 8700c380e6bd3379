package auditconfig

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/glob"
)

// Result is the effect of a configuration on a report.
type Result struct {
	// Dropped are the removed findings, in order.
	Dropped []Dropped
	// Warnings are about severities of unknown rules, and about entries that
	// have expired or matched nothing, in the order of the file.
	Warnings []string
	// Matches are the numbers of findings that the entries of [Config.Allow] match. An entry
	// that has expired allows none of them.
	Matches []int
}

// Dropped is a finding that was removed from a report.
type Dropped struct {
	Finding audit.Finding
	// Entry is the entry that allowed it, or nil if its rule is off.
	Entry *Entry
}

// Apply changes the severities of a report and removes the findings that are allowed on
// the day of now.
func (c *Config) Apply(r *audit.Report, now time.Time) Result {
	var result Result
	used := make([]int, len(c.Allow))
	r.Findings = slices.DeleteFunc(r.Findings, func(f audit.Finding) bool {
		if level, ok := c.level(f.Rule); ok && level.Off {
			result.Dropped = append(result.Dropped, Dropped{Finding: f})
			return true
		}
		entry := c.allows(&f, now, used)
		if entry != nil {
			result.Dropped = append(result.Dropped, Dropped{f, entry})
		}
		return entry != nil
	})
	r.Accepted += len(result.Dropped)
	for i := range r.Findings {
		if level, ok := c.level(r.Findings[i].Rule); ok {
			r.Findings[i].Severity = level.Severity
		}
	}
	result.Warnings, result.Matches = append(c.Unknown(r.Rules), c.stale(now, used, r)...), used
	return result
}

// allows returns the first entry that allows a finding, and counts it for all matching
// entries.
func (c *Config) allows(f *audit.Finding, now time.Time, used []int) *Entry {
	var first *Entry
	for i := range c.Allow {
		e := &c.Allow[i]
		if !e.matches(f) {
			continue
		}
		used[i]++
		if first == nil && !e.expired(now) {
			first = e
		}
	}
	return first
}

// stale returns a warning for each entry that has expired or was not used. The
// warning gives the reason if it is an unknown rule or a mismatch of keys.
func (c *Config) stale(now time.Time, used []int, r *audit.Report) []string {
	var list []string
	for i, e := range c.Allow {
		switch {
		case e.expired(now):
			list = append(list, fmt.Sprintf("line %d: the entry expired on %s", e.Line, e.Expires.Format(time.DateOnly)))
		case used[i] > 0:
		case e.misnames(r.Rules):
			list = append(list, fmt.Sprintf("line %d: unknown rule %q", e.Line, e.Rule))
		case e.otherwiseKeyed(r) && r.Keyed:
			list = append(list, fmt.Sprintf("line %d: the fingerprint was made without a key, but this run has a key", e.Line))
		case e.otherwiseKeyed(r):
			list = append(list, fmt.Sprintf("line %d: the fingerprint was made with a key, but this run has no key", e.Line))
		default:
			list = append(list, fmt.Sprintf("line %d: the entry matches no finding", e.Line))
		}
	}
	return list
}

// Unknown returns a warning for each severity of an unknown rule.
func (c *Config) Unknown(rules *rule.Registry) []string {
	if rules == nil {
		return nil
	}
	var list []string
	for _, id := range slices.Sorted(maps.Keys(c.Severities)) {
		if _, ok := rules.ByID(id); !ok {
			list = append(list, fmt.Sprintf("severities: unknown rule %q", id))
		}
	}
	return list
}

// level returns the level of a rule, or else of its family.
func (c *Config) level(id string) (Level, bool) {
	if l, ok := c.Severities[id]; ok {
		return l, true
	}
	family, _, _ := strings.Cut(id, "/")
	l, ok := c.Severities[family]
	return l, ok
}

// misnames reports whether the entry names an unknown rule.
func (e *Entry) misnames(rules *rule.Registry) bool {
	if rules == nil || e.Rule == "" || strings.ContainsAny(e.Rule, "*?") {
		return false
	}
	for r := range rules.All() {
		if strings.HasPrefix(r.ID, e.Rule+"/") { // a family
			return false
		}
	}
	_, known := rules.ByID(e.Rule)
	return !known
}

// otherwiseKeyed reports whether the fingerprint of the entry was made with a key and the
// fingerprints of the report without one, or the reverse.
func (e *Entry) otherwiseKeyed(r *audit.Report) bool {
	keyed, valid := audit.KeyedFingerprint(e.Fingerprint)
	return valid && keyed != r.Keyed
}

func (e *Entry) expired(now time.Time) bool {
	return e.Expires.Passed(now)
}

// pairs returns the patterns of an entry with the texts that they must match.
func (e *Entry) pairs(f *audit.Finding) [][2]string {
	return [][2]string{
		{e.Rule, f.Rule}, {e.Type, f.At.Ref.Type}, {e.Title, f.At.Ref.Title}, {e.Parameter, f.Parameter}, {e.Certname, f.Node},
		{e.Catalog, f.Catalog}, {e.filePattern(f.File), f.File}, {e.Fingerprint, f.Fingerprint},
	}
}

// filePattern returns the pattern for the path of a manifest in a catalog. Reports show the end of
// that path, relative to a directory that differs between machines, so a relative pattern matches
// the end, too.
func (e *Entry) filePattern(path string) string {
	if e.File == "" || strings.HasPrefix(e.File, "/") || glob.Match(e.File, path) {
		return e.File
	}
	return "*/" + e.File
}

// names returns the number of patterns of an entry.
func (e *Entry) names() int {
	n := 0
	for _, p := range e.pairs(&audit.Finding{}) {
		if p[0] != "" {
			n++
		}
	}
	return n
}

func (e *Entry) matches(f *audit.Finding) bool {
	for i, p := range e.pairs(f) {
		if p[0] == "" || glob.Match(p[0], p[1]) {
			continue
		}
		if i == 0 && strings.HasPrefix(f.Rule, e.Rule+"/") {
			continue
		}
		return false
	}
	return true
}
