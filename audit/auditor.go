package audit

import (
	"context"
	"errors"
	"io"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pcatdev/pcat/audit/internal/detect"
	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/audit/internal/taint"
	"github.com/pcatdev/pcat/audit/internal/verdict"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/internal/secret"
)

// Options are the options of an [Auditor]. The zero value is suitable for a
// plain run.
type Options struct {
	// Key is the key of the fingerprints. Without a key, they identify a
	// location and not the secret there; see [Finding.Fingerprint].
	Key []byte
	// Jobs is the number of inputs that are read concurrently; 0 means the
	// number of processors.
	Jobs int
	// Rules are the available rules; nil means [rule.Default].
	Rules *rule.Registry
	// Names adds to the known names of secrets.
	Names Names
	// AtRest asks for a finding for each Sensitive value, which every catalog
	// holds in clear at its own location: a list of what could be encrypted.
	AtRest bool
	// Custom are rules that the user adds; nil adds none. Their IDs must differ
	// from the ones in Rules.
	Custom Custom
	// KeepSecrets sets the Secret of each Finding.
	KeepSecrets bool
	// ReportRejected adds to [Report.Judgements] the values that are not secrets in
	// spite of their names, at most a thousand for each document.
	ReportRejected bool
	// Explain selects the locations of which all judgements are in
	// [Report.Judgements]: it is called with the text of a [catalog.Location]
	// and with a pointer. Nil selects none.
	Explain func(place, pointer string) bool
}

// Names are names of parameters and settings that a user adds to the known ones.
// The zero value adds none.
type Names struct {
	// Secret are last words of the names of secrets.
	Secret []string
	// Harmless are whole names of values that are not secret.
	Harmless []string
}

// Input is one document of a run.
type Input struct {
	// Name identifies the input in findings.
	Name string
	// Open returns a reader at the beginning of the document. It is called once
	// for each pass, and the Closer, if any, is closed after the pass. Its
	// error need not name the input, because a [Failure] does.
	Open func() (*catalog.Reader, io.Closer, error)
	// Explain adds advice to an error of the Reader, before the Closer is
	// closed. It may be nil.
	Explain func(error) error
	// Markers returns the start and the end of each text in a text that replaces a secret.
	// They are no findings, whatever they look like. Nil means the markers of package
	// sensitive, except for a Masker of another package.
	Markers func(text string) iter.Seq2[int, int]
}

// File returns the input that is the file at path, as [catalog.Open] reads it: catalogs, a
// report, facts. Its name is the path.
func File(path string) Input {
	return Input{Name: path, Open: func() (*catalog.Reader, io.Closer, error) {
		f, err := catalog.Open(path)
		if err != nil {
			return nil, nil, err
		}
		return f.Reader, f, nil
	}}
}

// Document returns the input that is a document in memory, which must not be changed, as
// [catalog.OpenBytes] reads it.
func Document(name string, data []byte) Input {
	return Input{Name: name, Open: func() (*catalog.Reader, io.Closer, error) {
		f, err := catalog.OpenBytes(name, data)
		if err != nil {
			return nil, nil, err
		}
		return f.Reader, f, nil
	}}
}

// Auditor audits catalogs. It is immutable and safe for concurrent use. Use
// [New] to create one.
type Auditor struct {
	key         []byte
	jobs        int
	atRest      bool
	keep        bool
	rejected    bool
	explain     func(place, pointer string) bool
	custom      Custom
	customTexts CustomTexts // nil when custom has none
	rules       *rule.Registry
	detector    *detect.Detector
}

// New returns an Auditor.
func New(o Options) (*Auditor, error) {
	a := &Auditor{key: o.Key, jobs: o.Jobs, atRest: o.AtRest, keep: o.KeepSecrets, rejected: o.ReportRejected, explain: o.Explain, custom: o.Custom, rules: o.Rules, detector: detect.New(verdict.Names(o.Names))}
	if a.jobs <= 0 {
		a.jobs = runtime.GOMAXPROCS(0)
	}
	if a.rules == nil {
		var err error
		if a.rules, err = rule.Default(); err != nil {
			return nil, err
		}
	}
	if a.custom == nil {
		return a, nil
	}
	own := a.custom.Rules()
	if len(own) == 0 {
		a.custom = nil // skip the custom rules for every text
		return a, nil
	}
	a.customTexts, _ = a.custom.(CustomTexts)
	var err error
	a.rules, err = a.rules.With(own...)
	return a, err
}

// Sequential returns an Auditor like a that reads its inputs one after another.
func (a *Auditor) Sequential() *Auditor {
	one := *a
	one.jobs = 1
	return &one
}

// Run audits the inputs. An input that cannot be read is in [Report.Failures],
// and the others are audited; the error is an error of ctx.
func (a *Auditor) Run(ctx context.Context, inputs []Input) (*Report, error) {
	return a.run(ctx, inputs, true)
}

// RunRedacted is [Auditor.Run] for inputs without declared secrets, such as
// redacted ones. It does not read the inputs for those first, and does not count
// the catalogs.
func (a *Auditor) RunRedacted(ctx context.Context, inputs []Input) (*Report, error) {
	return a.run(ctx, inputs, false)
}

// passes is the state that the passes over the inputs of a run share.
type passes struct {
	results
	inputs   []Input
	workers  []worker
	outlines outlines
}

// results are the results of a run before masking, each by input.
type results struct {
	names    []string // of the inputs
	failures []error
	audited  [][]string // the nodes of the catalogs, empty if unknown
	kinds    []rundata.Kind
	found    [][]raw
	notes    [][]note
	judged   [][]judged
	// manifests are nil in a Ledger, whose parts have the locations of classes.
	manifests []*manifests
	kept      *interner
}

func newResults(n int) results {
	return results{
		names: make([]string, n), failures: make([]error, n), audited: make([][]string, n), kinds: make([]rundata.Kind, n),
		found: make([][]raw, n), notes: make([][]note, n), judged: make([][]judged, n), manifests: make([]*manifests, n), kept: newInterner(),
	}
}

// run audits the inputs: it collects the declared secrets if declared is set, looks for
// secrets, and then for copies of those that it found.
func (a *Auditor) run(ctx context.Context, inputs []Input, declared bool) (*Report, error) {
	run := &passes{
		results: newResults(len(inputs)), inputs: inputs, workers: make([]worker, min(a.jobs, len(inputs))),
		outlines: outlines{list: make([]*catalog.Outline, len(inputs))},
	}
	for i := range inputs {
		run.names[i] = inputs[i].Name
	}
	collector := taint.NewCollector(0)
	if declared {
		err := a.each(ctx, run, func(i int, r *catalog.Reader, w *worker) error {
			var err error
			run.audited[i], run.kinds[i], err = a.collect(inputs[i].Name, r, w, &w.words, run.kept, func(text string, order int, place func() taint.Declaration) {
				collector.Add(text, i, order, place)
			})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	nodes := numbered(run.audited)
	words := run.words()
	sources, held := collector.Sources(nodes, words)
	index := taint.NewIndex(sources)
	err := a.each(ctx, run, func(i int, r *catalog.Reader, w *worker) error {
		if w.scanner == nil {
			w.scanner = a.scanner(index, run.kept)
		}
		s := w.scanner
		s.begin(nodes[i], inputs[i].Markers)
		err := w.Walk(r, inputs[i].Name, leaf.Visitor{Edge: s.edge, Resource: s.resource, Leaf: s.leaf})
		run.found[i], run.notes[i], run.judged[i], run.manifests[i] = s.found, s.notes, s.judged, s.manifests
		return err
	})
	if err != nil {
		return nil, err
	}
	weakWords(held, run.found)
	more := taint.NewIndex(discovered(run.found, nodes))
	masker := newMasker(index, more, run.found, words)
	if more.Len() > 0 {
		if err := a.copies(ctx, run, more); err != nil {
			return nil, err
		}
	}
	report := a.report(&run.results, sources, masker)
	report.Unfollowed = collector.Skipped()
	return report, nil
}

// words returns the words of all documents, and takes them from the workers.
func (p *passes) words() *secret.Vocabulary {
	all := new(secret.Vocabulary)
	for i := range p.workers {
		w := &p.workers[i]
		if i == 0 {
			*all = w.words
		} else {
			all.Include(&w.words)
		}
		w.words = secret.Vocabulary{}
	}
	return all
}

// worker audits a sequence of documents with the same memory.
type worker struct {
	leaf.Walker
	declared *detect.Declared
	words    secret.Vocabulary // of the documents
	scanner  *scanner
	copies   *copyScanner
}

// outlines are the outlines of documents that are kept from one pass to the next.
type outlines struct {
	list []*catalog.Outline
	size atomic.Int64 // total size of their documents in bytes
}

// maxOutlined is the maximum total size in bytes of documents with a kept
// outline, which keeps the document in memory.
const maxOutlined = 16 << 20

// lend gives w the outline of an input, if it was kept.
func (o *outlines) lend(number int, w *leaf.Walker) { w.Outline = o.list[number] }

// keep keeps the outline of the input that w walked last.
func (o *outlines) keep(number int, w *leaf.Walker) {
	if w.Outline != nil && (o.list[number] != nil || o.size.Add(int64(len(w.Outline.Data))) <= maxOutlined) {
		o.list[number] = w.Outline
	}
	w.Outline = nil
}

// each calls work for each input that has not failed, concurrently in all
// workers.
func (a *Auditor) each(ctx context.Context, run *passes, work func(int, *catalog.Reader, *worker) error) error {
	next := make(chan int)
	var group sync.WaitGroup
	for k := range run.workers {
		w := &run.workers[k]
		group.Go(func() {
			for i := range next {
				run.failures[i] = with(run.inputs[i], func(r *catalog.Reader) error {
					run.outlines.lend(i, &w.Walker)
					defer run.outlines.keep(i, &w.Walker)
					return work(i, r, w)
				})
			}
		})
	}
	defer group.Wait()
	defer close(next)
	for i := range run.inputs {
		if run.failures[i] != nil {
			continue
		}
		select {
		case next <- i:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func with(in Input, work func(*catalog.Reader) error) (err error) {
	r, closer, err := in.Open()
	if err != nil {
		return err
	}
	if closer != nil {
		defer func() { err = errors.Join(err, closer.Close()) }()
	}
	if err = work(r); err != nil && in.Explain != nil {
		err = in.Explain(err)
	}
	return err
}

// collect passes the declared secrets of the catalogs in a document to add, in order,
// and adds the words of the catalogs to words. It returns the name of the node of each
// catalog, empty if unknown.
func (a *Auditor) collect(name string, r *catalog.Reader, w *worker, words *secret.Vocabulary, kept *interner, add func(string, int, func() taint.Declaration)) (nodes []string, kind rundata.Kind, err error) {
	order := 0
	if w.declared == nil {
		w.declared = a.detector.Declared()
	}
	in := w.declared
	end := func(c *leaf.Catalog) {
		words.Keep(c.Node)
		nodes, kind = append(nodes, kept.text(c.Node)), c.Document
	}
	err = w.Walk(r, name, leaf.Visitor{Want: declares, Declared: true, Edge: none, Name: words.AddResource, End: end, Leaf: func(l *leaf.Leaf) {
		if l.State == leaf.Open {
			return
		}
		order++
		secrets := in.Secrets(l)
		if len(secrets) == 0 {
			return
		}
		var at *origin // that of all secrets in l
		place := func() taint.Declaration {
			if at == nil {
				at = kept.origin(l)
			}
			return taint.Declaration{Origin: at}
		}
		for _, text := range secrets {
			add(text, order, place)
		}
	}})
	return nodes, kind, err
}

// numbered returns a number for each document with the given nodes, which is the
// same for documents of the same node. A document of several nodes, or of an
// unknown one, is a node by itself.
func numbered(nodes [][]string) []int32 {
	first := make(map[string]int32, len(nodes))
	numbers := make([]int32, len(nodes))
	for i, list := range nodes {
		numbers[i] = int32(i)
		name := ""
		if len(list) > 0 && !slices.ContainsFunc(list, func(other string) bool { return other != list[0] }) {
			name = list[0]
		}
		if known, ok := first[name]; ok {
			numbers[i] = known
		} else if name != "" {
			first[name] = numbers[i]
		}
	}
	return numbers
}
