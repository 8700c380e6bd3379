package redact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	engine "github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/audit"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/sensitive"
)

// findings is the value of --also.
const findings = "findings"

// checkAlso refuses what cannot work.
func (opts *Options) checkAlso() error {
	for _, what := range opts.Also {
		if what != findings {
			return cli.Usage("--also: unknown value %q; use %s", what, findings)
		}
	}
	if len(opts.Also) == 0 && (opts.Findings.Config != "" || opts.Findings.NoConfig) {
		return cli.Usage("--config and --no-config need --also %s", findings)
	}
	return opts.Findings.Check()
}

// maxRounds is how often the output is searched for what only shows in it: what overlapped a secret
// that was replaced, and the rest of more secrets than are found in one place at once.
const maxRounds = 8

// search looks for secrets that nothing declares.
type search struct {
	*run
	finder *audit.Search
}

// search returns one, nil when it is not asked for.
func (r *run) search(ctx context.Context) (*search, error) {
	if len(r.Also) == 0 {
		return nil, nil //nolint:nilnil // nil asks for none
	}
	finder, err := audit.NewSearch(ctx, r.Streams, r.Findings, r.sources)
	if err != nil {
		return nil, err
	}
	return &search{r, finder}, nil
}

// inputs tells the redactor what is found in the inputs.
func (s *search) inputs(ctx context.Context) error {
	if s == nil {
		return nil
	}
	found, err := s.look(ctx, func(doc *document.Document, done func() error) (*catalog.Reader, io.Closer) {
		return doc.Reader(), closer(done)
	})
	if err != nil {
		return err
	}
	return follow(s.redactor, found)
}

// outputs searches what the redactor would write until nothing is found in it. Inputs of whose output
// that cannot be said have failed.
func (s *search) outputs(ctx context.Context) error {
	if s == nil {
		return nil
	}
	for range maxRounds {
		broken := 0
		found, err := s.look(ctx, func(doc *document.Document, done func() error) (*catalog.Reader, io.Closer) {
			return s.written(ctx, doc, func(err error) error {
				if err != nil {
					broken++ // and will be told when it is written
				}
				return done()
			})
		})
		switch {
		case err != nil:
			return err
		case len(found.Failures) > broken:
			return &cli.Error{Code: cli.ExitInternal, Err: errors.New("the output cannot be audited; nothing was written")}
		case len(found.Findings) == 0:
			return s.refuse(found.Notes)
		}
		s.redactor = s.redactor.Next()
		if err := follow(s.redactor, found); err != nil {
			return err
		}
	}
	return &cli.Error{Code: cli.ExitInternal, Err: fmt.Errorf("still finding secrets after %d passes; nothing was written", maxRounds)}
}

// look audits what open makes of the inputs that have not failed.
func (s *search) look(ctx context.Context, open func(doc *document.Document, done func() error) (*catalog.Reader, io.Closer)) (*engine.Report, error) {
	var inputs []engine.Input
	for _, src := range s.sources {
		if s.failures[src.Name] != nil {
			continue
		}
		inputs = append(inputs, engine.Input{Name: src.Name, Open: func() (*catalog.Reader, io.Closer, error) {
			doc, done, err := s.open(ctx, src)
			if err != nil {
				return nil, nil, err
			}
			r, c := open(doc, done)
			return r, c, nil
		}})
	}
	return s.finder.Run(ctx, inputs)
}

// written returns a reader of what the redactor makes of a document. Done is called at the end with the
// error of the redactor, unless nobody read on.
func (s *search) written(ctx context.Context, doc *document.Document, done func(error) error) (*catalog.Reader, io.Closer) {
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := s.write(ctx, w, s.redactor, doc)
		_ = w.CloseWithError(err) // never fails
		ended <- err
	}()
	return doc.ReaderOf(r, s.Write.Target(doc)), closer(func() error {
		_ = r.Close() // never fails
		err := <-ended
		if errors.Is(err, io.ErrClosedPipe) {
			err = nil
		}
		return done(err)
	})
}

// refuse fails the inputs in whose output secrets may be left that were not found.
func (s *search) refuse(notes []engine.Note) error {
	for _, n := range notes {
		if !n.Cut {
			continue
		}
		err := cli.BadInput(n.Catalog, n.Pointer, errors.New("encoded content too large to search for secrets; nothing was written: make it Sensitive, or redact without --also "+findings))
		if !slices.ContainsFunc(s.sources, func(src cli.Source) bool { return src.Name == n.Catalog }) {
			return err // its name holds a secret and is masked
		}
		s.failures[n.Catalog] = err
	}
	return nil
}

// follow tells a redactor what was found.
func follow(r *sensitive.Redactor, found *engine.Report) error {
	for i := range found.Findings {
		f := &found.Findings[i]
		err := r.Follow(sensitive.Found{Secret: f.Secret, Spelled: f.Spelled, At: f.At, Start: f.Start})
		if err != nil {
			return fmt.Errorf("%s: %w", f.Rule, err)
		}
	}
	return nil
}

// closer is an [io.Closer].
type closer func() error

func (c closer) Close() error { return c() }
