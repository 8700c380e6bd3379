package redact

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/serialization"
)

// input is a source as [redact.Run] sees it.
type input struct {
	run *run
	src cli.Source
	// written is false for an input of which only the secrets count.
	written bool
	doc     *document.Document // that is open
	numbers rundata.Numbers    // with the document that was opened last
}

func (in *input) open(ctx context.Context) (*catalog.Reader, io.Closer, error) {
	doc, done, err := in.run.document(ctx, in.src)
	if err != nil {
		return nil, nil, err
	}
	if in.written {
		if err := in.run.checkKind(doc); err != nil {
			return nil, nil, errors.Join(err, done())
		}
	}
	in.doc, in.numbers = doc, rundata.Numbers{}
	doc.Count(in.numbers)
	in.run.progress.Add()
	return doc.Reader(), closer(done), nil
}

// checkKind returns an error for a document that is no catalog if only a catalog can be written as
// the flags ask for.
func (r *run) checkKind(doc *document.Document) error {
	var flag string
	switch {
	case doc.Kind() == "":
		return nil
	case r.Mode == modeDrop || r.Mode == modeEncrypt:
		flag = "--mode " + r.Mode
	case r.Write.To != "":
		flag = "--to"
	case r.Write.Indent != document.KeepIndent:
		flag = "--indent"
	default:
		return nil
	}
	return cli.BadInput(doc.Name, "", fmt.Errorf("%s is for catalogs only: this is a document of the kind %s", flag, doc.Kind()))
}

func (in *input) target(src *catalog.Reader) (serialization.Format, catalog.WriteOptions) {
	return in.run.Write.Target(in.doc), in.run.Write.Options(src)
}

// original returns the bytes of the document if it is written in its own form and layout.
func (in *input) original() io.Reader {
	if in.run.Write.Indent >= 0 || in.run.Write.Target(in.doc).Name != in.doc.Format.Name {
		return nil
	}
	return in.doc.Content()
}

func (in *input) write(ctx context.Context, write func(io.Writer) error) error {
	kept := in.run.Write.Output.Kept(in.src.Name)
	if err := in.run.Write.Write(ctx, in.run.Streams, in.doc, in.doc.Restored(write)); err != nil {
		return in.doc.Leak(err)
	}
	if kept != "" {
		in.src.Log().Warn(kept, cli.FileKey, in.run.Write.Output.Target(in.src.Name))
	}
	return nil
}

// failure returns the error of an input as the command prints it.
func (in *input) failure(ctx context.Context, err error) error {
	var cut *redact.CutError
	var rounds *redact.RoundsError
	switch {
	case err == nil || errors.As(err, new(*cli.Error)):
		return err
	case errors.As(err, &cut):
		return tooLarge(cut)
	case errors.As(err, &rounds):
		return &cli.Error{Code: cli.ExitInternal, File: in.src.Name, Location: rounds.At.String(), Err: &redact.RoundsError{Rule: rounds.Rule}}
	case errors.Is(err, redact.ErrAudit):
		return &cli.Error{Code: cli.ExitInternal, File: in.src.Name, Err: err}
	}
	in.src = in.src.Silent() // it was read before
	doc, done, openErr := in.run.document(ctx, in.src)
	if openErr != nil {
		return openErr
	}
	return errors.Join(doc.Failure(err), done())
}

func tooLarge(cut *redact.CutError) error {
	return cli.BadInput(cut.Name, cut.Location, errors.New("encoded content too large to search for secrets; nothing was written: make it Sensitive, or use --only "+declared))
}

// ended returns the error that ended the run as the command prints it.
func (r *run) ended(err error) error {
	var cut *redact.CutError
	switch {
	case errors.As(err, &cut):
		return tooLarge(cut)
	case errors.Is(err, redact.ErrIncomplete):
		return &cli.Error{Code: cli.ExitBadInput, File: r.Write.Output.Dir, Err: redact.ErrIncomplete}
	case errors.Is(err, redact.ErrRounds):
		return &cli.Error{Code: cli.ExitInternal, Err: redact.ErrRounds}
	}
	return err
}

// document opens a document, which must be given back by done before the next is opened,
// unless several are worked on at the same time.
func (r *run) document(ctx context.Context, src cli.Source) (doc *document.Document, done func() error, err error) {
	if r.atOnce && src.Name != cli.Stdin {
		if doc, err = r.Read.Open(ctx, src); err != nil {
			return nil, nil, err
		}
		return doc, doc.Close, nil
	}
	kept := func() error { return nil }
	if r.kept != nil && r.kept.Name == src.Name {
		return r.kept, kept, nil
	}
	if doc, err = r.Read.Open(ctx, src); err != nil {
		return nil, nil, err
	}
	if r.kept != nil && r.kept.Name == cli.Stdin {
		return doc, doc.Close, nil
	}
	r.keep(doc)
	return doc, kept, nil
}

// keep keeps a document, nil for none, and closes the one that was kept.
func (r *run) keep(doc *document.Document) {
	if r.kept != nil {
		_ = r.kept.Close() // it was read
	}
	r.kept = doc
}

// several allows to work on several inputs at the same time, until end. Standard input,
// which is one of them, is kept.
func (r *run) several() (end func()) {
	if r.kept != nil && r.kept.Name != cli.Stdin {
		r.keep(nil)
	}
	r.atOnce = true
	return func() { r.atOnce = false }
}

// each works on several inputs at the same time.
func (r *run) each(ctx context.Context, _ int, work func(context.Context, int)) error {
	defer r.several()()
	number := make(map[string]int, len(r.sources))
	for i, src := range r.sources {
		number[src.Name] = i
	}
	return r.Jobs.Run(ctx, io.Discard, r.sources, func(ctx context.Context, src cli.Source, _ io.Writer) error {
		i := number[src.Name]
		in := r.inputs[i]
		in.src = src // whose log comes in order
		defer func() { in.src = r.sources[i] }()
		work(ctx, i)
		return nil
	})
}

// closer is an [io.Closer].
type closer func() error

func (c closer) Close() error { return c() }
