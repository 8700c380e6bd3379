package redact

import (
	"cmp"
	"context"
	"hash/maphash"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/sensitive"
)

// Finder finds the secrets of documents of which only parts are printed: the ones that
// [Run] redacts in its first pass. It audits equal resources once, however many documents
// have them. It is safe for concurrent use. Use [NewFinder] to create one.
type Finder struct {
	auditor func() (Auditor, error)

	mu      sync.Mutex
	secrets *sensitive.Collector
	seed    maphash.Seed
	seen    map[uint64]bool // hashes of the audited resources
}

// NewFinder returns a Finder that searches for undeclared secrets with the Auditor that
// auditor returns, which is called once, when it is needed. Nil finds only declared secrets.
func NewFinder(auditor func() (Auditor, error)) *Finder {
	f := &Finder{secrets: sensitive.NewCollector(sensitive.CollectOptions{}), seed: maphash.MakeSeed(), seen: map[uint64]bool{}}
	if auditor != nil {
		f.auditor = sync.OnceValues(auditor)
	}
	return f
}

// Learn finds the secrets of documents that belong together, such as two catalogs of a node:
// the copies of a secret of one are searched for in the others. parts, which may be nil,
// returns more secrets in the text of a declared secret, as in [sensitive.CollectOptions].
//
// failures has the error of each document, or nil. The secrets before the fault of a document
// are found. The error is that of the context or of the audit.
func (f *Finder) Learn(ctx context.Context, parts func(secret string) []string, documents ...catalog.Opener) (failures []error, err error) {
	found := sensitive.NewCollector(sensitive.CollectOptions{})
	known := newKnown(documents)
	audits := &sieve{seen: f.isSeen, own: map[uint64]bool{}}
	var audited error
	if f.auditor != nil {
		audited = f.audit(ctx, found, documents, known.distinct(f.seed, audits))
	}
	distinct := known.distinct(f.seed, &sieve{own: map[uint64]bool{}})
	failures = make([]error, len(documents))
	err = goroutines(ctx, 0, len(documents), func(ctx context.Context, i int) {
		own := sensitive.NewCollector(sensitive.CollectOptions{Parts: parts})
		err := (&Input{Open: distinct[i]}).collect(ctx, own)
		if err != nil { // the error of the whole document has the position of the fault
			err = cmp.Or((&Input{Open: documents[i]}).collect(ctx, own), err)
		}
		failures[i] = err
		f.include(own)
	})
	f.include(found)
	if audited == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		maps.Copy(f.seen, audits.own)
	}
	return failures, cmp.Or(audited, err, ctx.Err())
}

// include adds the secrets of a collector.
func (f *Finder) include(c *sensitive.Collector) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.secrets.Include(c.Secrets())
}

// isSeen reports whether a resource was audited before.
func (f *Finder) isSeen(hash uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen[hash]
}

// Add adds a secret that was found in another way; see [sensitive.Collector.Add].
func (f *Finder) Add(found sensitive.Found) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.secrets.Add(found)
}

// Secrets returns the secrets of all documents so far.
func (f *Finder) Secrets() *sensitive.Secrets {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.secrets.Secrets()
}

// audit audits documents. distinct are the ones without the resources that are in another one.
func (f *Finder) audit(ctx context.Context, found *sensitive.Collector, documents, distinct []catalog.Opener) error {
	auditor, err := f.auditor()
	if err != nil {
		return err
	}
	inputs := make([]audit.Input, len(distinct))
	for i, open := range distinct {
		inputs[i] = inputOf(ctx, i, open)
	}
	report, err := auditor.Run(ctx, inputs)
	switch {
	case err != nil:
		return err
	case len(report.Failures) == 0:
		return addFound(found, report)
	}
	for i, open := range documents {
		if err := auditBroken(ctx, auditor, found, inputOf(ctx, i, open)); err != nil {
			return err
		}
	}
	return nil
}

// auditBroken audits a document that may have a fault. Then undeclared secrets are found up to
// the fault, but no copies of declared ones, which are replaced anyway.
func auditBroken(ctx context.Context, auditor Auditor, found *sensitive.Collector, input audit.Input) error {
	report, err := auditor.Run(ctx, []audit.Input{input})
	if err == nil && len(report.Failures) > 0 {
		report, err = auditor.RunRedacted(ctx, []audit.Input{input})
	}
	if err != nil {
		return err
	}
	return addFound(found, report)
}

func addFound(found *sensitive.Collector, report *audit.Report) error {
	report.Findings = slices.DeleteFunc(report.Findings, func(f audit.Finding) bool { return !isReplaced(&f) })
	return add(found, report)
}

func inputOf(ctx context.Context, number int, open catalog.Opener) audit.Input {
	return audit.Input{Name: strconv.Itoa(number), Open: func() (*catalog.Reader, io.Closer, error) { return open(ctx) }}
}
