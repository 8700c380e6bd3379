// Package version is the command pcat version.
package version

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/envelope"
)

// Options are the inputs of one run.
type Options struct {
	Streams *cli.IOStreams
	JSON    bool
	Build   func() (*debug.BuildInfo, bool) // debug.ReadBuildInfo but in tests
}

// NewCmd returns the command.
func NewCmd(streams *cli.IOStreams) *cobra.Command {
	opts := &Options{Streams: streams, Build: debug.ReadBuildInfo}
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of pcat",
		Long: `Print the version of pcat, the revision it was built from, the Go version, and
the platform.`,
		Example: `  pcat version
  pcat version --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return Run(cmd.Context(), opts) },
	}
	cmd.Flags().BoolVar(&opts.JSON, "json", false, "print JSON")
	return cmd
}

// Info describes a build. Unknown fields are empty.
type Info struct {
	envelope.Envelope // its version is a semantic version, or "devel"

	Revision string `json:"revision,omitempty"` // of the source
	Time     string `json:"time,omitempty"`     // of the revision, RFC 3339
	Modified bool   `json:"modified"`           // the source was changed after the revision
	Go       string `json:"go"`
	Platform string `json:"platform"` // operating system/architecture
}

// Run prints the version to standard output.
func Run(_ context.Context, opts *Options) error {
	info := read(opts.Build)
	if opts.JSON {
		enc := json.NewEncoder(opts.Streams.Out)
		enc.SetIndent("", "  ")
		return enc.Encode(info)
	}
	return writeText(opts.Streams.Out, info)
}

func read(build func() (*debug.BuildInfo, bool)) Info {
	info := Info{Envelope: envelope.New("", "1.0"), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	b, ok := build()
	if !ok {
		return info
	}
	if v := b.Main.Version; v != "" && v != "(devel)" {
		info.Version = v
	}
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			info.Revision = s.Value
		case "vcs.time":
			info.Time = s.Value
		case "vcs.modified":
			info.Modified = s.Value == "true"
		}
	}
	return info
}

func writeText(w io.Writer, info Info) error {
	const shortRevision = 12
	text := "pcat " + info.Version
	if r := info.Revision; r != "" {
		text += " (" + r[:min(len(r), shortRevision)]
		if info.Modified {
			text += ", modified"
		}
		text += ")"
	}
	_, err := fmt.Fprintf(w, "%s %s %s\n", text, info.Go, info.Platform)
	return err
}
