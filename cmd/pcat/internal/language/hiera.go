package language

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
	"github.com/pcatdev/pcat/hiera"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/sensitive/seal"
)

// HieraFlags name the data of Hiera. Declare them with AddFlags.
type HieraFlags struct {
	Data string // the directory of an environment, or a hiera.yaml
	Key  string // the file of a private key
	// Plain returns decrypted values as Puppet does, instead of as Sensitive. It has no flag.
	Plain bool
}

// AddFlags declares the flags.
func (f *HieraFlags) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Data, "hiera", "", "look up data in the environment `DIR`, which can also be the path of a hiera.yaml")
	flags.StringVar(&f.Key, "eyaml-key", "", "decrypt values of hiera-eyaml with the private key in `FILE` (PEM)")
}

// hierarchy returns the data of --hiera, nil if none is named, and adds its functions to the world.
// It reads files in the directory that --hiera names, in modules, and where --allow permits it.
func (f *Flags) hierarchy(w *World, tree function.Tree) (*hiera.Hierarchy, error) {
	if f.Hiera.Data == "" {
		if f.Hiera.Key != "" {
			return nil, cli.Usage("--eyaml-key needs --hiera DIR or FILE")
		}
		return nil, nil
	}
	options, err := f.Hiera.options(tree)
	if err != nil {
		return nil, err
	}
	options.Types, options.Reference = w.Types, w.Reference
	h, err := hiera.New(options)
	if err != nil {
		return nil, err
	}
	return h, w.Functions.Add(h.Functions()...)
}

// options returns the options for the flags. tree is the other files that may be read.
func (f *HieraFlags) options(tree function.Tree) (o hiera.Options, err error) {
	data, err := filepath.Abs(f.Data)
	if err != nil {
		return o, cli.BadInput(f.Data, "", err)
	}
	info, err := os.Stat(data)
	if err != nil {
		return o, cli.BadInput(f.Data, "", err)
	}
	files := function.Tree{Folders: append([]string{data}, tree.Folders...), ModulePath: tree.ModulePath}
	if info.IsDir() {
		o.Environment = data
		if len(files.ModulePath) == 0 {
			if files.ModulePath, err = hiera.ModulePath(data); err != nil {
				return o, cli.BadInput(f.Data, "", err)
			}
		}
	} else {
		o.Global = data
		files.Folders[0] = filepath.Dir(data)
	}
	o.Files, o.PlainSecrets = files, f.Plain
	if f.Key != "" {
		o.Decrypt, err = f.decrypter()
	}
	return o, err
}

// decrypter returns a function that decrypts values of hiera-eyaml.
func (f *HieraFlags) decrypter() (func(method, data string) (string, error), error) {
	text, err := os.ReadFile(f.Key)
	if err != nil {
		return nil, cli.BadInput(f.Key, "", err)
	}
	key, err := seal.ParseKey(text)
	if err != nil {
		return nil, cli.BadInput(f.Key, "", err)
	}
	opener := seal.NewOpener(key)
	return func(_, data string) (string, error) {
		message, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return "", fmt.Errorf("not in Base64 at byte %d", base64Offset(err))
		}
		return opener.OpenText(message)
	}, nil
}

func base64Offset(err error) int64 {
	if at, ok := err.(base64.CorruptInputError); ok { //nolint:errorlint // DecodeString returns no other
		return int64(at)
	}
	return 0
}

// Trusted returns the variable $trusted for the node with a certificate, without extensions.
func Trusted(certname string) *pcore.Hash {
	text := func(s string) pcore.Value { return pcore.String(s) }
	return pcore.NewHash(
		pcore.Entry{Key: text("authenticated"), Value: text("local")}, pcore.Entry{Key: text("certname"), Value: text(certname)},
		pcore.Entry{Key: text("extensions"), Value: pcore.NewHash()})
}
