// Package schema is the command pcat schema.
//
// The folder schemas has the JSON Schema of each document. A schema has all definitions in $defs,
// and the one of a line of --jsonl is $defs/line.
package schema

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

//go:embed schemas/*.json
var schemas embed.FS

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	Args    []string // the words of a command; none for all
	JSONL   bool
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams}
	cmd := &cobra.Command{
		Use:   "schema [COMMAND]",
		Short: "Print the JSON Schema of the JSON of a command",
		Long: `Print the JSON Schema (draft 2020-12) of the document that a command prints with
--json, or of one line of --jsonl. Without COMMAND, list the commands with a
schema.

New members can be added to a document at any time. A new member increments the
second number of format_version, and an incompatible change the first.`,
		Example: `  pcat schema
  pcat schema audit > audit.schema.json
  pcat schema ls --jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Args = args
			return Run(cmd.Context(), opts)
		},
		ValidArgsFunction: cli.Words(slices.Values(Names())),
	}
	cmd.Flags().BoolVar(&opts.JSONL, "jsonl", false, "print the schema of one line of --jsonl")
	return cmd
}

// Run prints a schema, or the names of the commands.
func Run(_ context.Context, opts *Options) error {
	if len(opts.Args) == 0 {
		if opts.JSONL {
			return cli.Usage("--jsonl needs a command; for example: pcat schema ls --jsonl")
		}
		_, err := opts.Streams.Out.Write([]byte(strings.Join(Names(), "\n") + "\n"))
		return err
	}
	text, err := Of(strings.Join(opts.Args, " "), opts.JSONL)
	if err != nil {
		return err
	}
	_, err = opts.Streams.Out.Write(text)
	return err
}

// Names returns the commands that print JSON.
func Names() []string {
	var names []string
	files, _ := fs.Glob(schemas, "schemas/*.json") // the pattern is valid
	for _, file := range files {
		names = append(names, strings.ReplaceAll(strings.TrimSuffix(path.Base(file), ".json"), "-", " "))
	}
	return names
}

// Of returns the schema of the document that a command prints, or of a line of its stream. The
// error is one of usage.
func Of(command string, line bool) ([]byte, error) {
	text, err := schemas.ReadFile("schemas/" + strings.ReplaceAll(command, " ", "-") + ".json")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return nil, cli.Usage("%q prints no JSON, or is no command; use one of %s", command, strings.Join(Names(), ", "))
	}
	if err != nil || !line {
		return text, err
	}
	one := struct {
		Schema      string                     `json:"$schema"`
		Title       string                     `json:"title"`
		Description string                     `json:"description"`
		Ref         string                     `json:"$ref"`
		Defs        map[string]json.RawMessage `json:"$defs"`
	}{}
	if err := json.Unmarshal(text, &one); err != nil {
		return nil, err
	}
	if one.Defs["line"] == nil {
		return nil, cli.Usage("%q has no --jsonl", command)
	}
	one.Title = "pcat " + command + " --jsonl"
	one.Description = "One line: " + one.Description
	one.Ref = "#/$defs/line"
	text, err = json.MarshalIndent(one, "", "  ")
	return append(text, '\n'), err
}
