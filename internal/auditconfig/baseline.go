package auditconfig

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/environment"
	"github.com/pcatdev/pcat/internal/terminal"
)

var (
	// ErrKey reports that a baseline was made with another key and cannot be compared.
	ErrKey = errors.New("wrong key: the baseline was made with another key")
	// ErrNoKey reports that a baseline was made with a key but none was given.
	ErrNoKey = errors.New("missing key: the baseline was made with a key")
	// ErrUnkeyed reports that a baseline was made without a key but one was given.
	ErrUnkeyed = errors.New("unexpected key: the baseline was made without a key")
	// ErrBaseline reports that a file is not a baseline.
	ErrBaseline = errors.New("not a baseline")
	// ErrReason reports that a reason in a baseline contains a secret of the run.
	ErrReason = errors.New("the reason contains a secret: remove it from the file")
)

// version is the version of the fingerprints.
const version = 1

// baselineHead is the first line of a baseline.
type baselineHead struct {
	Baseline int    `json:"baseline"`
	Key      string `json:"key"`
}

// baselineEntry is another line of a baseline. Only the fingerprint is compared; the
// other members are for people.
type baselineEntry struct {
	Rule     string `json:"rule,omitempty"`
	Severity string `json:"severity,omitempty"`
	Location string `json:"location,omitempty"`
	File     string `json:"manifest,omitempty"`
	Line     int64  `json:"line,omitempty"`
	// Node is set for a single node, and Nodes is the magnitude of a larger number: a
	// list or the number itself would change whenever the fleet does.
	Node        string `json:"node,omitempty"`
	Nodes       string `json:"nodes,omitempty"`
	Fingerprint string `json:"fingerprint"`
	Reason      string `json:"reason,omitempty"`
}

// formerEntry is a line of a baseline of this version or of 0.1, which had other names.
type formerEntry struct {
	baselineEntry
	FormerLocation string `json:"place"`
	FormerFile     string `json:"file"`
}

// now returns the entry under the names of this version.
func (e *formerEntry) now() baselineEntry {
	e.Location, e.File = cmp.Or(e.Location, e.FormerLocation), cmp.Or(e.File, e.FormerFile)
	return e.baselineEntry
}

// Baseline is a set of fingerprints of known findings, so a run reports only new
// ones. Use [NewBaseline] or [ReadBaseline] to create one.
//
// A baseline file has one JSON object per line. The first line identifies the key of the
// fingerprints without revealing it, or records that there was none. Each other line has a
// fingerprint and, for a reader, the rule, the severity, the location, the manifest and the
// node; a reason may be added by hand. The lines are sorted by rule and location, so that
// similar baselines have few different lines, and merge line by line. The file contains no
// secrets, and without the key no secret can be guessed from it.
//
// Fingerprints without a key identify locations: a baseline of them hides a new secret at a
// known location.
type Baseline struct {
	entries map[string]baselineEntry // by fingerprint
	report  *audit.Report            // the findings of a new baseline, nil for one that was read
	foreign bool                     // made with another key
}

// NewBaseline returns the baseline of the findings of a report, which must not change
// before the baseline is written.
func NewBaseline(r *audit.Report) *Baseline {
	return &Baseline{entries: entriesOf(r), report: r}
}

// entriesOf returns an entry for each fingerprint in a report.
func entriesOf(r *audit.Report) map[string]baselineEntry {
	type known struct {
		worst rule.Severity
		nodes []string
	}
	entries, all := map[string]baselineEntry{}, map[string]*known{}
	for i := range r.Findings {
		f := &r.Findings[i]
		file, _ := environment.Cut(f.File)
		e := baselineEntry{Rule: f.Rule, Location: f.Location(), File: file, Line: f.Line, Fingerprint: f.Fingerprint}
		k := all[f.Fingerprint]
		if k == nil {
			k = &known{}
			all[f.Fingerprint], entries[f.Fingerprint] = k, e
		} else if compareEntries(e, entries[f.Fingerprint]) < 0 {
			entries[f.Fingerprint] = e // whatever the order of the inputs
		}
		k.worst = max(k.worst, f.Severity)
		if node := f.NodeName(); len(k.nodes) == 0 || k.nodes[len(k.nodes)-1] != node {
			k.nodes = append(k.nodes, node)
		}
	}
	for fingerprint, k := range all {
		e := entries[fingerprint]
		e.Severity = k.worst.String()
		slices.Sort(k.nodes)
		k.nodes = slices.Compact(k.nodes)
		if e.Nodes = magnitude(len(k.nodes)); e.Nodes == "" {
			e.Node = k.nodes[0]
		}
		entries[fingerprint] = e
	}
	return entries
}

// magnitude returns "2+" for 2 to 9, "10+" for 10 to 99, and so on, but "" for 1.
func magnitude(n int) string {
	switch {
	case n < 2:
		return ""
	case n < 10:
		return "2+"
	}
	power := 10
	for n >= 10*power {
		power *= 10
	}
	return fmt.Sprintf("%d+", power)
}

// compareEntries is the order of the lines.
func compareEntries(a, b baselineEntry) int {
	return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Location, b.Location), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Fingerprint, b.Fingerprint))
}

// ReadBaseline reads a baseline that was made with key, or without a key if key is empty.
// The error matches [ErrKey], [ErrNoKey], [ErrUnkeyed] or [ErrBaseline], or is an error
// of r. With the first three, the Baseline is returned, too, for [Baseline.Replace].
func ReadBaseline(r io.Reader, key []byte) (*Baseline, error) {
	b := &Baseline{entries: map[string]baselineEntry{}}
	var head baselineHead
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		text := bytes.TrimSpace(s.Bytes())
		if len(text) == 0 {
			continue
		}
		if head.Baseline == 0 {
			if err := decodeLine(text, n, &head); err != nil {
				return nil, err
			}
			if head.Baseline != version || head.Key == "" {
				return nil, fmt.Errorf("%w: line %d does not identify a baseline, or has another version", ErrBaseline, n)
			}
			continue
		}
		var line formerEntry
		if err := decodeLine(text, n, &line); err != nil {
			return nil, err
		}
		e := line.now()
		keyed, valid := audit.KeyedFingerprint(e.Fingerprint)
		switch {
		case !valid:
			return nil, fmt.Errorf("%w: line %d has no fingerprint", ErrBaseline, n)
		case keyed != (head.Key != unkeyed):
			return nil, fmt.Errorf("%w: line %d: the file mixes fingerprints made with a key and without; rewrite it", ErrBaseline, n)
		}
		if _, twice := b.entries[e.Fingerprint]; !twice || e.Reason != "" { // twice, after a merge
			b.entries[e.Fingerprint] = e
		}
	}
	err := head.fits(key)
	b.foreign = err != nil
	return b, cmp.Or(s.Err(), err)
}

// decodeLine decodes a line of a baseline.
func decodeLine(text []byte, line int, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%w: line %d: %v", ErrBaseline, line, err) //nolint:errorlint // the text is enough
	}
	return nil
}

// fits returns an error if the baseline was not made with key. An empty file fits.
func (h *baselineHead) fits(key []byte) error {
	switch {
	case h.Baseline == 0:
		return nil
	case len(key) == 0 && h.Key != unkeyed:
		return ErrNoKey
	case len(key) > 0 && h.Key == unkeyed:
		return ErrUnkeyed
	case !hmac.Equal([]byte(h.Key), []byte(check(key))):
		return ErrKey
	}
	return nil
}

// unkeyed is recorded in place of the key check if there is no key.
const unkeyed = "none"

// check returns a text that identifies a key without revealing it.
func check(key []byte) string {
	if len(key) == 0 {
		return unkeyed
	}
	m := hmac.New(sha256.New, key)
	_, _ = m.Write([]byte("pcat audit baseline v1"))
	return hex.EncodeToString(m.Sum(nil)[:8])
}

// Write writes the baseline of a report that was made with key; an empty key means none.
// The error is [ErrReason], [audit.ErrSecret] or an error of w. Nothing is written before
// the whole output has been searched for the secrets of the report.
func (b *Baseline) Write(w io.Writer, key []byte) error {
	if b.report == nil {
		return b.lines(w, key, b.entries)
	}
	for fingerprint, e := range b.entries {
		if e.Reason != "" && b.report.Check([]byte(e.Reason)) != nil {
			return fmt.Errorf("fingerprint %s: %w", fingerprint, ErrReason)
		}
	}
	r := b.report
	refused := func(r *audit.Report) bool { return b.checked(io.Discard, key, r) != nil }
	if refused(r) {
		r = r.Withhold(refused)
	}
	var out bytes.Buffer
	if err := b.checked(&out, key, r); err != nil {
		return err
	}
	_, err := out.WriteTo(w)
	return err
}

// checked writes the baseline with the texts of r, searched for secrets.
func (b *Baseline) checked(w io.Writer, key []byte, r *audit.Report) error {
	c := r.Checker(w, func(w io.Writer) error { return b.lines(w, key, entriesOf(r.Frame())) })
	return cmp.Or(b.lines(c, key, entriesOf(r)), c.Close())
}

// lines writes the entries with the reasons of b.
func (b *Baseline) lines(w io.Writer, key []byte, entries map[string]baselineEntry) error {
	out := bufio.NewWriter(w)
	e := json.NewEncoder(terminal.JSONWriter(out))
	e.SetEscapeHTML(false)
	if err := e.Encode(baselineHead{version, check(key)}); err != nil {
		return err
	}
	sorted := make([]baselineEntry, 0, len(entries))
	for fingerprint, one := range entries {
		one.Reason = b.entries[fingerprint].Reason
		sorted = append(sorted, one)
	}
	slices.SortFunc(sorted, compareEntries)
	for i := range sorted {
		if err := e.Encode(&sorted[i]); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Len returns the number of fingerprints.
func (b *Baseline) Len() int { return len(b.entries) }

// Reason returns the reason for a finding, or "" if the baseline has none.
func (b *Baseline) Reason(fingerprint string) string { return b.entries[fingerprint].Reason }

// Apply removes the known findings from a report and returns them. It also
// returns the number of fingerprints in the baseline that were not found.
func (b *Baseline) Apply(r *audit.Report) (known []audit.Finding, gone int) {
	met := map[string]bool{}
	r.Findings = slices.DeleteFunc(r.Findings, func(f audit.Finding) bool {
		if _, ok := b.entries[f.Fingerprint]; !ok {
			return false
		}
		met[f.Fingerprint] = true
		known = append(known, f)
		return true
	})
	r.Accepted += len(known)
	return known, len(b.entries) - len(met)
}

// Replace takes over the reasons of the baseline that b will replace. It returns the
// number of fingerprints that only b has, and of the ones that only old has. If old was
// made with another key, all are different, and a reason is taken over if its rule and
// location occur once in both.
func (b *Baseline) Replace(old *Baseline) (added, gone int) {
	added = len(b.entries)
	for fingerprint, e := range b.entries {
		if former, ok := old.entries[fingerprint]; ok {
			e.Reason = former.Reason
			b.entries[fingerprint] = e
			added--
		}
	}
	if old.foreign {
		b.replaceByLocation(old)
	}
	return added, len(old.entries) - (len(b.entries) - added)
}

// replaceByLocation takes over the reasons of locations that occur once in both baselines.
func (b *Baseline) replaceByLocation(old *Baseline) {
	mine, theirs := b.locations(), old.locations()
	for location, fingerprint := range mine {
		if former := theirs[location]; former != "" && fingerprint != "" {
			e := b.entries[fingerprint]
			e.Reason = old.entries[former].Reason
			b.entries[fingerprint] = e
		}
	}
}

// locations returns the fingerprint at each location, by rule and location; "" if there are several.
func (b *Baseline) locations() map[[2]string]string {
	all := map[[2]string]string{}
	for fingerprint, e := range b.entries {
		location := [2]string{e.Rule, e.Location}
		if _, twice := all[location]; twice {
			fingerprint = ""
		}
		all[location] = fingerprint
	}
	return all
}
