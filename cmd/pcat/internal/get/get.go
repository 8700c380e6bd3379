// Package get is the command pcat get.
package get

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/cmd/pcat/internal/locate"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Options are the inputs of one run.
type Options struct {
	Streams    *cli.IOStreams
	File, Path string
	Read       document.ReadFlags
	Raw        bool
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "get FILE PATH",
		Short: "Print part of a catalog",
		Long: `Print the part of a catalog at a path, as JSON, regardless of the format of the
catalog. Numbers and escapes are unchanged. Invisible characters are escaped,
except with -r. On a terminal, JSON is indented and coloured; elsewhere, it is
one line. The exit code is 1 if there is no value at the path, and 2 if the path
is invalid.

A path consists of keys and indexes, separated by dots: resources.0.title. At
its end, # is the number of elements; elsewhere, it selects each element:
resources.#.title. A condition selects the first matching element, or all
matching elements if followed by #: resources.#(type=="File")#.title. Write a
dot in a key as \. (backslash, dot).

A path can also be a reference as in pcat show: to a resource,
'File[/etc/motd]', or to a parameter or a part of it, 'File[/etc/motd]/content'.
If there is no value at the path, it is used as a unique title: /etc/motd.

Declared secrets, secrets that pcat audit finds, and copies of both are masked,
even with -r. A warning appears if an undeclared secret is masked; --mask
declared prints such secrets, and --show-secrets prints all.`,
		Example: `  pcat get catalog.json name
  pcat get -r a.msgpack 'File[/etc/motd]/content'
  pcat get - 'resources.#(type=="Exec")#.title' < catalog.json`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.File, opts.Path = args[0], args[1]
			return Run(cmd.Context(), opts)
		},
	}
	opts.Read.RunData = true
	opts.Read.AddFlags(cmd)
	opts.Read.AddShowFlags(cmd)
	for _, name := range []string{"files-from", "allow-empty"} { // one file is read
		cmd.Flags().Lookup(name).Hidden = true
	}
	cmd.ValidArgsFunction = opts.Read.CompleteReferences(streams)
	cmd.Flags().BoolVarP(&opts.Raw, "raw", "r", false, "print a string without quotes and escapes")
	manual.Exits(cmd, cli.ExitFindings)
	return cmd
}

// Run prints the part.
func Run(ctx context.Context, opts *Options) (err error) {
	if err := errors.Join(opts.Read.Check(), checkConditions(opts.Path)); err != nil {
		return err
	}
	if document.IsTarget(opts.File) && !document.IsTarget(opts.Path) {
		return cli.Usage("name the path last: pcat get %s '%s'", opts.Path, opts.File)
	}
	sources, err := opts.Read.Sources(ctx, opts.Streams, &cli.JobFlags{}, []string{opts.File})
	if err != nil {
		return err
	}
	if len(sources) != 1 {
		return cli.Usage("%s contains %d files; name one", opts.File, len(sources))
	}
	doc, err := opts.Read.Open(ctx, sources[0])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, doc.Close()) }()
	data, err := opts.json(ctx, doc)
	if err != nil {
		return doc.Failure(err)
	}
	// The text is one that pcat wrote: gjson itself would take nonsense, too.
	found, err := opts.find(doc, data, opts.Path)
	if err != nil {
		return err
	}
	if !found.Exists() {
		if err := checkNotation(opts.Path); err != nil {
			return err
		}
		return &cli.Error{Code: cli.ExitFindings, File: doc.Name, Err: missing(data, opts.Path)}
	}
	if !doc.HoldsCatalog() {
		return opts.print(opts.Streams.Out, found)
	}
	// A path can join values that are apart in the document.
	err = doc.Printed(ctx, opts.Streams.Out, false, func(_ document.Mask, out io.Writer) error { return opts.print(out, found) })
	opts.Read.WarnFound(doc.Log(), false)
	return err
}

// missing returns the error for a path without a value. In a list, the elements may have one.
func missing(data []byte, path string) error {
	err := fmt.Errorf("no value at %q", path)
	list := gjson.ParseBytes(data)
	if n := list.Get("#").Int(); list.IsArray() && n > 0 {
		for i, element := range list.Array() {
			if element.Get(path).Exists() {
				return fmt.Errorf("%w: this is a list of %d; name one, for example %d.%s, or get all with #.%s", err, n, i, path, path)
			}
		}
	}
	return err
}

// print prints a value: in a pipe on one line, on a terminal indented and coloured.
func (opts *Options) print(out io.Writer, v gjson.Result) error {
	if opts.Raw && v.Type == gjson.String {
		_, err := fmt.Fprintln(out, strings.TrimSuffix(v.Str, "\n"))
		return err
	}
	text := terminal.JSON([]byte(v.Raw))
	if color := opts.Streams.Color(); color || opts.Streams.OutTerminal {
		var b bytes.Buffer
		if err := json.Indent(&b, text, "", "  "); err != nil {
			return err
		}
		text = b.Bytes()
		if color {
			text = terminal.ColorJSON(text)
		}
	}
	_, err := out.Write(append(text, '\n'))
	return err
}

// json returns the document as rich JSON, without its secrets unless they are asked for.
func (opts *Options) json(ctx context.Context, doc *document.Document) ([]byte, error) {
	format := formats.RichJSON()
	if !doc.HoldsCatalog() {
		data, err := doc.ReadAll()
		if err != nil {
			return nil, err
		}
		v, err := doc.Format.Decode(data, serialization.DecodeOptions{AllowUnknownTypes: true})
		if err != nil {
			return nil, err
		}
		return format.Append(nil, v, opts.Read.Encoding())
	}
	write := func(out io.Writer) error {
		if opts.Read.ShowsSecrets() {
			o := catalog.WriteOptions{Secrets: serialization.PlainSecrets}
			return catalog.Copy(ctx, catalog.NewWriter(out, format, o), doc.Reader())
		}
		mask, err := doc.Redactor()
		if err != nil {
			return err
		}
		err = mask.Redact(ctx, out, format, doc.Reader())
		return doc.Leak(mask.Locate(ctx, err, format, doc.Reader()))
	}
	var all bytes.Buffer
	if _, isReference := locate.Parse(opts.Path); isReference || doc.Kind() == "" {
		err := write(&all)
		return all.Bytes(), err
	}
	// A path leads through a report or facts as they are.
	if err := doc.Restored(write)(&all); err != nil || doc.Wire() == format.Wire {
		return all.Bytes(), err
	}
	v, err := formats.YAML().Decode(all.Bytes(), serialization.DecodeOptions{AllowUnknownTypes: true})
	if err != nil {
		return nil, err
	}
	return format.Append(nil, v, opts.Read.Encoding())
}
