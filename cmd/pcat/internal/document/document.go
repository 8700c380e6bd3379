// Package document connects files and catalogs for all commands that process catalogs.
// [ReadFlags] open a source as a [Document] and detect its format; [WriteFlags] write a
// changed or converted document; [PrintFlags] print values.
package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/remote"
	"github.com/pcatdev/pcat/internal/compress"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/rundata"
	"github.com/pcatdev/pcat/sensitive"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// PuppetDB is the name of the payloads and responses of PuppetDB, in addition to the
// formats of package serialization/formats.
const PuppetDB = "puppetdb"

// ReadFlags are the flags of a command that reads documents. Declare them with AddFlags.
type ReadFlags struct {
	Files cli.InputFlags
	From  string // the name of a format; "auto" or empty to find out
	// Repair reads text that is not UTF-8 as Binary.
	Repair bool
	// Plain reads documents of a plain format as plain data, in which `__ptype` has no
	// meaning. Commands set it if the output has a plain format too.
	Plain bool
	// Others are formats that the command reads itself, for messages and completion of the flag.
	Others []string
	// Types resolves the types of modules; nil resolves only the types of the language.
	// Commands with a module path set it.
	Types serialization.Types
	// RunData reads reports, events, facts and rows of resources as catalogs; see package rundata.
	RunData bool
	// Values accepts documents without a catalog as input. Otherwise, an empty list of
	// catalogs is nothing to process.
	Values bool

	remote *remote.Flags
	mask   *masking // nil for a command that prints no values
}

// AddFlags declares the flags.
func (f *ReadFlags) AddFlags(cmd *cobra.Command) {
	f.Files.AddFlags(cmd.Flags())
	f.AddRemoteFlags(cmd)
	cmd.Flags().StringVarP(&f.From, "from", "f", "auto", "`FORMAT` of the input; auto detects it by content, then by file name")
	cmd.Flags().BoolVar(&f.Repair, "repair", false, "read text that is not UTF-8 as Binary, with a warning for each location")
	cli.CompleteFlag(cmd, "from", append([]string{"auto"}, formatNames(f.Others)...)...)
}

// AddRemoteFlags declares the flags for inputs that are not files. Commands that do not
// call AddFlags call it to accept such inputs. It returns the flags.
func (f *ReadFlags) AddRemoteFlags(cmd *cobra.Command) *remote.Flags {
	f.remote = &remote.Flags{}
	f.remote.AddFlags(cmd)
	manual.Exits(cmd, cli.ExitBadInput)
	return f.remote
}

// Remote returns the flags for inputs that are not files, or nil if they were not declared.
func (f *ReadFlags) Remote() *remote.Flags { return f.remote }

// Local returns flags that accept only files: for names that are not from the command line.
func (f ReadFlags) Local() ReadFlags {
	f.remote = nil
	return f
}

// Document is one input, which can be read repeatedly. Large inputs are not kept in memory.
type Document struct {
	Name   string // as [cli.Source] has it
	Format serialization.Format

	content  *cli.Content
	kind     *rundata.Document // of origin; nil for catalogs
	origin   *cli.Content      // the content, if content presents it as catalogs
	catalogs int               // the number of these
	spool    func(size int64) *cli.Spool
	hold     func() (release func()) // prepares the heap for the bytes of origin
	decode   serialization.DecodeOptions
	mask     *masking
	find     func() (*sensitive.Secrets, error)
	secrets  *sensitive.Redactor // nil until a location is masked
	unread   error               // the error of find
}

// Check returns a usage error for invalid flags.
func (f *ReadFlags) Check() error {
	_, err := format("-f", f.From, f.Others...)
	return errors.Join(err, f.checkMask())
}

// formatNames returns the names of all formats.
func formatNames(others []string) []string { return append(formats.Default().Names(), others...) }

// format returns the format called name, which is the value of a flag; the zero value for auto.
// The error also lists others.
func format(flag, name string, others ...string) (serialization.Format, error) {
	if name == "" || name == "auto" {
		return serialization.Format{}, nil
	}
	found, err := formats.Default().ByName(name)
	if err != nil {
		all := formatNames(others)
		return found, cli.Usage("%s %s: %w%s\nUse one of %s", flag, name, serialization.ErrFormat,
			cli.DidYouMean(name, slices.Values(all)), strings.Join(all, ", "))
	}
	return found, nil
}

// Open opens a source and detects its format. Errors are [cli.Error]s that name the source.
// The caller must close the document.
func (f *ReadFlags) Open(ctx context.Context, src cli.Source) (doc *Document, err error) {
	content, err := src.Content(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, content.Close())
		}
	}()
	head, err := headOf(content)
	if err != nil {
		return nil, err
	}
	found, err := formats.Default().Detect(f.From, head, compress.TrimExtension(src.Name))
	isRunData := f.RunData && (f.From == "" || f.From == "auto") && rundata.Detect(head) != nil
	if err = detected(err, head, src.Name); err != nil && !isRunData {
		return nil, cli.BadInput(src.Name, "", err)
	}
	decode := serialization.DecodeOptions{Types: f.Types, Plain: f.Plain && !found.Rich}
	doc = &Document{Name: src.Name, Format: found, content: content, decode: decode, mask: f.masking()}
	doc.find = func() (*sensitive.Secrets, error) { return doc.alone(ctx, doc.mask) }
	if f.Repair {
		if err := doc.repair(src.Log()); err != nil {
			return doc, err
		}
	}
	if isRunData {
		return doc, doc.present(src, head)
	}
	return doc, nil
}

// headOf returns the beginning of a content. A small one is read completely, since it is
// needed later.
func headOf(content *cli.Content) ([]byte, error) {
	if content.Size() <= 4*headLen {
		if data := content.Bytes(); data != nil {
			return data[:min(headLen, len(data))], nil
		}
	}
	head := make([]byte, min(headLen, content.Size()))
	if _, err := content.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return head, nil
}

// Detect detects the format of data, the whole content of an input called file. Errors are
// [cli.Error]s.
func (f *ReadFlags) Detect(data []byte, file string) (serialization.Format, error) {
	found, err := formats.Default().Detect(f.From, data, compress.TrimExtension(file))
	if err = detected(err, data, file); err != nil {
		err = cli.BadInput(file, "", err)
	}
	return found, err
}

// detected explains why the format of an input was not detected, if err says so or
// the input is empty. head is its beginning.
func detected(err error, head []byte, name string) error {
	switch {
	case len(head) == 0 && name == cli.Stdin:
		return errors.New("standard input is empty: name a file, or accept this with --allow-empty")
	case len(head) == 0:
		return errors.New("the input is empty")
	case err != nil:
		return unknownFormat(head)
	}
	return nil
}

// unknownFormat says why the format of a document could not be found out. One that is named is
// known here.
func unknownFormat(head []byte) error {
	for _, packed := range [][2]string{{"\xfd7zXZ\x00", "xz"}, {"BZh", "bzip2"}, {"PK\x03\x04", "zip"}, {"7z\xbc\xaf\x27\x1c", "7z"}} {
		if bytes.HasPrefix(head, []byte(packed[0])) {
			return fmt.Errorf("%w: the input is compressed with %s; pcat supports only gzip and zstd", serialization.ErrFormat, packed[1])
		}
	}
	return fmt.Errorf("%w: neither the content nor the file name identifies it; use -f with one of %s",
		serialization.ErrFormat, strings.Join(formats.Default().Names(), ", "))
}

// headLen is the number of bytes that are used to detect the format.
const headLen = 64 << 10

// Close releases the document, if there is one.
func (d *Document) Close() error {
	if d == nil {
		return nil
	}
	return d.content.Close()
}

// Size returns the number of bytes, decompressed.
func (d *Document) Size() int64 {
	if d.origin != nil {
		return d.origin.Size()
	}
	return d.content.Size()
}

// ReadAll returns the whole document, decompressed.
func (d *Document) ReadAll() ([]byte, error) { return d.content.ReadAll() }

// Bytes returns all of the document, decompressed, if it is small enough for memory, else nil.
func (d *Document) Bytes() []byte { return d.content.Bytes() }

// Content returns a reader of the catalogs in the document, decompressed: the whole document,
// unless it is presented as catalogs.
func (d *Document) Content() io.ReadSeeker { return d.content.Reader() }

// Reader returns a reader of the catalogs in the document.
func (d *Document) Reader() *catalog.Reader {
	if data := d.content.Bytes(); data != nil {
		o := d.decode
		o.ShareInput = true // the bytes are not shared or changed
		return catalog.NewReaderBytes(data, d.Format, o)
	}
	return catalog.NewReader(d.content.Reader(), d.Format, d.decode)
}

// Catalogs returns the catalogs in the document. Errors are [cli.Error]s.
func (d *Document) Catalogs() ([]*catalog.Catalog, error) {
	var all []*catalog.Catalog
	for c, err := range d.Reader().Catalogs() {
		if err != nil {
			return nil, d.Failure(err)
		}
		all = append(all, c)
	}
	return all, nil
}

// ReaderOf returns a reader of catalogs derived from d, in the given format.
func (d *Document) ReaderOf(made io.Reader, format serialization.Format) *catalog.Reader {
	return catalog.NewReader(made, format, d.decode)
}

// HoldsCatalog reports whether the document contains a catalog. It is true if an error
// prevents the check.
func (d *Document) HoldsCatalog() bool {
	for part, err := range d.ReaderOf(d.content.Reader(), d.Format).Parts() { // it ends early
		if err != nil {
			return !errors.Is(err, catalog.ErrNotCatalog) && !errors.Is(err, catalog.ErrShape)
		}
		if part.Kind == catalog.PartResource || part.Kind == catalog.PartEdge || part.Catalog {
			return true
		}
	}
	return false
}

// Failure returns err as a [cli.Error] with the document and the location. Cancellations,
// and errors that already have an exit code, are returned unchanged.
func (d *Document) Failure(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	var coded *cli.Error
	if errors.As(err, &coded) {
		return coded
	}
	var placed *catalog.Error
	if !errors.As(err, &placed) {
		return cli.BadInput(d.Name, "", err)
	}
	bare := *placed
	bare.At = catalog.Location{}
	return cli.BadInput(d.Name, shortened(d.Named(placed.At).String()), d.Masked(d.Explain(&bare)))
}

// Masked returns err with the secrets of d masked in its text. See [Document.Named].
func (d *Document) Masked(err error) error { return d.redactor().Err(err) }

// MaskedText returns a text with the secrets of d masked. See [Document.Named].
func (d *Document) MaskedText(text string) string { return d.redactor().Text(text) }

// MaskedAt is Masked for an error about a location, whose text may quote the value there.
func (d *Document) MaskedAt(err error, at catalog.Location) error { return d.redactor().ErrAt(err, at) }

// Redactor returns a redactor with the secrets of d: the declared ones and, unless --mask asks
// for less, those that an audit finds. The first call finds them. It is not safe for
// concurrent use.
func (d *Document) Redactor() (*sensitive.Redactor, error) {
	mask := d.redactor()
	return mask, d.unread
}

// redactor is Redactor with the secrets of d as far as d can be read.
func (d *Document) redactor() *sensitive.Redactor {
	if d.secrets == nil {
		var all *sensitive.Secrets
		all, d.unread = d.find()
		d.secrets = all.Redactor(nil)
	}
	return d.secrets
}

// Named returns a location in d with secrets masked in titles and keys, for
// messages: if d cannot be read to its end, it masks the secrets before that point. It is
// not safe for concurrent use.
func (d *Document) Named(at catalog.Location) catalog.Location {
	if at.Ref.IsZero() && len(at.Path) == 0 {
		return at
	}
	return d.redactor().Location(at)
}

// shortened omits the middle of a long location.
func shortened(location string) string {
	const most, kept = 200, 80
	if len(location) <= most {
		return location
	}
	return strings.ToValidUTF8(location[:kept], "") + "…" + strings.ToValidUTF8(location[len(location)-kept:], "")
}

// WriteFlags are the flags of a command that writes a changed or converted document, and
// what is known about the output: use a copy for each output. Declare them with AddFlags.
type WriteFlags struct {
	Output cli.OutputFlags
	To     string // the name of a format; empty for the one that was read
	Indent int    // spaces per level of JSON, or KeepIndent

	// Others are formats that the command writes itself, for messages and completion of the flag.
	Others []string
	// Extension is that of new files below the output directory. Empty means that of To, or
	// of the input without To.
	Extension string
	// KeepNames leaves the names of files below the output directory as they are.
	KeepNames bool
	// OnLoss is called for each value that the output format cannot represent.
	OnLoss func(serialization.Loss)
	// Approve is called when the output is complete, before anything is written. Its error
	// prevents writing. Nil always approves.
	Approve func() error

	exposed bool // the output contains declared secrets
	skipped int  // number of files that were found in a directory and are no catalogs
}

// AddFlags declares the flags. usage is the usage of -t.
func (f *WriteFlags) AddFlags(cmd *cobra.Command, usage string) {
	f.Output.AddFlags(cmd.Flags())
	cmd.Flags().StringVarP(&f.To, "to", "t", "", usage)
	cmd.Flags().IntVar(&f.Indent, "indent", KeepIndent, "indent JSON by `N` spaces, 0 for one line (default as in the input)")
	cmd.Flags().Lookup("indent").DefValue = "0" // the usage describes the default
	cli.CompleteFlag(cmd, "to", formatNames(f.Others)...)
	cli.CompleteFlag(cmd, "output-dir")
	cli.CompleteFlag(cmd, "compress", compress.Gzip.String(), compress.Zstd.String(), compress.None.String())
}

// Given reports whether a flag was given.
func (f *WriteFlags) Given() bool { return f.Output.Given() || f.To != "" || f.Indent != KeepIndent }

// Check returns a usage error for invalid flags.
func (f *WriteFlags) Check(s *cli.IOStreams, sources []cli.Source) error {
	if _, err := format("-t", f.To, f.Others...); err != nil {
		return err
	}
	if f.Indent != KeepIndent && (f.Indent < 0 || f.Indent > maxIndent) {
		return cli.Usage("--indent %d: use a number from 0 to %d", f.Indent, maxIndent)
	}
	f.Output.Rename = f.rename
	return errors.Join(f.Output.Check(s, sources, true), f.checkNames(sources))
}

// KeepIndent is the value of Indent that keeps the style of the input.
const KeepIndent = math.MinInt

const maxIndent = 16

// IsPlain reports whether both from and the output format are plain formats. It is false if a
// format is detected.
func (f *WriteFlags) IsPlain(from string) bool {
	plain := func(name string) bool {
		found, err := format("", name)
		return err == nil && found.Name != "" && !found.Rich
	}
	return plain(from) && plain(f.To)
}

// Target returns the format that d is written in.
func (f *WriteFlags) Target(d *Document) serialization.Format {
	if to, err := format("-t", f.To); err == nil && to.Name != "" {
		return to
	}
	return d.Format
}

// WriteCatalog writes the catalogs of d, changed by ts, to the output of the flags. The
// file is private if it contains secrets.
func (f *WriteFlags) WriteCatalog(ctx context.Context, s *cli.IOStreams, d *Document, ts ...catalog.Transform) error {
	if f.Approve != nil {
		return f.WriteChecked(ctx, s, d, f.Approve, ts...)
	}
	return f.Write(ctx, s, d, func(w io.Writer) error { return f.copy(ctx, w, d, ts) })
}

// WriteChecked is WriteCatalog, but writes nothing unless check, which is called when all catalogs
// have passed, returns nil.
func (f *WriteFlags) WriteChecked(ctx context.Context, s *cli.IOStreams, d *Document, check func() error, ts ...catalog.Transform) error {
	return f.Write(ctx, s, d, func(w io.Writer) (err error) {
		all := s.Spool()
		defer func() { err = errors.Join(err, all.Close()) }()
		if err := f.copy(ctx, all, d, ts); err != nil {
			return err
		}
		if err := check(); err != nil {
			return err
		}
		_, err = all.WriteTo(w)
		return err
	})
}

// Options returns how catalogs of r are laid out, with secrets in clear.
func (f *WriteFlags) Options(r *catalog.Reader) catalog.WriteOptions {
	if f.Indent >= 0 {
		return catalog.WriteOptions{Secrets: serialization.PlainSecrets, Indent: strings.Repeat(" ", f.Indent), Reformat: true}
	}
	return catalog.WriteOptions{Secrets: serialization.PlainSecrets, Indent: r.Layout().Indent}
}

func (f *WriteFlags) copy(ctx context.Context, w io.Writer, d *Document, ts []catalog.Transform) error {
	r := d.Reader()
	o := f.Options(r)
	o.OnLoss = f.OnLoss
	return catalog.Copy(ctx, catalog.NewWriter(w, f.Target(d), o), r, append(ts, catalog.TransformFunc(f.watch))...)
}

// Write calls write with the output of the flags for d.
func (f *WriteFlags) Write(ctx context.Context, s *cli.IOStreams, d *Document, write func(io.Writer) error) error {
	if err := f.Output.CheckTerminal(s, !f.Target(d).Text); err != nil {
		return err
	}
	err := f.Output.Write(ctx, s, d.content.Input(), write)
	if f.exposed && s.OutTerminal && f.Output.ToStdout() && !f.Output.InPlace {
		d.Log().Warn("the output contains secrets in plain text; -o FILE writes it to a file that only its owner can read", cli.FileKey, d.Name)
	}
	return d.Failure(err)
}

// watch makes the output private as soon as a secret passes.
func (f *WriteFlags) watch(_ context.Context, r *catalog.Resource) (*catalog.Resource, error) {
	if f.exposed {
		return r, nil
	}
	holds, err := r.HoldsSecrets()
	f.expose(holds)
	f.Output.Private = f.Output.Private || err != nil
	return r, nil
}

// expose makes the output private if it contains a declared secret.
func (f *WriteFlags) expose(secret bool) {
	f.exposed = f.exposed || secret
	f.Output.Private = f.Output.Private || secret
}

// WriteValue writes d, which holds no catalog but one value of rich data.
func (f *WriteFlags) WriteValue(ctx context.Context, s *cli.IOStreams, d *Document) error {
	f.Output.Private = true // secrets of a value outside a catalog are unknown
	data, err := f.render(d)
	if err != nil {
		return d.Failure(err)
	}
	return f.WriteBytes(ctx, s, d, data)
}

// WriteCatalogs writes new catalogs, the output for d, as one or as a list. It keeps them in memory.
func (f *WriteFlags) WriteCatalogs(ctx context.Context, s *cli.IOStreams, d *Document, all []*catalog.Catalog) error {
	var text bytes.Buffer
	out := catalog.NewWriter(&text, f.Target(d), catalog.WriteOptions{
		Secrets: serialization.PlainSecrets, Indent: f.Blanks(), Reformat: true,
	})
	if err := errors.Join(writeAll(out, all), out.Close()); err != nil {
		return d.Failure(err)
	}
	return f.WriteBytes(ctx, s, d, text.Bytes())
}

// writeAll writes several catalogs as a list.
func writeAll(out *catalog.Writer, all []*catalog.Catalog) error {
	if len(all) == 1 {
		return out.WriteCatalog(all[0])
	}
	if err := out.Write(catalog.Part{Kind: catalog.PartArray, Count: len(all)}); err != nil {
		return err
	}
	for _, c := range all {
		if err := out.WriteCatalog(c); err != nil {
			return err
		}
	}
	return out.Write(catalog.Part{Kind: catalog.PartEnd})
}

// WriteBytes writes data, the output for d, if Approve permits it.
func (f *WriteFlags) WriteBytes(ctx context.Context, s *cli.IOStreams, d *Document, data []byte) error {
	if f.Approve != nil {
		if err := f.Approve(); err != nil {
			return d.Failure(err)
		}
	}
	return f.Write(ctx, s, d, func(w io.Writer) error {
		if _, err := w.Write(data); err != nil {
			return err
		}
		return endLine(w, f.Target(d), d)
	})
}

// Blanks returns the indentation of the flags; empty if it follows the input.
func (f *WriteFlags) Blanks() string { return strings.Repeat(" ", max(0, f.Indent)) }

// endLine ends a text with a line break when the input ended with one.
func endLine(w io.Writer, to serialization.Format, d *Document) error {
	if !to.IsJSON() || !d.Format.IsJSON() || !d.endsLine() {
		return nil
	}
	_, err := fmt.Fprintln(w)
	return err
}

// endsLine reports whether the last byte is a line break.
func (d *Document) endsLine() bool {
	var last [1]byte
	_, err := d.content.ReadAt(last[:], d.Size()-1)
	return d.Size() > 0 && (err == nil || errors.Is(err, io.EOF)) && last[0] == '\n'
}
