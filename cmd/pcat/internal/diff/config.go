package diff

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/cmd/pcat/internal/cli"
)

// configName is the file that is searched for in the working directory and its parents.
const configName = ".pcat-diff.yaml"

// options returns what the flags and the configuration ask for. The flags take precedence.
func (opts *Options) options() (o diff.Options, err error) {
	for _, at := range opts.Ignore {
		r, err := diff.ParseRule(at)
		if err != nil {
			return o, cli.Usage("--ignore: %w", err)
		}
		o.Ignore = append(o.Ignore, r)
	}
	for _, p := range opts.Profiles {
		o.Profiles = append(o.Profiles, diff.Profile(p))
	}
	file := opts.Config
	if file == "" && !opts.NoConfig {
		if file, err = findConfig(); err != nil {
			return o, err
		}
	}
	if file == "" {
		return o, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return o, cli.BadInput(file, "", err)
	}
	c, err := diff.ParseConfig(data)
	if err != nil {
		return o, cli.BadInput(file, "", err)
	}
	if !opts.profiled && len(c.Profiles) > 0 {
		o.Profiles = c.Profiles
	}
	for _, r := range c.Ignore {
		if r.Expired(time.Now()) {
			opts.Streams.Log.Warn("the rule `"+r.String()+"` has expired and no longer applies; remove it, or change `until`", cli.FileKey, file)
			continue
		}
		o.Ignore = append(o.Ignore, r)
	}
	return o, nil
}

// findConfig returns the nearest configuration, or "".
func findConfig() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		file := filepath.Join(dir, configName)
		switch _, err := os.Stat(file); {
		case err == nil:
			return file, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", cli.BadInput(file, "", err)
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", nil
		}
		dir = above
	}
}
