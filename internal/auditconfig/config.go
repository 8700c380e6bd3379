package auditconfig

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/audit/rule"
	"github.com/pcatdev/pcat/internal/settings"
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
	// Owners are the owners of the manifests.
	Owners Owners `yaml:"owners"`
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
	return settings.At(n, n.Decode(&l.Severity))
}

// Entry allows the findings that match all of its patterns.
type Entry struct {
	Rule        string `yaml:"rule"`
	Type        string `yaml:"type"`
	Title       string `yaml:"title"`
	Parameter   string `yaml:"parameter"`
	Certname    string `yaml:"node"`
	Catalog     string `yaml:"file"`
	File        string `yaml:"manifest"`
	Fingerprint string `yaml:"fingerprint"`
	// Reason explains why the findings are accepted. It is required.
	Reason string `yaml:"reason"`
	// Expires is the last day on which the entry is valid.
	Expires Date `yaml:"expires"`
	// Line is the line of the entry in the file, from 1.
	Line int `yaml:"-"`
}

// Date is a day, decoded from a full-date of RFC 3339: 2026-12-31. The zero value
// means no date.
type Date = settings.Day

// UnmarshalYAML decodes an entry and sets its line.
func (e *Entry) UnmarshalYAML(n *yaml.Node) error {
	type plain Entry
	err := settings.Keys(n, "an entry", "rule", "type", "title", "parameter", "node", "file", "manifest", "fingerprint", "reason", "expires")
	if err = cmp.Or(renamed(n), err); err != nil {
		return err
	}
	if err := n.Decode((*plain)(e)); err != nil {
		return settings.At(n, err)
	}
	e.Line = n.Line
	return nil
}

// renamed returns an error for a key by its name in version 0.1, which names the new one. A
// pattern of manifests under `file` would match no input.
func renamed(n *yaml.Node) error {
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch key, value := n.Content[i], n.Content[i+1].Value; {
		case key.Value == "certname":
			return settings.At(key, errors.New("the key certname is now node"))
		case key.Value == "catalog":
			return settings.At(key, errors.New("the key catalog is now file"))
		case key.Value == "file" && (path.Ext(value) == ".pp" || path.Ext(value) == "" && (strings.Contains(value, "manifests/") || strings.Contains(value, "modules/"))):
			return settings.At(key, fmt.Errorf("the key file is the name of an input; for the manifest %s, use manifest", value))
		}
	}
	return nil
}

// UnmarshalYAML decodes and validates rules.
func (r *conditions) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return settings.At(n, errors.New("rules must be a list"))
	}
	for _, one := range n.Content {
		if err := settings.Keys(one, "a rule", "id", "when", "parameter", "title", "doc", "remedy", "severity"); err != nil {
			return err
		}
		var c Condition
		if err := cmp.Or(one.Decode(&c), c.Check()); err != nil {
			return settings.At(one, err)
		}
		c.Location = fmt.Sprintf("line %d", one.Line)
		*r = append(*r, c)
	}
	return nil
}

// Parse parses a configuration. The error matches [ErrConfig] and has the line.
func Parse(data []byte) (*Config, error) {
	c := &Config{}
	if err := settings.Decode(data, c); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	for i := range c.Allow {
		if err := c.Allow[i].Check(); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrConfig, c.Allow[i].Line, err)
		}
	}
	return c, nil
}

// Check returns an error if the entry has no reason, or would allow everything.
func (e *Entry) Check() error {
	switch {
	case strings.TrimSpace(e.Reason) == "":
		return errors.New("the entry has no reason")
	case e.names() == 0:
		return errors.New("the entry has no condition, and would allow everything")
	}
	return nil
}

// Find searches dir and its parent directories for the file and returns its
// path. If there is none, the error matches [fs.ErrNotExist].
func Find(dir string) (string, error) { return settings.Find(dir, Name) }
