// Package formats is the command pcat list formats.
package formats

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/cmd/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	JSON    cli.JSONFlags
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "formats",
		Short: "List the formats that pcat reads and writes",
		Long: `List the formats that pcat reads and writes: the names for -f and -t, the media
types that servers and agents use, and the file extensions.`,
		Example: `  pcat list formats
  pcat list formats --jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return Run(cmd.Context(), opts) },
	}
	opts.JSON.AddFlags(cmd, opts.Streams, "formats")
	return cmd
}

// Format describes one form.
type Format struct {
	Name       string   `json:"name"`
	About      string   `json:"doc"`
	Wire       string   `json:"wire"`
	Rich       bool     `json:"rich"` // holds every value
	MediaTypes []string `json:"media_types"`
	Extensions []string `json:"extensions"`
}

// Run prints the forms to standard output.
func Run(_ context.Context, opts *Options) error {
	all := []Format{}
	for _, f := range formats.Default().Formats() {
		all = append(all, Format{
			Name: f.Name, About: f.Doc, Wire: f.Wire, Rich: f.Rich,
			MediaTypes: append([]string{}, f.MediaTypes...),
			Extensions: append([]string{}, f.Extensions...),
		})
	}
	all = append(all, Format{
		Name: document.PuppetDB, About: "the payload and query results of PuppetDB; only for pcat convert", Wire: "json",
		MediaTypes: []string{}, Extensions: []string{},
	})
	if opts.JSON.Given() {
		for _, f := range all {
			if err := terminal.Encode(opts.Streams.Out, f); err != nil {
				return err
			}
		}
		return nil
	}
	var table cli.Table
	table.Head("NAME", "FILES", "MEDIA TYPE", "DESCRIPTION")
	for _, f := range all {
		files, media := "-", "-"
		if len(f.Extensions) > 0 {
			files = strings.Join(f.Extensions, " ")
		}
		if len(f.MediaTypes) > 0 {
			media = f.MediaTypes[0]
		}
		table.Add(f.Name, files, media, f.About)
	}
	return opts.Streams.Print(&table)
}
