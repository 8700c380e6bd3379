package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/manual"
)

// baselineName is the name of the baseline in examples.
const baselineName = "audit-baseline.jsonl"

func newInitCmd(streams *cli.IOStreams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Prepare a repository for audits",
		Long: `Prepare a directory, by default the current one, for audits: write a
configuration with all settings as comments (.pcat-audit.yaml), a key for
fingerprints that only its owner can read (audit.key), and a .gitignore that
keeps the key out of the repository. Existing files are kept, except that a line
is added to .gitignore.`,
		Example: `  pcat audit init
  pcat audit init control-repo/`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return initialize(cmd.Context(), streams, dir)
		},
	}
	manual.Files(cmd,
		manual.Fact{Name: auditconfig.Name, Meaning: "the configuration, written to DIR if it does not exist"},
		manual.Fact{Name: keyName, Meaning: "the key of fingerprints, written to DIR with mode 0600 if it does not exist"},
		manual.Fact{Name: ".gitignore", Meaning: "pcat audit init adds a line that keeps the key out of the repository"},
	)
	return cmd
}

// initialize writes the files that do not exist yet, .gitignore before the key that it is for.
func initialize(ctx context.Context, s *cli.IOStreams, dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return cli.Usage("%s: no such directory", dir)
	}
	var said strings.Builder
	ignored, err := ignoreKey(ctx, s, filepath.Join(dir, ".gitignore"))
	if err != nil {
		return err
	}
	said.WriteString(ignored)
	file := filepath.Join(dir, auditconfig.Name)
	for _, f := range []struct {
		name, content string
		mode          fs.FileMode
		written       string
	}{
		{file, auditconfig.Initial(), 0o644, "written: all settings, in comments"},
		{filepath.Join(dir, keyName), newKey(), 0o600, "written, mode 0600: keep it secret; pipelines get it in " + keyEnv},
	} {
		switch err := cli.CreateFile(f.name, f.content, f.mode); {
		case errors.Is(err, fs.ErrExist):
			said.WriteString(f.name + ": exists, not changed\n")
		case err != nil:
			return err
		default:
			said.WriteString(f.name + ": " + f.written + "\n")
		}
	}
	if !s.Log.Enabled(ctx, slog.LevelWarn) {
		return nil
	}
	fmt.Fprintf(&said, `
Next, record the current findings, then report only new ones:
  pcat audit --baseline %[1]s --update-baseline CATALOGS
  pcat audit --baseline %[1]s CATALOGS
Catalogs outside of this directory also need --config %[2]s.
`, filepath.Join(dir, baselineName), file)
	_, err = io.WriteString(s.Out, said.String())
	return err
}

// ignoreKey adds the key to a .gitignore, and returns the message about it.
func ignoreKey(ctx context.Context, s *cli.IOStreams, name string) (string, error) {
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", cli.BadInput(name, "", err)
	}
	for line := range strings.Lines(string(text)) {
		if slices.Contains([]string{keyName, "/" + keyName, "*.key"}, strings.TrimSpace(line)) {
			return name + ": already has " + keyName + ", not changed\n", nil
		}
	}
	message := name + ": written: " + keyName + " is not committed\n"
	if err == nil {
		message = name + ": " + keyName + " added\n"
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	text = append(text, "/"+keyName+"\n"...)
	out := cli.OutputFlags{File: name}
	err = out.Write(ctx, s, nil, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	return message, err
}
