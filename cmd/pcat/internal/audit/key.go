package audit

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

const (
	keyEnv  = "PCAT_AUDIT_KEY"
	keyName = "audit.key" // beside the baseline
)

// key returns the key of the fingerprints, nil when there is none: what the command line names, or
// the environment, or what lies beside the baseline.
func (opts *Options) key() ([]byte, error) {
	k := opts.Key
	if !k.Given() && opts.Streams.Getenv(keyEnv) != "" {
		k.Env = keyEnv
	}
	if !k.Given() && opts.Baseline != "" {
		beside := filepath.Join(filepath.Dir(opts.Baseline), keyName)
		info, err := os.Stat(beside)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil // fingerprints without a key
		case err != nil:
			return nil, cli.BadInput(beside, "", err)
		case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
			return nil, cli.BadInput(beside, "", errors.New("others can read the key: make it mode 0600, or name it with --key-file"))
		}
		k.File = beside
	}
	return k.Key(opts.Streams)
}

// keyLength is that of a key, in bytes.
const keyLength = 32

func newKeygenCmd(streams *cli.IOStreams) *cobra.Command {
	return &cobra.Command{
		Use:   "keygen [FILE]",
		Short: "Make a key for fingerprints",
		Long: `Make a random key for the fingerprints of findings, in a file that only its owner may read: audit.key,
where nothing else is said. A file that exists is never written over.

Keep the key out of the repository. Whoever has it and the baseline can try passwords on the
fingerprints; without it, the baseline tells nothing.`,
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
}

func keygen(s *cli.IOStreams, name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return cli.Usage("%s exists: a key that is replaced makes the baselines of it useless. Name another file, or remove it first", name)
	}
	if err != nil {
		return unwritten(name, err)
	}
	key := make([]byte, keyLength)
	_, _ = rand.Read(key) // never fails
	_, err = f.WriteString(hex.EncodeToString(key) + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(unwritten(name, err), os.Remove(name))
	}
	s.Log.Info("a key was made; keep it out of the repository", cli.FileKey, name)
	return nil
}

func unwritten(name string, err error) error {
	return &cli.Error{Code: cli.ExitInternal, File: name, Err: fmt.Errorf("the key cannot be written: %w", cli.WithoutPath(err))}
}
