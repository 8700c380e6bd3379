// Package config reads .pcat-compile.yaml, which says how the catalogs of a repository are
// compiled: see [Example].
package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/internal/bytesize"
	"github.com/pcatdev/pcat/internal/settings"
)

// Name is the name of the configuration file.
const Name = ".pcat-compile.yaml"

// ErrConfig reports an invalid configuration.
var ErrConfig = errors.New("invalid compile configuration")

// Config is the content of a file. The zero value has only defaults. Paths are absolute
// after [Parse].
type Config struct {
	Version        int                          `yaml:"version"`
	Repo           string                       `yaml:"repo"`
	Facts          string                       `yaml:"facts"`
	Environment    string                       `yaml:"environment"`
	Dir            string                       `yaml:"environment-dir"` // below the root of the repository
	Trusted        map[string]string            `yaml:"trusted"`         // extensions of all nodes
	Nodes          map[string]map[string]string `yaml:"nodes"`           // extensions by certname
	Prepare        string                       `yaml:"prepare"`
	PrepareKey     []string                     `yaml:"prepare-key"` // below the directory of the environment
	Hiera          string                       `yaml:"hiera"`
	Eyaml          string                       `yaml:"eyaml"`
	ENC            string                       `yaml:"enc"`
	Puppet         string                       `yaml:"puppet"`
	BaseModulePath string                       `yaml:"basemodulepath"`
	Settings       map[string]string            `yaml:"settings"`
	Stubs          map[string]Result            `yaml:"function-stubs"`
	Exported       string                       `yaml:"exported"`
	PassEnv        []string                     `yaml:"pass-env"`
	Network        bool                         `yaml:"network"`
	Isolate        bool                         `yaml:"isolate"`
	Timeout        Duration                     `yaml:"timeout"`
	Memory         Size                         `yaml:"memory"`
}

// Result is the result of a function, as JSON.
type Result string

// UnmarshalYAML decodes any value.
func (r *Result) UnmarshalYAML(n *yaml.Node) error {
	text, err := asJSON(n)
	*r = Result(text)
	return settings.At(n, err)
}

// Duration is a time such as 90s or 5m.
type Duration time.Duration

// UnmarshalYAML decodes the text of a duration.
func (d *Duration) UnmarshalYAML(n *yaml.Node) error {
	v, err := time.ParseDuration(n.Value)
	if err != nil || v <= 0 {
		return settings.At(n, fmt.Errorf("%q is not a duration such as 90s or 5m", n.Value))
	}
	*d = Duration(v)
	return nil
}

// Size is a number of bytes, such as 4GiB.
type Size int64

// UnmarshalYAML decodes the text of a size.
func (s *Size) UnmarshalYAML(n *yaml.Node) error {
	v, err := bytesize.Parse(n.Value)
	*s = Size(v)
	return settings.At(n, err)
}

// Parse parses the content of a file called file.
func Parse(file string, data []byte) (*Config, error) {
	c := &Config{}
	if err := settings.Decode(data, c); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if c.Version != 1 {
		return nil, fmt.Errorf("%w: version: use 1", ErrConfig)
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(file)
	if c.Repo == "" {
		c.Repo = "."
	}
	for _, path := range []*string{&c.Repo, &c.Facts, &c.Hiera, &c.Puppet, &c.Exported} {
		if *path != "" && !strings.HasPrefix(*path, "puppetdb:") && !filepath.IsAbs(*path) {
			*path = filepath.Join(dir, *path)
		}
	}
	if strings.HasPrefix(c.ENC, "./") {
		c.ENC = filepath.Join(dir, c.ENC)
	}
	return c, nil
}

// Find searches dir and its parent directories for the file and returns its
// path. If there is none, the error matches [fs.ErrNotExist].
func Find(dir string) (string, error) { return settings.Find(dir, Name) }

// asJSON returns a value as JSON.
func asJSON(n *yaml.Node) (string, error) {
	var v any
	if err := n.Decode(&v); err != nil {
		return "", err
	}
	data, err := json.Marshal(v)
	if err != nil {
		return "", errors.New("the value cannot be written as JSON; use strings as keys")
	}
	return string(data), nil
}
