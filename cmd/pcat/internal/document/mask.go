package document

import (
	"context"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
)

// The values of --mask.
const (
	maskFound    = "found"
	maskDeclared = "declared"
)

// MaskFlag is the flag of a command that prints values of catalogs.
const MaskFlag = "mask"

// Mask masks the secrets of a document. A Redactor of package sensitive is one.
type Mask interface {
	catalog.Transform
	Location(at catalog.Location) catalog.Location
	Text(text string) string
}

// shown is a Mask that masks nothing.
type shown struct{ catalog.Transform }

func (shown) Location(at catalog.Location) catalog.Location { return at }
func (shown) Text(text string) string                       { return text }

// masking is what the documents of a run have in common: which secrets are masked, and
// whether undeclared ones are masked in the output. It is safe for concurrent use.
type masking struct {
	what   string      // the value of --mask
	shown  bool        // the value of --show-secrets
	found  atomic.Bool // undeclared secrets are masked in the output
	warned sync.Once
}

// auditor returns the audit that finds undeclared secrets, for all documents.
var auditor = sync.OnceValues(func() (redact.Auditor, error) { return redact.NewAuditor(audit.Options{}) })

func newMasking() *masking { return &masking{what: maskFound} }

func (m *masking) finder() *redact.Finder {
	if m.what == maskDeclared {
		return redact.NewFinder(nil)
	}
	return redact.NewFinder(auditor)
}

// AddMaskFlag declares the flag of a command that prints values of catalogs.
func (f *ReadFlags) AddMaskFlag(cmd *cobra.Command) {
	f.mask = newMasking()
	cmd.Flags().StringVar(&f.mask.what, MaskFlag, maskFound, "mask `WHAT`: found (declared secrets and secrets that pcat audit finds)\nor declared (only declared secrets)")
	cli.CompleteFlag(cmd, MaskFlag, maskFound, maskDeclared)
}

// AddShowFlags declares the flags of AddMaskFlag, and --show-secrets.
func (f *ReadFlags) AddShowFlags(cmd *cobra.Command) {
	f.AddMaskFlag(cmd)
	cmd.Flags().BoolVar(&f.mask.shown, "show-secrets", false, "print secrets instead of masking them")
}

// ShowsSecrets reports whether secrets are printed instead of masked.
func (f *ReadFlags) ShowsSecrets() bool { return f.masking().shown }

// Encoding returns how values are written for programs.
func (f *ReadFlags) Encoding() serialization.EncodeOptions {
	return (&PrintFlags{ShowSecrets: f.ShowsSecrets()}).encoding()
}

func (f *ReadFlags) checkMask() error {
	if f.mask == nil || f.mask.what == maskFound || f.mask.what == maskDeclared {
		return nil
	}
	return cli.Usage("--%s %s: use %s or %s", MaskFlag, f.mask.what, maskFound, maskDeclared)
}

// masking returns that of the flags; a command that prints no values masks its messages.
func (f *ReadFlags) masking() *masking {
	if f.mask == nil {
		return newMasking()
	}
	return f.mask
}

// Finder returns a new Finder of the secrets to mask.
func (f *ReadFlags) Finder() *redact.Finder { return f.masking().finder() }

// WarnFound logs, once in a run, that undeclared secrets are masked in the output, if shown is
// set or [Document.Guarded] masked one.
func (f *ReadFlags) WarnFound(log *slog.Logger, shown bool) {
	m := f.mask
	if m == nil || !shown && !m.found.Load() {
		return
	}
	m.warned.Do(func() {
		log.Warn("secrets that no catalog declares are masked in the output; --" + MaskFlag + " " + maskDeclared + " prints them")
	})
}

// Opener returns a function that returns a new reader of d.
func (d *Document) Opener() catalog.Opener {
	return func(context.Context) (*catalog.Reader, io.Closer, error) { return d.Reader(), nil, nil }
}

// alone finds the secrets of a document for itself.
func (d *Document) alone(ctx context.Context, m *masking) (*sensitive.Secrets, error) {
	finder := m.finder()
	failures, err := finder.Learn(ctx, nil, d.Opener())
	if err == nil {
		err = failures[0]
	}
	return finder.Secrets(), err
}

// together are several inputs of which the secrets of one are masked in all.
type together struct {
	read    *ReadFlags
	sources []cli.Source
	held    map[string]heldInput // by name: inputs that can be opened only once
	learn   func() error

	secrets  *sensitive.Secrets
	failures map[string]error // by name
}

// heldInput is the result of opening an input.
type heldInput struct {
	doc *Document
	err error
}

// together returns the inputs of a command that prints values of several ones. The caller
// must close the result.
func (f *ReadFlags) together(ctx context.Context, sources []cli.Source) *together {
	t := &together{read: f, sources: sources, held: map[string]heldInput{}, failures: map[string]error{}}
	t.learn = sync.OnceValue(func() error { return t.find(ctx) })
	for _, src := range sources {
		if !reopens(src) {
			doc, err := f.Open(ctx, src)
			if doc != nil {
				doc.find = t.of(src.Name)
			}
			t.held[src.Name] = heldInput{doc, err}
		}
	}
	return t
}

// reopens reports whether a source can be opened repeatedly: it is no pipe.
func reopens(src cli.Source) bool {
	if src.Remote() {
		return true
	}
	info, err := os.Stat(src.Name)
	return src.Name != cli.Stdin && err == nil && info.Mode().IsRegular()
}

// open opens an input. The caller must call done.
func (t *together) open(ctx context.Context, src cli.Source) (doc *Document, done func() error, err error) {
	if known, ok := t.held[src.Name]; ok {
		return known.doc, func() error { return nil }, known.err
	}
	if doc, err = t.read.Open(ctx, src); err != nil {
		return nil, nil, err
	}
	doc.find = t.of(src.Name)
	return doc, doc.Close, nil
}

// of returns a function that returns the secrets of all inputs, and the error of one of them.
func (t *together) of(name string) func() (*sensitive.Secrets, error) {
	return func() (*sensitive.Secrets, error) {
		if err := t.learn(); err != nil {
			return &sensitive.Secrets{}, err
		}
		return t.secrets, t.failures[name]
	}
}

func (t *together) find(ctx context.Context) error {
	finder := t.read.Finder()
	openers := make([]catalog.Opener, len(t.sources))
	for i, src := range t.sources {
		src = src.Silent()
		openers[i] = func(ctx context.Context) (*catalog.Reader, io.Closer, error) {
			if known, ok := t.held[src.Name]; ok && known.err == nil {
				return known.doc.Reader(), nil, nil
			}
			doc, done, err := t.open(ctx, src)
			if err != nil {
				return nil, nil, err
			}
			return doc.Reader(), closer(done), nil
		}
	}
	failures, err := finder.Learn(ctx, nil, openers...)
	if err != nil {
		return err
	}
	t.secrets = finder.Secrets()
	for i, err := range failures {
		t.failures[t.sources[i].Name] = err
	}
	return nil
}

// close closes the inputs that are held.
func (t *together) close() (err error) {
	for _, o := range t.held {
		if closed := o.doc.Close(); err == nil {
			err = closed
		}
	}
	return err
}

// closer is a function that implements [io.Closer].
type closer func() error

func (c closer) Close() error { return c() }
