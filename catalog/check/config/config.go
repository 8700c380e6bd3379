// Package config reads .pcat-check.yaml, the findings of a check that a site
// accepts.
//
//	Config   the entries of a file; Parse and Find
//	Entry    accepts findings by kind and resource, with a reason, until a day
//	Apply    removes the accepted findings
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/check"
)

// Name is the name of the configuration file.
const Name = ".pcat-check.yaml"

// ErrConfig reports an invalid configuration.
var ErrConfig = errors.New("invalid check configuration")

// Config contains the entries of a file. The zero value accepts nothing.
type Config struct {
	ModulePath []string // relative to the file
	Allow      []Entry
}

// Entry accepts the findings of a kind at a resource. Kind or At may be empty.
type Entry struct {
	Kind    check.Kind
	At      string // Type[title], in which * stands for any text
	Reason  string
	Expires time.Time // the last day; zero for none
	Line    int       // in the file, from 1
}

type file struct {
	ModulePath []string `yaml:"modulepath"`
	Allow      []entry  `yaml:"allow"`
}

type entry struct {
	node *yaml.Node
	keys struct {
		Kind    string `yaml:"kind"`
		At      string `yaml:"at"`
		Reason  string `yaml:"reason"`
		Expires string `yaml:"expires"`
	}
}

// UnmarshalYAML decodes an entry and keeps its line.
func (e *entry) UnmarshalYAML(n *yaml.Node) error {
	e.node = n
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; !slices.Contains([]string{"kind", "at", "reason", "expires"}, key.Value) {
			return fmt.Errorf("line %d: an entry has no key %q", key.Line, key.Value)
		}
	}
	return n.Decode(&e.keys)
}

// Parse parses a configuration. The error matches [ErrConfig].
func Parse(data []byte) (*Config, error) {
	var f file
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: %s", ErrConfig, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	c := &Config{ModulePath: f.ModulePath}
	for _, e := range f.Allow {
		one := Entry{Kind: check.Kind(e.keys.Kind), At: e.keys.At, Reason: e.keys.Reason, Line: e.node.Line}
		err := one.check()
		if err == nil && e.keys.Expires != "" {
			if one.Expires, err = time.Parse(time.DateOnly, e.keys.Expires); err != nil {
				err = fmt.Errorf("%q is not a date; use the form 2026-12-31", e.keys.Expires)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrConfig, one.Line, err)
		}
		c.Allow = append(c.Allow, one)
	}
	return c, nil
}

func (e *Entry) check() error {
	known := slices.ContainsFunc(check.Kinds(), func(r check.Rule) bool { return r.Kind == e.Kind })
	_, isRef := catalog.ParseRef(e.At)
	switch {
	case e.Kind == "" && e.At == "":
		return errors.New("the entry has no condition, and would accept everything")
	case e.Kind != "" && !known:
		return fmt.Errorf("unknown kind %q", e.Kind)
	case e.At != "" && !isRef:
		return fmt.Errorf("at: %q is not a resource; write it as Type[title], in which * stands for any text", e.At)
	case strings.TrimSpace(e.Reason) == "":
		return errors.New("the entry has no reason")
	}
	return nil
}

// Find searches dir and its parent directories for the file and returns its
// path. If there is none, the error matches [fs.ErrNotExist].
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, Name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", fmt.Errorf("%s: %w", Name, fs.ErrNotExist)
		}
		dir = above
	}
}

// Apply returns the findings that no valid entry accepts on the day of now. Used
// reports for each entry whether it matched; it may be nil.
func (c *Config) Apply(findings []check.Finding, now time.Time, used []bool) []check.Finding {
	return slices.DeleteFunc(findings, func(f check.Finding) bool {
		accepted := false
		for i := range c.Allow {
			e := &c.Allow[i]
			if !e.matches(&f) {
				continue
			}
			if used != nil {
				used[i] = true
			}
			accepted = accepted || !e.Expired(now)
		}
		return accepted
	})
}

// Expired reports whether the last day of an entry is before the day of now.
func (e *Entry) Expired(now time.Time) bool {
	return !e.Expires.IsZero() && now.Format(time.DateOnly) > e.Expires.Format(time.DateOnly)
}

// matches reports whether an entry is about a finding. A cycle is about all of
// its resources.
func (e *Entry) matches(f *check.Finding) bool {
	if e.Kind != "" && e.Kind != f.Kind {
		return false
	}
	if e.At == "" {
		return true
	}
	return !f.Ref.IsZero() && matches(e.At, f.Ref.String()) ||
		slices.ContainsFunc(f.Members, func(m catalog.Ref) bool { return matches(e.At, m.String()) })
}

// matches reports whether a text matches a pattern in which * is any text.
func matches(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		_, rest, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = rest
	}
	return strings.HasSuffix(text, parts[last])
}
