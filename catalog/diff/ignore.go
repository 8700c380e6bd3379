package diff

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/glob"
	"github.com/pcatdev/pcat/pcore"
)

// Rule ignores changes. The zero value ignores nothing.
type Rule struct {
	// At selects changes by their place, Type[title]/path: `File[/etc/motd]/content`,
	// `Exec[*]/environment`, `File[/var/lib/*]`. In the title and the type, `*` is any
	// text, and `?` one character; in the path, `*` is a part of it, and `**` any parts.
	// A path includes everything below it. Without a path, all changes of the resource
	// are selected. A rule of another form, which ParseRule refuses, selects nothing.
	At string `yaml:"at"`
	// Tag selects the changes of resources with a tag.
	Tag string `yaml:"tag"`
	// Reason is printed in the report.
	Reason string `yaml:"reason"`
	// Until is the last day, as 2027-03-01, on which the rule applies.
	Until string `yaml:"until"`
}

// Config is the content of a file .pcat-diff.yaml.
type Config struct {
	Version  int       `yaml:"version"`
	Profiles []Profile `yaml:"profile"`
	Ignore   []Rule    `yaml:"ignore"`
}

// ErrConfig reports an invalid configuration.
var ErrConfig = errors.New("invalid configuration")

// ParseConfig parses a configuration in YAML. The error matches ErrConfig.
func ParseConfig(data []byte) (*Config, error) {
	c := &Config{}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(c); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if c.Version > 1 {
		return nil, fmt.Errorf("%w: version %d is newer than this pcat", ErrConfig, c.Version)
	}
	for _, p := range c.Profiles {
		if !slices.Contains(Profiles(), p) {
			return nil, fmt.Errorf("%w: unknown profile %q", ErrConfig, p)
		}
	}
	for i, r := range c.Ignore {
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("%w: rule %d of ignore: %w", ErrConfig, i+1, err)
		}
	}
	return c, nil
}

// ParseRule parses a rule as in [Rule.At]. The error matches ErrConfig.
func ParseRule(at string) (Rule, error) {
	r := Rule{At: at}
	if err := r.check(); err != nil {
		return r, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return r, nil
}

func (r Rule) check() error {
	if r.At == "" && r.Tag == "" {
		return errors.New("it needs `at`, such as File[/etc/motd]/content, or `tag`")
	}
	if _, ok := r.selector(); !ok {
		return fmt.Errorf("`at: %s` is not of the form Type[title]/path", r.At)
	}
	if r.Until != "" {
		if _, err := time.Parse(time.DateOnly, r.Until); err != nil {
			return fmt.Errorf("`until: %s` is not a date such as 2027-03-01", r.Until)
		}
	}
	return nil
}

// Expired reports whether the rule no longer applies at a time.
func (r Rule) Expired(now time.Time) bool {
	last, err := time.Parse(time.DateOnly, r.Until)
	return err == nil && now.After(last.AddDate(0, 0, 1))
}

// String returns the rule as reports show it.
func (r Rule) String() string {
	s := r.At
	if r.Tag != "" {
		s = strings.TrimSpace(s + " tag " + r.Tag)
	}
	if r.Reason != "" {
		s += ": " + r.Reason
	}
	return s
}

// selector is a rule prepared for comparison.
type selector struct {
	rule Rule
	typ  string // in lower case
	ref  catalog.Ref
	path []string // empty for all changes of the resource
}

// selector returns r prepared for comparison. It reports false if At has another form.
func (r Rule) selector() (s selector, ok bool) {
	s.rule = r
	if r.At == "" {
		return s, r.Tag != ""
	}
	end := strings.LastIndexByte(r.At, ']') // a title can contain brackets
	if end < 0 {
		return s, false
	}
	s.ref, ok = catalog.ParseRef(r.At[:end+1])
	s.typ = strings.ToLower(s.ref.Type)
	path := r.At[end+1:]
	if !ok || path != "" && path[0] != '/' {
		return s, false
	}
	if path = strings.TrimPrefix(path, "/parameters"); path != "" {
		s.path = strings.Split(path[1:], "/")
	}
	return s, true
}

// ignore drops the changes that rules select, and counts them.
func (c *comparison) ignore(rules []Rule) {
	selectors := make([]selector, 0, len(rules))
	for _, r := range rules {
		if s, ok := r.selector(); ok {
			selectors = append(selectors, s)
		}
	}
	c.changes = slices.DeleteFunc(c.changes, func(ch change) bool {
		i := slices.IndexFunc(selectors, func(s selector) bool { return s.selects(&ch) })
		if i >= 0 {
			c.noise.ignored[Ignored{Rule: selectors[i].rule.String()}]++
		}
		return i >= 0
	})
}

// selects reports whether the rule ignores a change.
func (s *selector) selects(c *change) bool {
	if s.rule.Tag != "" && !c.hasTag(s.rule.Tag) {
		return false
	}
	if s.rule.At == "" {
		return true
	}
	return glob.Match(s.typ, strings.ToLower(c.ref.Type)) && glob.Match(s.ref.Title, c.ref.Title) && globPath(s.path, steps(c.path))
}

func (c *change) hasTag(tag string) bool {
	if c.at == nil {
		return false
	}
	return slices.ContainsFunc(c.at.res.Tags(), func(t string) bool { return strings.EqualFold(t, tag) })
}

// steps returns the names of the steps of a path.
func steps(p pcore.Path) []string {
	if len(p) == 0 {
		return nil
	}
	names := strings.Split(strings.TrimPrefix(p.Pointer(), "/"), "/")
	for i, n := range names {
		names[i] = strings.ReplaceAll(strings.ReplaceAll(n, "~1", "/"), "~0", "~")
	}
	return names
}

// globPath reports whether a pattern matches the beginning of a path.
func globPath(pattern, path []string) bool {
	if len(pattern) == 0 {
		return true
	}
	if pattern[0] == "**" {
		for i := range len(path) + 1 {
			if globPath(pattern[1:], path[i:]) {
				return true
			}
		}
		return false
	}
	return len(path) > 0 && glob.Match(pattern[0], path[0]) && globPath(pattern[1:], path[1:])
}
