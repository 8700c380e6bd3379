package audit

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"hash"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/taint"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// report converts the results of a run.
func (a *Auditor) report(run *results, sources []*taint.Source, m *masker) *Report {
	report := &Report{Rules: a.rules, Keyed: len(a.key) > 0, masker: m}
	a.findings(run, sources, report)
	report.note(run.notes)
	report.judge(run.judged)
	numbers := rundata.Numbers{}
	for i, list := range run.audited {
		if run.failures[i] != nil {
			numbers.Add("", 1)
		} else {
			numbers.Add(run.kinds[i], len(list))
		}
		for k, node := range list {
			list[k] = cmp.Or(node, run.names[i])
		}
	}
	report.count(numbers)
	report.audited(run.audited, run.failures)
	return report
}

// findings adds the failures of a run and, made of its hits, the findings.
func (a *Auditor) findings(run *results, sources []*taint.Source, report *Report) {
	m, found := report.masker, run.found
	j := judge{
		Auditor: a, masker: m, kept: run.kept, masked: map[string]string{}, names: map[string]string{}, tags: map[string]string{},
		repairs: map[string]string{}, ordinals: map[occurrence]int{}, numbers: map[string]int{}, manifests: run.manifests,
	}
	if report.Keyed {
		j.keyed = hmac.New(sha256.New, a.key)
	}
	for i, err := range run.failures {
		if err != nil {
			report.Failures = append(report.Failures, Failure{Input: i, Name: m.name(run.names[i]), Err: secret.MaskError(err, m.mask)})
		}
	}
	for i := range found {
		found[i] = withoutCopied(found[i])
	}
	for _, s := range sources {
		if h, ok := reuse(s); ok {
			found[s.First.Catalog] = append(found[s.First.Catalog], h)
		}
	}
	total := 0
	for _, list := range found {
		total += len(list)
	}
	report.Findings = slices.Grow(report.Findings, total) // growing the list would keep two copies in memory
	for i, list := range found {
		for k := range list {
			if isWrittenByPuppetDB(&list[k]) || isWrittenByPuppet(&list[k]) {
				continue
			}
			run.manifests[i].locate(&list[k].location)
			f := j.finding(&list[k])
			f.Input = i
			report.Findings = append(report.Findings, f)
		}
		found[i] = nil // avoid keeping both lists in memory
		clear(j.ordinals)
	}
}

// isWrittenByPuppetDB reports whether a hit is the whole text of a rich value in a catalog from
// PuppetDB, where each rich value is text.
func isWrittenByPuppetDB(h *raw) bool {
	return h.catalog.Form == leaf.PuppetDB && !h.part && h.Secret == "" && (h.Rule == "deferred-literal" || h.Rule == "redacted-literal")
}

// judge converts hits to findings. It caches results that many of them share.
type judge struct {
	*Auditor
	masker *masker
	kept   *interner
	masked map[string]string
	names  map[string]string // masked names of nodes, files and modules
	tags   map[string]string
	// manifests are the ones of the classes of each input.
	manifests []*manifests
	// repairs has the identifiers of repairs, by their terms.
	repairs map[string]string
	keyed   hash.Hash // has the key of the fingerprints; nil without a key
	text    []byte    // buffer for its input

	// Without a key.
	ordinals map[occurrence]int // number of findings of the input at a location
	numbers  map[string]int     // of the secrets
}

func (j *judge) mask(s string) string {
	if s == "" {
		return ""
	}
	m, ok := j.masked[s]
	if !ok {
		m = j.masker.mask(s)
		j.masked[s] = m
	}
	return m
}

// name masks the name of a node, a file or a module.
func (j *judge) name(s string) string {
	m, ok := j.names[s]
	if !ok {
		m = j.masker.name(s)
		j.names[s] = m
	}
	return m
}

func (j *judge) tag(secret string) string {
	t, ok := j.tags[secret]
	if !ok {
		t = j.tagOf(secret)
		j.tags[secret] = t
	}
	return t
}

func (j *judge) finding(h *raw) Finding {
	f := Finding{
		Catalog: j.name(h.catalog.Name), Node: j.name(h.catalog.Node), At: h.at(), Start: h.Start, End: h.End, Part: h.part, Offset: h.offset,
		Rule: h.Rule, Confidence: h.Confidence, Encodings: h.Encodings, Element: h.element(),
		Type: j.name(h.ref.Type), Title: j.mask(h.ref.Title), Parameter: j.mask(h.parameter()), File: j.name(h.file), Line: h.line,
	}
	if whole := f.Type + "[" + f.Title + "]/" + f.Parameter; j.mask(whole) != whole {
		f.Title = hidden // together they spell a secret
	}
	f.Pointer, f.Hidden = pointer(h.base, h.path, j.masker.mask)
	if !f.Hidden {
		f.Offset = -1
	}
	if h.Secret != "" {
		f.Tag = j.tag(h.Secret)
	}
	if r, ok := j.rules.ByID(h.Rule); ok {
		f.Class, f.Severity = r.Class, r.Severity
	}
	f.facts = factsOf(h, f.Severity)
	f.Severity = f.facts.result()
	f.Fingerprint = j.fingerprint(h, f)
	if (f.Type == "Class" || f.Type == "File") && h.parameter() != "title" && f.Title != hidden {
		f.Title = j.name(h.ref.Title)
	}
	f.Repair = j.repair(&f)
	f.Name, f.Shown = j.kept.text(j.mask(h.Name)), j.kept.text(description(h.Secret, f.Tag))
	f.Message, f.plain = j.message(h)
	f.Source = j.source(h.source)
	j.inDocument(h, &f)
	if j.keep && h.Secret != "" {
		f.Secret = pcore.NewSensitive(pcore.String(h.Secret))
		if h.spelled != "" {
			f.Spelled = pcore.NewSensitive(pcore.String(h.spelled))
		}
		for _, at := range h.again {
			f.Again = append(f.Again, at.start)
		}
	}
	return f
}

// firstOf returns the first location of a secret, which is empty if it is unknown.
func firstOf(s *taint.Source) *location {
	switch o := s.First.Origin.(type) {
	case *origin:
		return &o.location
	case *kind:
		return &o.location
	}
	return &location{}
}

// source returns the Source for a secret, or nil if there is none or its location is unknown.
func (j *judge) source(s *taint.Source) *Source {
	if s == nil {
		return nil
	}
	first := *firstOf(s)
	if first.base == "" && first.ref.IsZero() && len(first.path) == 0 {
		return nil
	}
	j.manifests[s.First.Catalog].locate(&first)
	out := &Source{Declared: s.Declared, File: j.name(first.file), Line: first.line, Others: max(0, s.Locations-1)}
	if !first.ref.IsZero() {
		out.Ref = j.mask(first.ref.String())
	}
	path := first.path
	if i := slices.IndexFunc(path, func(s pcore.Step) bool { return s.Kind == pcore.StepSecret }); i >= 0 {
		path = path[:i] // keys inside may be secret, too
	}
	whole := first.at().String() // the parts can spell a secret together
	if at, hidden := pointer(first.base, path, j.masker.mask); !hidden && j.mask(whole) == whole {
		out.Pointer = at
	}
	return out
}

// message returns the message of a hit, and the same message without text from
// the catalog.
func (j *judge) message(h *raw) (message, plain string) {
	before := h.Rule
	if r, ok := j.rules.ByID(h.Rule); ok {
		before = r.Title
	}
	at, after := "", ""
	if h.source != nil {
		if h.source.Declared {
			before += "; it is Sensitive in "
		} else {
			before += "; it is also in "
		}
		at = j.mask(firstOf(h.source).at().String())
		if n := h.source.Locations; n > 1 {
			after += fmt.Sprintf(" and %d more", n-1)
		}
	}
	if h.nodes > 0 {
		after += fmt.Sprintf(": %d nodes have it", h.nodes)
	}
	if len(h.Encodings) > 0 {
		after += ", encoded as " + strings.Join(h.Encodings, " of ")
	}
	if isWeak(h) {
		after += fmt.Sprintf("; it takes about 10^%.0f guesses", secret.Strength(h.Secret))
	}
	return j.kept.text(before + at + after), j.kept.text(before + after)
}
