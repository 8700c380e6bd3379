package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/serialization/formats"
)

// A folder of catalogs may contain other files. A file that is named on the command line must be a catalog;
// a file that was found in a folder is skipped if it is not.

// candidates returns the sources that may be catalogs, by extension or by content.
func (opts *Options) candidates(ctx context.Context, sources []cli.Source) ([]cli.Source, error) {
	kept := slices.DeleteFunc(slices.Clone(sources), func(src cli.Source) bool {
		over := src.Found && !hasExtension(src.Name) && !opts.begins(ctx, src)
		if over {
			opts.logSkipped(src.Name)
		}
		return over
	})
	if len(kept) == 0 && len(sources) > 0 {
		return nil, opts.nothing(noneOf(len(sources)))
	}
	return kept, nil
}

// nothing returns the error for an audit without catalogs, or nil if that is allowed.
func (opts *Options) nothing(why string) error {
	return opts.Read.Files.Nothing(strings.Join(opts.Args, " "), why)
}

// audited returns an error if no catalog was audited, because the inputs have none, and none failed.
func (opts *Options) audited(found *audit.Report, sources []cli.Source) error {
	switch {
	case found.Catalogs > 0 || len(found.Failures) > 0 || len(sources) == 0:
		return nil
	case sources[0].Found:
		return opts.nothing(noneOf(len(sources)))
	default:
		return opts.nothing(document.EmptyList)
	}
}

// hasExtension reports whether the file has the extension of a form.
func hasExtension(file string) bool {
	_, known := formats.Default().ByExtension(strings.TrimSuffix(strings.TrimSuffix(file, ".gz"), ".zst"))
	return known
}

// begins reports whether the source starts like a catalog.
func (opts *Options) begins(ctx context.Context, src cli.Source) bool {
	doc, err := opts.Read.Open(ctx, src)
	if err != nil {
		return false
	}
	defer func() { _ = doc.Close() }() // it was only looked at
	for part, err := range doc.Reader().Parts() {
		switch {
		case err != nil:
			return false
		case part.Kind == catalog.PartResource, part.Kind == catalog.PartEdge, part.Catalog, part.Key == "resources":
			return true
		}
	}
	return false
}

// skipOthers removes the failures of files that were found in a folder and are not catalogs. It logs the
// number of all skipped files, including sources that are not candidates.
func (opts *Options) skipOthers(ctx context.Context, found *audit.Report, sources, candidates []cli.Source) {
	folder := make(map[string]cli.Source, len(candidates))
	for _, src := range candidates {
		if src.Found {
			folder[src.Name] = src
		}
	}
	before := len(found.Failures)
	found.Failures = slices.DeleteFunc(found.Failures, func(f audit.Failure) bool {
		src, ok := folder[f.Name]
		over := ok && (errors.Is(f.Err, catalog.ErrNotCatalog) || errors.Is(f.Err, catalog.ErrShape)) && !opts.begins(ctx, src)
		if over {
			opts.logSkipped(f.Name)
		}
		return over
	})
	over := before - len(found.Failures)
	found.Catalogs -= over
	if over += len(sources) - len(candidates); over > 0 {
		opts.Streams.Log.Info(fmt.Sprintf("skipped %d of %d files: not catalogs", over, len(sources)))
	}
}

// logSkipped logs, with -vv, that a file was skipped.
func (opts *Options) logSkipped(file string) {
	opts.Streams.Log.Debug("skipped: no catalog found", cli.FileKey, file)
}

func noneOf(files int) string {
	if files == 1 {
		return "the file in this directory is not a catalog"
	}
	return fmt.Sprintf("none of the %d files is a catalog", files)
}
