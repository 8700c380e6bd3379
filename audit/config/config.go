package config

import (
	"bytes"
	"cmp"
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

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/lazyregexp"
)

// Name is the name of the configuration file.
const Name = ".pcat-audit.yaml"

// ErrConfig reports an invalid configuration.
var ErrConfig = errors.New("invalid audit configuration")

// Config contains the decisions of a user. The zero value changes nothing.
type Config struct {
	// Severities are levels of rules, or of families of rules, by ID.
	Severities map[string]Level `yaml:"severities"`
	// Names extends the known names of parameters and settings.
	Names audit.Names `yaml:"names"`
	// Rules are custom rules on resources.
	Rules conditions `yaml:"rules"`
	// RuleFiles are files of custom text rules, relative to the configuration file.
	RuleFiles []string `yaml:"rule_files"`
	// Allow lists the accepted findings.
	Allow []Entry `yaml:"allow"`
}

// conditions are validated when they are decoded.
type conditions []Condition

// Level is a severity, or "off".
type Level struct {
	Severity rule.Severity
	Off      bool
}

// UnmarshalYAML decodes the name of a severity, or "off".
func (l *Level) UnmarshalYAML(n *yaml.Node) error {
	if n.Value == "off" {
		*l = Level{Off: true}
		return nil
	}
	return at(n, n.Decode(&l.Severity))
}

// Entry allows the findings that match all of its patterns.
type Entry struct {
	Rule        string `yaml:"rule"`
	Type        string `yaml:"type"`
	Title       string `yaml:"title"`
	Parameter   string `yaml:"parameter"`
	Certname    string `yaml:"certname"`
	Catalog     string `yaml:"catalog"`
	File        string `yaml:"file"`
	Fingerprint string `yaml:"fingerprint"`
	// Reason explains why the findings are accepted. It is required.
	Reason string `yaml:"reason"`
	// Expires is the last day on which the entry is valid.
	Expires Date `yaml:"expires"`
	// Line is the line of the entry in the file, from 1.
	Line int `yaml:"-"`
}

// Date is a day. The zero value means no date.
type Date struct{ time.Time }

// UnmarshalText parses a full-date of RFC 3339: 2026-12-31.
func (d *Date) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		return fmt.Errorf("%q is not a date; use the form 2026-12-31", text)
	}
	d.Time = t
	return nil
}

// UnmarshalYAML decodes an entry and sets its line.
func (e *Entry) UnmarshalYAML(n *yaml.Node) error {
	type plain Entry
	err := known(n, "an entry", "rule", "type", "title", "parameter", "certname", "catalog", "file", "fingerprint", "reason", "expires")
	if err != nil {
		return err
	}
	if err := n.Decode((*plain)(e)); err != nil {
		return at(n, err)
	}
	e.Line = n.Line
	return nil
}

// UnmarshalYAML decodes and validates rules.
func (r *conditions) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return at(n, errors.New("rules must be a list"))
	}
	for _, one := range n.Content {
		if err := known(one, "a rule", "id", "when", "parameter", "title", "doc", "remedy", "severity"); err != nil {
			return err
		}
		var c Condition
		if err := cmp.Or(one.Decode(&c), c.Check()); err != nil {
			return at(one, err)
		}
		c.Place = fmt.Sprintf("line %d", one.Line)
		*r = append(*r, c)
	}
	return nil
}

// known returns an error if the map n has an unknown key, because a mistyped
// entry would allow more than intended.
func known(n *yaml.Node, what string, keys ...string) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; !slices.Contains(keys, key.Value) {
			return at(key, fmt.Errorf("%s has no key %q", what, key.Value))
		}
	}
	return nil
}

// at adds the line of n to an error that has no line.
func at(n *yaml.Node, err error) error {
	if _, told := errors.AsType[*yaml.TypeError](err); told || err == nil {
		return err
	}
	return fmt.Errorf("line %d: %w", n.Line, err)
}

// Parse parses a configuration. The error matches [ErrConfig] and has the line.
func Parse(data []byte) (*Config, error) {
	c := &Config{}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(c); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: %s", ErrConfig, readable(err))
	}
	for _, e := range c.Allow {
		switch {
		case strings.TrimSpace(e.Reason) == "":
			return nil, fmt.Errorf("%w: line %d: the entry has no reason", ErrConfig, e.Line)
		case e.names() == 0:
			return nil, fmt.Errorf("%w: line %d: the entry has no condition, and would allow everything", ErrConfig, e.Line)
		}
	}
	return c, nil
}

// readable returns the text of an error of the decoder without Go types.
func readable(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if several, ok := errors.AsType[*yaml.TypeError](err); ok {
		text = strings.Join(several.Errors, "; ")
	}
	text = unknownField.Get().ReplaceAllString(text, "unknown key ${1}")
	return misfit.Get().ReplaceAllString(text, "unexpected value of type !!${1}")
}

// The messages of the decoder for an unknown key and for a value of the wrong
// type.
var (
	unknownField = lazyregexp.New(`field (\S+) not found in type [^;\s]+`)
	misfit       = lazyregexp.New(`cannot unmarshal !!(\w+)(?: ` + "`[^`]*`" + `)? into [^;\s]+`)
)

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
