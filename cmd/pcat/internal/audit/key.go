package audit

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/internal/manual"
	"github.com/pcatdev/pcat/internal/secretfile"
)

const (
	keyEnv  = "PCAT_AUDIT_KEY"
	keyName = "audit.key" // beside the baseline
)

// DescribeKey adds the variable with the key of fingerprints to the manual page of a command.
func DescribeKey(cmd *cobra.Command) {
	manual.Environment(cmd, manual.Fact{Name: keyEnv, Meaning: "the key of fingerprints if neither --key-file nor --key-env is given"})
}

// key returns the key of the fingerprints, or nil: from the flags, from the environment, or
// from audit.key beside the baseline.
func (opts *Options) key() ([]byte, error) {
	k := opts.Key
	if !k.Given() && opts.Streams.Getenv(keyEnv) != "" {
		k.Env = keyEnv
	}
	if !k.Given() && opts.KeyDir == "" && opts.Baseline != "" {
		opts.KeyDir = filepath.Dir(opts.Baseline)
	}
	if !k.Given() && opts.KeyDir != "" {
		beside := filepath.Join(opts.KeyDir, keyName)
		info, err := os.Stat(beside)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil // fingerprints without a key
		case err != nil:
			return nil, cli.BadInput(beside, "", err)
		case secretfile.Exposed(beside, info):
			return nil, cli.BadInput(beside, "", errors.New("other users can read the key: change its mode to 0600, or pass it with --key-file"))
		}
		k.File, opts.usedKey = beside, beside
	}
	return k.Key(opts.Streams)
}

// keyLength is the length of a generated key in bytes.
const keyLength = 32

func newKeygenCmd(streams *cli.IOStreams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keygen [FILE]",
		Short: "Generate a key for fingerprints",
		Long: `Generate a random key for the fingerprints of findings, in a file that only its
owner can read (audit.key by default). An existing file is never overwritten.

Keep the key out of the repository: with the key and the baseline, passwords can
be guessed and checked against the fingerprints. The baseline alone reveals
nothing.`,
		Example: `  pcat audit keygen
  pcat audit keygen /etc/pcat/audit.key`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := keyName
			if len(args) > 0 {
				name = args[0]
			}
			return keygen(streams, name)
		},
	}
	manual.Files(cmd, manual.Fact{Name: keyName, Meaning: "the key of fingerprints, written with mode 0600 if no FILE is given"})
	return cmd
}

func keygen(s *cli.IOStreams, name string) error {
	err := cli.CreateFile(name, newKey(), 0o600)
	if errors.Is(err, fs.ErrExist) {
		return cli.Usage("%s already exists: replacing the key would invalidate the baselines made with it. Name another file, or remove this one first", name)
	}
	if err != nil {
		return err
	}
	s.Notice("key generated; keep it out of the repository", slog.String(cli.FileKey, name))
	return nil
}

// newKey returns the content of a file with a new key.
func newKey() string {
	key := make([]byte, keyLength)
	_, _ = rand.Read(key) // never fails
	return hex.EncodeToString(key) + "\n"
}
