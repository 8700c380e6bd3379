package document

import (
	"context"
	"errors"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// errSeveral reports a document with several catalogs.
var errSeveral = errors.New("the file contains several catalogs; a comparison needs a file for each")

// OpenSide opens a source with one catalog, to compare it. Close the document if it is not
// nil, also after an error.
func (f *ReadFlags) OpenSide(ctx context.Context, src cli.Source) (doc *Document, s diff.Side, err error) {
	if doc, err = f.Open(ctx, src); err != nil {
		return nil, s, err
	}
	open := doc.Reader
	if o := doc.Reader().Outline(nil); o != nil {
		open = o.Reader // the search for secrets needs the same outline
	}
	for c, err := range open().Catalogs() {
		if err != nil {
			return doc, s, doc.Failure(err)
		}
		if s.Catalog != nil {
			return doc, s, cli.BadInput(doc.Name, "", errSeveral)
		}
		s = diff.Side{Catalog: c, Document: open, Format: doc.Format.Name}
	}
	if s.Catalog == nil {
		return doc, s, cli.BadInput(doc.Name, "", catalog.ErrNotCatalog)
	}
	return doc, s, nil
}

// DiffFailure returns an error of the comparison of two documents as a [cli.Error] with the
// document that it is about, and with their declared secrets masked.
func DiffFailure(err error, old, new *Document) error {
	var one *diff.SideError
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &one) && one.New:
		return new.Failure(one.Err)
	case errors.As(err, &one):
		return old.Failure(one.Err)
	default:
		return cli.BadInput(old.Name+" or "+new.Name, "", old.Masked(new.Masked(err)))
	}
}
