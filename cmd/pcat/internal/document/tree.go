package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/catalogfile"
	"github.com/pcatdev/pcat/internal/compress"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Sources returns the inputs for args, without the files that were found in a directory and
// are no catalogs: a notice says how many. Without any input left, the error says so.
func (f *ReadFlags) Sources(ctx context.Context, s *cli.IOStreams, jobs *cli.JobFlags, args []string) ([]cli.Source, error) {
	sources, skipped, err := f.sources(ctx, s, f.Files, jobs, args)
	notice(s, skipped)
	return sources, err
}

// Sources is [ReadFlags.Sources], and checks the flags for the inputs. It leaves out the
// output directory. The caller must call Finish.
func (f *WriteFlags) Sources(ctx context.Context, s *cli.IOStreams, read *ReadFlags, jobs *cli.JobFlags, args []string) ([]cli.Source, error) {
	files := read.Files
	files.Skip = f.Output.Dir
	sources, skipped, err := read.sources(ctx, s, files, jobs, args)
	if f.Output.Dir == "" {
		notice(s, skipped)
	}
	if err != nil {
		return nil, err
	}
	f.skipped = skipped
	return sources, f.Check(s, sources)
}

// sources returns the inputs for args, and the number of files that were skipped. If none
// is left, the error says so, and the number is 0.
func (f *ReadFlags) sources(
	ctx context.Context, s *cli.IOStreams, files cli.InputFlags, jobs *cli.JobFlags, args []string,
) (sources []cli.Source, skipped int, err error) {
	if f.remote != nil {
		files.Remotes = f.remote.With(s)
	}
	all, err := files.Sources(ctx, s, args)
	if err != nil || !slices.ContainsFunc(all, func(src cli.Source) bool { return src.Found }) {
		return all, 0, err
	}
	sources, err = f.catalogs(ctx, jobs, all)
	if err == nil && len(sources) == 0 {
		err = files.Nothing(strings.Join(args, " "), noneOf(len(all)))
	}
	if err != nil {
		return nil, 0, err
	}
	return sources, len(all) - len(sources), nil
}

// notice logs how many files were skipped.
func notice(s *cli.IOStreams, skipped int) {
	if skipped == 0 {
		return
	}
	text, hint := Counted(skipped, "file")+" skipped (no catalog)", "; -v names them"
	if skipped == 1 {
		hint = "; -v names it"
	}
	if s.Log.Enabled(context.Background(), slog.LevelInfo) { // they were named
		hint = ""
	}
	s.Notice(text + hint)
}

// Finish ends the output to a directory, and logs how many files were written there. err is
// the error of the run, and the result that of the command.
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
	quiet := cli.JobFlags{Jobs: jobs.Jobs} // the progress is that of the command
	err = quiet.Run(ctx, io.Discard, sources, func(ctx context.Context, src cli.Source, _ io.Writer) error {
		if !src.Found || src.Remote() || f.mayBeCatalog(ctx, src) {
			return nil
		}
		src.Log().Info("skipped: no catalog found", cli.FileKey, src.Name)
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

// mayBeCatalog reports whether a source starts like a catalog, or could be one that cannot
// be read, by its name, by its first bytes or because it cannot be opened: then the error
// should not be hidden. With Values, any document of a known format will do.
func (f *ReadFlags) mayBeCatalog(ctx context.Context, src cli.Source) bool {
	b := f.begins(ctx, src)
	if b.Err == nil && f.Values {
		return true
	}
	return b.MayBeCatalog(src.Name) || errors.Is(b.Err, fs.ErrPermission)
}

// BeginsCatalog reports whether a source starts like a catalog. It is false without an
// error if the source is another document. It reads no more than it needs to find out.
func (f *ReadFlags) BeginsCatalog(ctx context.Context, src cli.Source) (bool, error) {
	b := f.begins(ctx, src)
	return b.Found, b.Err
}

// begins reads a source until it knows whether it is a catalog.
func (f *ReadFlags) begins(ctx context.Context, src cli.Source) *catalogfile.Beginning {
	in, err := src.Open(ctx)
	if err != nil {
		return &catalogfile.Beginning{Err: err}
	}
	defer func() { _ = in.Close() }() // it was only looked at
	var body io.Reader = in
	if f.RunData {
		head := make([]byte, headLen)
		n, err := io.ReadFull(in, head)
		if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			if rundata.Detect(head[:n]) != nil {
				return &catalogfile.Beginning{Found: true}
			}
			body = io.MultiReader(bytes.NewReader(head[:n]), in)
		}
	}
	detect := func(head []byte) (serialization.Format, error) { return f.Detect(head, src.Name) }
	return catalogfile.Read(body, detect, func(b *catalogfile.Beginning) bool { return b.Found })
}

// rename returns the name of an output for the name of its input: with the extension of the
// format that -t names, and unchanged without -t and with KeepNames.
func (f *WriteFlags) rename(name string) string {
	to, err := format("-t", f.To)
	if err != nil || to.Name == "" || f.KeepNames {
		return name
	}
	want := f.Extension
	if want == "" {
		want = to.Extensions[0]
		if found, ok := formats.Default().ByExtension(name); ok && found.Name == to.Name {
			return name
		}
	}
	return strings.TrimSuffix(name, catalogfile.Extension(name)) + want
}

// checkNames returns a usage error if -i would leave a file whose name promises another syntax.
func (f *WriteFlags) checkNames(sources []cli.Source) error {
	to, err := format("-t", f.To)
	if err != nil || to.Name == "" || !f.Output.InPlace {
		return nil //nolint:nilerr // it was checked before
	}
	name := to.Name
	if f.Extension != "" {
		name = "another format"
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
