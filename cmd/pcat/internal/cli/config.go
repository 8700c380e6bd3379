package cli

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/pcatdev/pcat/internal/manual"
)

// ConfigFlags select the file with the rules of a site. Declare them with AddFlags.
type ConfigFlags struct {
	File string // empty: search for it; Read sets it
	None bool
}

// AddFlags declares the flags. name is that of the file that is searched for.
func (c *ConfigFlags) AddFlags(cmd *cobra.Command, name string) {
	flags := cmd.Flags()
	flags.StringVar(&c.File, "config", "", "use `FILE` instead of searching for "+name)
	flags.BoolVar(&c.None, "no-config", false, "ignore "+name)
	manual.Files(cmd, manual.Fact{Name: name, Meaning: "the configuration of pcat " + cmd.Name() + ", in the working directory or the nearest one above; see --config"})
}

// Check returns a usage error for flags that contradict each other.
func (c *ConfigFlags) Check() error {
	if c.File != "" && c.None {
		return Usage("--config and --no-config cannot be used together")
	}
	return nil
}

// Read returns the content of the file, and sets File to its name, which stays empty if
// there is none. find searches a folder and the ones above; its error matches
// [fs.ErrNotExist] if it finds nothing.
func (c *ConfigFlags) Read(find func(dir string) (string, error)) ([]byte, error) {
	if c.None {
		return nil, nil
	}
	if c.File == "" {
		file, err := find(".")
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, BadInput(".", "", err)
		}
		c.File = file
	}
	data, err := os.ReadFile(c.File)
	if err != nil {
		return nil, BadInput(c.File, "", err)
	}
	return data, nil
}
