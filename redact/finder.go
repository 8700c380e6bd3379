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
	"github.com/pcatdev/pcat/serialization"
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

// NewDefaultFinder returns a Finder that finds what an audit without options finds.
func NewDefaultFinder() *Finder {
	return NewFinder(func() (Auditor, error) { return NewAuditor(audit.Options{}) })
}

// Learn finds the secrets of documents that belong together, such as two catalogs of a node:
// the copies of a secret of one are searched for in the others. parts, which may be nil,
// returns more secrets in the text of a declared secret, as in [sensitive.CollectOptions].
//
// failures has the error of each document, or nil. The secrets before the fault of a document
// are found. The error is that of the context or of the audit.
func (f *Finder) Learn(ctx context.Context, parts func(secret string) []string, documents ...catalog.Opener) (failures []error, err error) {
	found := sensitive.NewCollector(sensitive.CollectOptions{})
	var audited error
	all := outlined(ctx, documents)
	audits := map[uint64]bool{}
	if f.auditor != nil {
		audited = f.audit(ctx, found, documents, f.distinct(all, audits, f.isSeen))
	}
	documents = f.distinct(all, map[uint64]bool{}, func(uint64) bool { return false })
	failures = make([]error, len(documents))
	declared := make([]*sensitive.Secrets, len(documents))
	err = goroutines(ctx, 0, len(documents), func(ctx context.Context, i int) {
		own := sensitive.NewCollector(sensitive.CollectOptions{Parts: parts})
		failures[i] = (&Input{Open: documents[i]}).collect(ctx, own)
		declared[i] = own.Secrets()
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	f.secrets.Include(found.Secrets())
	for _, own := range declared {
		if own != nil {
			f.secrets.Include(own)
		}
	}
	if audited == nil {
		maps.Copy(f.seen, audits)
	}
	return failures, cmp.Or(audited, err, ctx.Err())
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

// outlinedDocument is a document with its outline, or nil if it has none or is not kept.
type outlinedDocument struct {
	open    catalog.Opener
	outline *catalog.Outline
}

// maxKept is the maximum total size in bytes of documents whose outlines are kept.
const maxKept = 16 << 20

// outlined returns documents with their outlines. It reports no errors, because each document
// is opened again.
func outlined(ctx context.Context, documents []catalog.Opener) []outlinedDocument {
	all := make([]outlinedDocument, len(documents))
	kept := 0
	for i, open := range documents {
		all[i].open = open
		if kept > maxKept || ctx.Err() != nil {
			continue
		}
		src, done, err := open(ctx)
		if err != nil {
			continue
		}
		if o := src.Outline(nil); o != nil {
			all[i].outline = o
			kept += len(o.Data)
		}
		if done != nil {
			_ = done.Close() // it is closed again, with the error
		}
	}
	return all
}

// open returns a reader of a document, which may be data instead.
func (d *outlinedDocument) opener(data []byte) catalog.Opener {
	switch {
	case d.outline == nil:
		return d.open
	case data == nil:
		return func(context.Context) (*catalog.Reader, io.Closer, error) { return d.outline.Reader(), nil, nil }
	}
	form := d.outline.Reader().Format()
	return func(context.Context) (*catalog.Reader, io.Closer, error) {
		return catalog.NewReaderBytes(data, form, serialization.DecodeOptions{}), nil, nil
	}
}

// isSeen reports whether a resource was audited before.
func (f *Finder) isSeen(hash uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen[hash]
}

// distinct returns the documents without the resources and edges that are seen or in an earlier
// one, and adds the hashes of the others to own. It keeps documents whole that have no outline.
func (f *Finder) distinct(documents []outlinedDocument, own map[uint64]bool, seen func(hash uint64) bool) []catalog.Opener {
	openers := make([]catalog.Opener, len(documents))
	for i := range documents {
		d := &documents[i]
		var data []byte
		if d.outline != nil {
			data = without(d.outline, func(part []byte) bool {
				hash := maphash.Bytes(f.seed, part)
				known := own[hash] || seen(hash)
				own[hash] = true
				return known
			})
		}
		openers[i] = d.opener(data)
	}
	return openers
}

// without returns a document without the elements of lists that are known, or nil if none is.
func without(o *catalog.Outline, known func(part []byte) bool) []byte {
	var kept []byte
	end := 0
	for i := range o.Parts {
		p := &o.Parts[i]
		if !p.In || !known(o.Data[p.Start:p.End]) {
			continue
		}
		kept = append(kept, o.Data[end:p.Start]...)
		if end = p.End; o.Data[end] == ',' {
			end++
		} else if n := len(kept); kept[n-1] == ',' {
			kept = kept[:n-1]
		}
	}
	if end == 0 {
		return nil
	}
	return append(kept, o.Data[end:]...)
}
