// Package config reads .pcat-check.yaml, the findings of a check that a site
// accepts.
//
//	Config   the entries of a file; Parse and Find
//	Entry    accepts findings by rule and resource, with a reason, until a day
//	Apply    removes the accepted findings
package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/cmd/pcat/internal/faults"
	"github.com/pcatdev/pcat/internal/glob"
	"github.com/pcatdev/pcat/internal/settings"
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

// Entry accepts the findings of a rule at a resource. Rule or At may be empty.
type Entry struct {
	Rule    faults.Kind
	At      string // Type[title], a pattern as of [glob.Match]
	Reason  string
	Expires Date // the last day
	Line    int  // in the file, from 1
}

// Date is a day, decoded from a full-date of RFC 3339: 2026-12-31. The zero value
// means no date.
type Date = settings.Day

// file is the file as it is decoded.
type file struct {
	ModulePath []string `yaml:"modulepath"`
	Allow      []Entry  `yaml:"allow"`
}

// UnmarshalYAML decodes and validates an entry, and sets its line.
func (e *Entry) UnmarshalYAML(n *yaml.Node) error {
	var keys struct {
		Rule, At, Reason string
		Expires          Date
	}
	err := settings.Keys(n, "an entry", "rule", "at", "reason", "expires")
	if err = cmp.Or(renamed(n), err); err != nil {
		return err
	}
	if err := n.Decode(&keys); err != nil {
		return settings.At(n, err)
	}
	*e = Entry{Rule: faults.Kind(keys.Rule), At: keys.At, Reason: keys.Reason, Expires: keys.Expires, Line: n.Line}
	return settings.At(n, e.check())
}

// renamed returns an error for a key by its former name, which names the new one.
func renamed(n *yaml.Node) error {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; key.Value == "kind" {
			return settings.At(key, errors.New("the key kind is now rule"))
		}
	}
	return nil
}

// Parse parses a configuration. The error matches [ErrConfig].
func Parse(data []byte) (*Config, error) {
	var f file
	if err := settings.Decode(data, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return &Config{ModulePath: f.ModulePath, Allow: f.Allow}, nil
}

func (e *Entry) check() error {
	known := slices.ContainsFunc(faults.Kinds(), func(r faults.Rule) bool { return r.Kind == e.Rule })
	_, isRef := catalog.ParseRef(e.At)
	switch {
	case e.Rule == "" && e.At == "":
		return errors.New("the entry has no condition, and would accept everything")
	case e.Rule != "" && !known:
		return fmt.Errorf("unknown rule %q", e.Rule)
	case e.At != "" && !isRef:
		return fmt.Errorf("at: %q is not a resource; write it as Type[title], where * is any text", e.At)
	case strings.TrimSpace(e.Reason) == "":
		return errors.New("the entry has no reason")
	}
	return nil
}

// Find searches dir and its parent directories for the file and returns its
// path. If there is none, the error matches [fs.ErrNotExist].
func Find(dir string) (string, error) { return settings.Find(dir, Name) }

// Apply returns the findings that no valid entry accepts on the day of now. Used
// reports for each entry whether it matched; it may be nil.
func (c *Config) Apply(findings []faults.Finding, now time.Time, used []bool) []faults.Finding {
	return slices.DeleteFunc(findings, func(f faults.Finding) bool {
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
func (e *Entry) Expired(now time.Time) bool { return e.Expires.Passed(now) }

// matches reports whether an entry is about a finding. It is about a cycle if it names any
// of the resources, and about another finding of several resources if it names all of them.
func (e *Entry) matches(f *faults.Finding) bool {
	if e.Rule != "" && e.Rule != f.Kind {
		return false
	}
	named := func(ref catalog.Ref) bool { return e.At == "" || glob.Match(e.At, ref.String()) }
	switch {
	case f.Kind == faults.Cycle:
		return slices.ContainsFunc(f.Members, named)
	case slices.Contains(f.Members, f.Ref):
		return !slices.ContainsFunc(f.Members, func(m catalog.Ref) bool { return !named(m) })
	default:
		return named(f.Ref)
	}
}
