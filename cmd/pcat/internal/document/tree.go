package document

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/compress"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Sources returns the inputs for args, and checks the flags for them. With an output directory, it leaves out the files
// that were found in a directory and are no catalogs, and the output directory itself. The caller must call Finish.
func (f *WriteFlags) Sources(ctx context.Context, s *cli.IOStreams, read *ReadFlags, jobs *cli.JobFlags, args []string) ([]cli.Source, error) {
	files := read.Files
	files.Skip = f.Output.Dir
	sources, err := files.Sources(s, args)
	if err != nil {
		return nil, err
	}
	if f.Output.Dir != "" {
		all := len(sources)
		if sources, err = read.catalogs(ctx, jobs, sources); err != nil {
			return nil, err
		}
		if f.skipped = all - len(sources); f.skipped == all && all > 0 {
			return nil, read.Files.Nothing(strings.Join(args, " "), noneOf(all))
		}
	}
	return sources, f.Check(s, sources)
}

// Finish ends the output to a directory, and logs how many files were written there. err is the error of the run, and
// the result that of the command.
func (f *WriteFlags) Finish(s *cli.IOStreams, err error) error {
	return f.Output.Finish(s, f.skipped, err)
}

func noneOf(files int) string {
	if files == 1 {
		return "the file in this directory is not a catalog"
	}
	return fmt.Sprintf("none of the %d files is a catalog", files)
}

// catalogs returns the sources without files that were found in a directory and are no catalogs.
func (f *ReadFlags) catalogs(ctx context.Context, jobs *cli.JobFlags, sources []cli.Source) (kept []cli.Source, err error) {
	var mu sync.Mutex
	others := map[string]bool{}
	err = jobs.Run(ctx, io.Discard, sources, func(ctx context.Context, src cli.Source, _ io.Writer) error {
		if !src.Found || f.mayBeCatalog(ctx, src) {
			return nil
		}
		src.Log().Debug("skipped: no catalog found", cli.FileKey, src.Name)
		mu.Lock()
		defer mu.Unlock()
		others[src.Name] = true
		return nil
	})
	for _, src := range sources {
		if !others[src.Name] {
			kept = append(kept, src)
		}
	}
	return kept, errors.Join(err, ctx.Err())
}

// mayBeCatalog reports whether a source starts like a catalog, or has the name of a form and cannot be read: then it is
// an error that should not be hidden.
func (f *ReadFlags) mayBeCatalog(ctx context.Context, src cli.Source) bool {
	_, named := formats.Default().ByExtension(compress.TrimExtension(src.Name))
	in, err := src.Open(ctx)
	if err != nil {
		return true
	}
	defer func() { _ = in.Close() }() // it was only looked at
	r := bufio.NewReaderSize(in, headLen)
	head, err := r.Peek(headLen)
	if err != nil && !errors.Is(err, io.EOF) {
		return named
	}
	form, err := f.Detect(head, src.Name)
	if err != nil {
		return named
	}
	for part, err := range catalog.NewReader(r, form, lenient()).Parts() {
		switch {
		case errors.Is(err, catalog.ErrNotCatalog), errors.Is(err, catalog.ErrShape):
			return false
		case err != nil:
			return named
		case part.Kind == catalog.PartResource, part.Kind == catalog.PartEdge, part.Catalog, part.Key == "resources":
			return true
		}
	}
	return false
}

// rename returns the name of an output for the name of its input: with the extension of the form that -t names, and
// unchanged without -t.
func (f *WriteFlags) rename(name string) string {
	to, err := form("-t", f.To)
	if err != nil || to.Name == "" {
		return name
	}
	want := f.Extension
	if want == "" {
		want = to.Extensions[0]
		if found, ok := formats.Default().ByExtension(name); ok && found.Name == to.Name {
			return name
		}
	}
	return strings.TrimSuffix(name, extension(name)) + want
}

// extension returns the extension of a file name if it is that of a form, and nothing otherwise.
func extension(name string) (found string) {
	base := filepath.Base(name)
	for _, form := range formats.Default().Formats() {
		for _, e := range form.Extensions {
			if at := len(base) - len(e); at > 0 && len(e) > len(found) && strings.EqualFold(base[at:], e) {
				found = base[at:]
			}
		}
	}
	return found
}

// checkNames returns a usage error if -i would leave a file whose name promises another syntax.
func (f *WriteFlags) checkNames(sources []cli.Source) error {
	to, err := form("-t", f.To)
	if err != nil || to.Name == "" || !f.Output.InPlace {
		return nil //nolint:nilerr // it was checked before
	}
	name := to.Name
	if f.Extension != "" {
		name = "another form"
	}
	for _, src := range sources {
		path := compress.TrimExtension(src.Name)
		if named, ok := formats.Default().ByExtension(path); ok && !named.SameWire(to) {
			return cli.Usage("%s would contain %s, because -i keeps its name; use --output-dir DIR to write DIR/%s",
				src.Name, name, filepath.Base(f.rename(path)))
		}
	}
	return nil
}
