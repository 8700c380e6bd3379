package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/catalog/audit/custom"
	"github.com/pcatdev/pcat/catalog/audit/rule"
)

// Name is the name of the file.
const Name = ".pcat-audit.yaml"

// ErrConfig tells that a configuration says what it cannot say.
var ErrConfig = errors.New("not a configuration of the audit")

// Config is what a user decided. The zero value decides nothing.
type Config struct {
	// Severities are those of rules, or of families of rules, by ID.
	Severities map[string]Level `yaml:"severities"`
	// Names adds to the names of parameters and settings that are known.
	Names Names `yaml:"names"`
	// Rules are rules of one's own on resources.
	Rules []custom.Condition `yaml:"rules"`
	// RuleFiles are files of rules of one's own on text, relative to the file
	// of the configuration.
	RuleFiles []string `yaml:"rule_files"`
	// Allow are the findings that are accepted.
	Allow []Entry `yaml:"allow"`
}

// Names are names of one's own.
type Names struct {
	// Secret are words that a secret has as the last of its name.
	Secret []string `yaml:"secret"`
	// Harmless are whole names of what is no secret.
	Harmless []string `yaml:"harmless"`
}

// Level is a severity, or "off".
type Level struct {
	Severity rule.Severity
	Off      bool
}

// UnmarshalText reads the name of a severity, or "off".
func (l *Level) UnmarshalText(text []byte) error {
	if string(text) == "off" {
		*l = Level{Off: true}
		return nil
	}
	return l.Severity.UnmarshalText(text)
}

// Entry allows the findings that match all that it names.
type Entry struct {
	Rule        string `yaml:"rule"`
	Type        string `yaml:"type"`
	Title       string `yaml:"title"`
	Parameter   string `yaml:"parameter"`
	Certname    string `yaml:"certname"`
	Catalog     string `yaml:"catalog"`
	File        string `yaml:"file"`
	Fingerprint string `yaml:"fingerprint"`
	// Reason says why they are accepted. It is required.
	Reason string `yaml:"reason"`
	// Expires is the last day on which they are.
	Expires Date `yaml:"expires"`
	// Line is where the entry stands in the file, from 1.
	Line int `yaml:"-"`
}

// Date is a day; the zero value is none.
type Date struct{ time.Time }

// UnmarshalText reads a day as RFC 3339 writes it: 2026-12-31.
func (d *Date) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		return fmt.Errorf("%q is no day; write it as 2026-12-31", text)
	}
	d.Time = t
	return nil
}

// UnmarshalYAML reads an entry and remembers its line.
func (e *Entry) UnmarshalYAML(n *yaml.Node) error {
	type plain Entry
	if err := known(n); err != nil {
		return err
	}
	if err := n.Decode((*plain)(e)); err != nil {
		return err
	}
	e.Line = n.Line
	return nil
}

// known returns an error for a key that no entry has: a mistyped one would
// allow more than was meant.
func known(n *yaml.Node) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch n.Content[i].Value {
		case "rule", "type", "title", "parameter", "certname", "catalog", "file", "fingerprint", "reason", "expires":
		default:
			return fmt.Errorf("line %d: an entry has no key %q", n.Content[i].Line, n.Content[i].Value)
		}
	}
	return nil
}

// Parse reads a configuration. The error matches [ErrConfig] and names the
// line.
func Parse(data []byte) (*Config, error) {
	c := &Config{}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(c); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: %s", ErrConfig, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	for _, e := range c.Allow {
		switch {
		case strings.TrimSpace(e.Reason) == "":
			return nil, fmt.Errorf("%w: line %d: the entry has no reason", ErrConfig, e.Line)
		case e.names() == 0:
			return nil, fmt.Errorf("%w: line %d: the entry names nothing, and would allow everything", ErrConfig, e.Line)
		}
	}
	return c, nil
}

// Find looks for the file in dir and in the folders above it, and returns its
// path. Without one, the error matches [fs.ErrNotExist].
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
