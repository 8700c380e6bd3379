package document

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync/atomic"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/sensitive"
)

// Each opens the sources and calls do for each document, for several at a time as jobs
// says. The documents are closed afterwards. The output of do goes to out, in the order of
// the sources. The secrets of one of them are masked in all. If none of the documents contains a catalog, because all are empty lists,
// the error says so.
func (f *ReadFlags) Each(
	ctx context.Context, jobs *cli.JobFlags, sources []cli.Source, out io.Writer,
	do func(ctx context.Context, doc *Document, out io.Writer) error,
) (err error) {
	open := func(ctx context.Context, src cli.Source) (*Document, func() error, error) {
		doc, err := f.Open(ctx, src)
		return doc, doc.Close, err
	}
	if f.mask != nil && len(sources) > 1 {
		all := f.together(ctx, sources)
		defer func() { err = errors.Join(err, all.close()) }()
		open = all.open
	}
	if len(sources) > 0 {
		defer func() { f.WarnFound(sources[0].Log(), false) }()
	}
	var catalogs atomic.Bool
	err = jobs.Run(ctx, out, sources, func(ctx context.Context, src cli.Source, out io.Writer) (err error) {
		doc, done, err := open(ctx, src)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, done()) }()
		if f.Values || !doc.IsEmptyList() {
			catalogs.Store(true)
		}
		return do(ctx, doc, out)
	})
	if err == nil && len(sources) > 0 && !catalogs.Load() {
		err = f.Files.Nothing(nameOf(sources), EmptyList)
	}
	return err
}

// EmptyList says why an input has nothing to process.
const EmptyList = "the list contains no catalog"

// IsEmptyList reports whether d is a list of catalogs without any.
func (d *Document) IsEmptyList() bool {
	var kinds []catalog.PartKind
	for part, err := range d.Reader().Parts() {
		if err != nil {
			return false
		}
		if kinds = append(kinds, part.Kind); len(kinds) == 2 {
			break
		}
	}
	return slices.Equal(kinds, []catalog.PartKind{catalog.PartArray, catalog.PartEnd})
}

// Order returns the numbers of the sources by name.
func Order(sources []cli.Source) map[string]int {
	order := make(map[string]int, len(sources))
	for i, src := range sources {
		order[src.Name] = i
	}
	return order
}

// nameOf returns the name of a single source, otherwise nothing.
func nameOf(sources []cli.Source) string {
	if len(sources) == 1 {
		return sources[0].Name
	}
	return ""
}

// Log returns the log of the source of d.
func (d *Document) Log() *slog.Logger { return d.content.Input().Log() }

// Guarded calls do with a redactor that knows the secrets of d, and with a writer that
// passes on to out only output without them. wire is the syntax of the output, as in
// [sensitive.Redactor.Guard].
func (d *Document) Guarded(ctx context.Context, out io.Writer, wire string, do func(mask *sensitive.Redactor, out io.Writer) error) error {
	mask, err := d.Redactor()
	if err != nil {
		return d.Failure(err)
	}
	guard := Guard(mask, out, wire)
	err = errors.Join(do(mask, guard), guard.Close())
	if mask.ShowsFound() {
		d.mask.found.Store(true)
	}
	return d.Leak(mask.Locate(ctx, err, d.Format, d.Reader()))
}

// Printed is Guarded for a command with --show-secrets, which masks nothing then. json says that
// the output is JSON. Errors are [cli.Error]s.
func (d *Document) Printed(ctx context.Context, out io.Writer, json bool, do func(mask Mask, out io.Writer) error) error {
	wire := ""
	switch {
	case d.mask.shown:
		return d.Failure(do(shown{catalog.Chain()}, out))
	case json:
		wire = "json"
	}
	return d.Failure(d.Guarded(ctx, out, wire, func(mask *sensitive.Redactor, out io.Writer) error { return do(mask, out) }))
}

// Leak is the function Leak with the name of d.
func (d *Document) Leak(err error) error { return Leak(d.Name, err) }

// Leak returns an internal error with the name of a document and the location if a secret would
// have been written, and err otherwise.
func Leak(name string, err error) error {
	if !errors.Is(err, sensitive.ErrLeak) {
		return err
	}
	leak := &cli.Error{Code: cli.ExitInternal, File: name, Err: sensitive.ErrLeak}
	var located *sensitive.LeakError
	if errors.As(err, &located) {
		leak.Location = shortened(located.At.String())
		leak.Err = &sensitive.LeakError{Offset: located.Offset, Secret: located.Secret, Rule: located.Rule}
	}
	return leak
}
