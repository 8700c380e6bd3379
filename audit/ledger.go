package audit

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit/internal/taint"
	"github.com/pcatdev/pcat/internal/secret"
)

// Ledger is an audit of inputs that change one at a time, such as the catalogs of a fleet.
// Once it is settled, its report equals that of [Auditor.Run] over the same inputs, in the
// order of their names, without reading all of them for each change:
//
//	ledger.Put(name, updater.Collect(input))     // for each input that is new or changed
//	for {
//		knowledge, changed := ledger.Learn()
//		stale := slices.Collect(ledger.Stale())
//		if !changed && len(stale) == 0 {
//			break // settled
//		}
//		for _, name := range stale {             // possibly in many processes
//			part, err := updater.Update(ctx, inputs[name], ledger.Part(name), knowledge)
//			…
//			ledger.Put(name, part)
//		}
//	}
//	report := ledger.Report()
//
// A Ledger is a function of its parts: the order and the number of calls of Put do not
// matter. [Options.ReportRejected] and [Options.Explain] have no effect. Without [Options.Key],
// tags and fingerprints depend on all inputs, so that they change when other inputs do.
//
// A Ledger is not safe for concurrent use. Create one with [Auditor.NewLedger].
type Ledger struct {
	auditor   *Auditor
	parts     map[string]*part
	knowledge *Knowledge
	terms     map[string]term // of the knowledge
	mentions  mentions
}

// NewLedger returns a Ledger without inputs. k is the last knowledge of an earlier Ledger,
// whose parts will be put, or nil.
func (a *Auditor) NewLedger(k *Knowledge) *Ledger {
	l := &Ledger{auditor: a, parts: map[string]*part{}, knowledge: NewKnowledge(k.segmentsOf()), terms: map[string]term{}, mentions: newMentions()}
	for _, s := range k.segmentsOf() {
		maps.Copy(l.terms, s.terms())
	}
	for text := range l.terms {
		l.mentions.dirty[text] = struct{}{}
	}
	return l
}

// Put sets the part of an input.
func (l *Ledger) Put(name string, p *Part) {
	c := *p.content()
	c.extract = nil
	l.Remove(name)
	l.parts[name] = &c
	l.mentions.add(&c, 1)
}

// Unsearched returns the version of the knowledge up to which an input was searched. only
// reports whether it lacks nothing but a search for newer secrets, for which
// [Updater.Search] may be enough.
func (l *Ledger) Unsearched(name string) (seen uint64, only bool) {
	p := l.parts[name]
	if p == nil || p.seen == 0 || p.failure != "" || l.differs(p) {
		return 0, false
	}
	return p.seen, true
}

// Searched records that an input has none of the secrets that are new since the version seen,
// up to another version of the knowledge, as [Updater.Search] reports.
func (l *Ledger) Searched(name string, seen, version uint64) {
	if p := l.parts[name]; p != nil && 0 < seen && seen <= p.seen && p.seen < version {
		next := *p
		next.seen = version
		l.parts[name] = &next
	}
}

// Remove removes an input.
func (l *Ledger) Remove(name string) {
	if p := l.parts[name]; p != nil {
		l.mentions.add(p, -1)
		delete(l.parts, name)
	}
}

// Part returns the part of an input, or nil if there is none.
func (l *Ledger) Part(name string) *Part {
	if p := l.parts[name]; p != nil {
		return newPart(p)
	}
	return nil
}

// Names returns the names of the inputs in the order of the report.
func (l *Ledger) Names() []string { return slices.Sorted(maps.Keys(l.parts)) }

// Knowledge returns the last result of [Ledger.Learn].
func (l *Ledger) Knowledge() *Knowledge { return l.knowledge }

// Stale returns an iterator over the inputs whose part has to be updated, because it was
// made without a secret, or with another status of a secret, of the last result of
// [Ledger.Learn].
func (l *Ledger) Stale() iter.Seq[string] {
	searched := max(l.knowledge.searched(), 1)
	return func(yield func(string) bool) {
		for name, p := range l.parts {
			if (p.seen < searched || l.differs(p)) && !yield(name) {
				return
			}
		}
	}
}

// differs reports whether a part was made with another status of a secret.
func (l *Ledger) differs(p *part) bool {
	for text, used := range p.present {
		if l.terms[text].status != used {
			return true
		}
	}
	return false
}

// Learn gathers the secrets of all parts, in a time that depends on the parts that changed. It returns the knowledge that parts are to be
// updated with, and whether it differs from the last one.
func (l *Ledger) Learn() (k *Knowledge, changed bool) {
	next := l.knowledge.Version() + 1
	if next == 1 {
		next = 2 // 1 is the version of parts without any knowledge
	}
	terms := map[string]term{}
	newest := uint64(0)
	for text := range l.mentions.dirty {
		old, known := l.terms[text]
		now, wanted := l.mentions.term(text)
		switch {
		case !wanted:
			if old.status == 0 {
				continue
			}
			now = old
			now.status, now.fresh = 0, false
		case !known, now.search && !old.search, now.deep && !old.deep:
			now.fresh = true
			newest = next
		case now.status == old.status:
			continue
		}
		now.search, now.deep = now.search || old.search, now.deep || old.deep
		terms[text] = now
	}
	clear(l.mentions.dirty)
	if len(terms) == 0 {
		return l.knowledge, false
	}
	maps.Copy(l.terms, terms)
	segments := append(l.knowledge.Segments(), newSegment("", l.knowledge.Version(), next, newest, terms))
	for n := len(segments); n > 1 && len(segments[n-2].terms()) <= 2*len(segments[n-1].terms()); n-- {
		both := mergedSegment(segments[n-2], segments[n-1], func(text string) bool {
			_, is := l.mentions.term(text)
			return is
		})
		segments = append(segments[:n-2], both)
	}
	if len(segments) == 1 {
		l.terms = maps.Clone(segments[0].terms()) // without the dropped ones
	}
	l.knowledge = NewKnowledge(segments)
	return l.knowledge, true
}

// view is the state of a Ledger, in the terms of a run.
type view struct {
	results
	parts         []*part
	nodes         []int32
	collector     *taint.Collector
	sources, held []*taint.Source // declared ones: followed, and words
	undeclared    []*taint.Source // found by their location or form
	words         uses
}

// uses are the uses of secrets as words.
type uses map[string]secret.Use

// Held implements taint.Words.
func (u uses) Held(secrets []string) map[string]bool {
	held := map[string]bool{}
	for _, text := range secrets {
		if use, ok := u[text]; ok && use.Holds(text) {
			held[text] = true
		}
	}
	return held
}

// view gathers the parts.
func (l *Ledger) view() *view {
	v := &view{results: newResults(len(l.parts)), collector: taint.NewCollector(len(l.mentions.texts)), words: uses{}}
	v.names = slices.Sorted(maps.Keys(l.parts))
	v.parts = make([]*part, len(v.names))
	for i, name := range v.names {
		p := l.parts[name]
		v.parts[i] = p
		if p.failure != "" {
			v.failures[i] = errors.New(p.failure)
		}
		v.audited[i], v.kinds[i] = slices.Clone(p.nodes), p.kind
		for k := range p.declared {
			d := &p.declared[k]
			v.collector.AddLocations(d.text, d.followed, d.locations, i, d.order, func() taint.Declaration { return taint.Declaration{Origin: d.origin} })
		}
		for text, use := range p.words {
			known := v.words[text]
			known.Add(use)
			v.words[text] = known
		}
		v.found[i] = slices.Clip(p.found) // appending copies it
		v.notes[i] = p.notes
	}
	v.nodes = numbered(v.audited)
	v.sources, v.held = v.collector.Sources(v.nodes, v.words)
	weakWords(v.held, v.found)
	v.undeclared = discovered(v.found, v.nodes)
	return v
}

// Report returns the report for the parts as they are. It equals that of [Auditor.Run] if
// Stale returns nothing and Learn reports no change.
func (l *Ledger) Report() *Report {
	v := l.view()
	current := currentSources{byText(v.sources), byText(v.undeclared)}
	m := l.masker(v)
	for i, p := range v.parts {
		list := slices.Concat(v.found[i], p.copies)
		v.found[i] = slices.DeleteFunc(list, func(h raw) bool { return h.source != nil && current.of(&h) == nil })
		for k := range v.found[i] {
			current.settle(&v.found[i][k], v.nodes[i])
		}
	}
	report := l.auditor.report(&v.results, v.sources, m)
	report.Unfollowed = v.collector.Skipped()
	return report
}

// currentSources are the secrets of a run by their text, as byText returns them.
type currentSources struct{ declared, undeclared map[string]*taint.Source }

// byText returns the sources by their text without surrounding blanks. Of several sources
// that differ only in blanks, it has the first one, which an index also finds.
func byText(sources []*taint.Source) map[string]*taint.Source {
	list := make(map[string]*taint.Source, len(sources))
	for _, s := range sources {
		text := strings.TrimSpace(s.Reveal())
		if _, known := list[text]; !known {
			list[text] = s
		}
	}
	return list
}

// of returns the secret of a copy in this run, or nil if it is no longer one.
func (c currentSources) of(h *raw) *taint.Source {
	text := strings.TrimSpace(h.Secret)
	if h.Rule == copiedSecret {
		return c.undeclared[text]
	}
	return c.declared[text]
}

// settle sets the attributes of a copy that depend on other inputs: its source, its rule and
// its confidence.
func (c currentSources) settle(h *raw, node int32) {
	if h.source == nil {
		return
	}
	s := c.of(h)
	h.source, h.Secret = s, s.Reveal()
	switch h.Rule {
	case copiedSecret:
		h.Confidence = kindOf(s).confidence
	case crossNode, reuseOpen:
		h.Rule = taintedIn(s, node)
	}
}

// masker returns a masker for the secrets of the run. Before the ledger is settled, parts
// may show a text because it was a secret when they were made, or not yet known as one:
// these are masked, too.
func (l *Ledger) masker(v *view) *masker {
	index := l.knowledge.indexed()
	known := index.Sources()
	used := map[string]struct{}{}
	for _, p := range v.parts {
		for text, status := range p.present {
			if status != 0 && l.terms[text].status == 0 {
				used[text] = struct{}{}
			}
		}
	}
	secrets, ordinary := others(slices.Concat(v.sources, v.undeclared), v.found, v.words)
	return &masker{
		set: secret.Union(index.Spellings(), secrets, l.unlearned(v, used)), index: index, words: ordinary,
		live: func(number int, digest bool) bool {
			if number >= len(known) {
				return true
			}
			text := known[number].Reveal()
			if _, ok := used[text]; ok {
				return true
			}
			now := l.terms[text].status
			return now&isDeclared != 0 || now&isFound != 0 && !digest
		},
	}
}

// unlearned returns the secrets of the run, and of the parts, that the knowledge does not
// search for.
func (l *Ledger) unlearned(v *view, used map[string]struct{}) *secret.Set {
	var texts []string
	add := func(text string) {
		if !l.terms[text].search {
			texts = append(texts, strings.TrimSpace(text))
		}
	}
	for _, list := range [][]*taint.Source{v.sources, v.undeclared} {
		for _, s := range list {
			add(s.Reveal())
		}
	}
	for text := range used {
		add(text)
	}
	return secret.CompileTexts(texts)
}
