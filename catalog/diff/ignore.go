package diff

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Rule ignores changes. The zero value ignores nothing.
type Rule struct {
	// At selects changes by their place, Type[title]/path: `File[/etc/motd]/content`,
	// `Exec[*]/environment`, `File[/var/lib/*]`. In the title and the type, `*` is any
	// text; in the path, `*` is a part of it, and `**` any parts. A path includes
	// everything below it. Without a path, all changes of the resource are selected.
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
		if !isProfile(p) {
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

func isProfile(p Profile) bool {
	for _, known := range Profiles() {
		if p == known {
			return true
		}
	}
	return false
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
	if _, _, ok := r.split(); r.At != "" && !ok {
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

// split returns the reference and the path of At. The path begins behind the last
// bracket.
func (r Rule) split() (ref catalog.Ref, path string, ok bool) {
	end := strings.LastIndexByte(r.At, ']')
	if end < 0 {
		return ref, "", false
	}
	ref, ok = catalog.ParseRef(r.At[:end+1])
	path = r.At[end+1:]
	return ref, strings.TrimPrefix(path, "/parameters"), ok && (path == "" || path[0] == '/')
}

// ignore drops the changes that rules select, and counts them.
func (c *comparison) ignore(rules []Rule) {
	if len(rules) == 0 {
		return
	}
	kept := c.changes[:0]
	for i := range c.changes {
		ch := &c.changes[i]
		dropped := false
		for _, r := range rules {
			if dropped = r.selects(ch); dropped {
				c.noise.ignored[Ignored{Rule: r.String()}]++
				break
			}
		}
		if !dropped {
			kept = append(kept, *ch)
		}
	}
	c.changes = kept
}

// selects reports whether the rule ignores a change.
func (r Rule) selects(c *change) bool {
	if r.Tag != "" && !c.hasTag(r.Tag) {
		return false
	}
	if r.At == "" {
		return true
	}
	ref, path, ok := r.split()
	if !ok || !glob(strings.ToLower(ref.Type), strings.ToLower(c.ref.Type)) || !glob(ref.Title, c.ref.Title) {
		return false
	}
	return path == "" || globPath(strings.Split(path[1:], "/"), steps(c.path))
}

func (c *change) hasTag(tag string) bool {
	if c.at == nil {
		return false
	}
	for _, t := range c.at.res.Tags() {
		if strings.EqualFold(t, tag) {
			return true
		}
	}
	return false
}

// steps returns the names of the steps of a path.
func steps(p pcore.Path) []string {
	names := strings.Split(strings.TrimPrefix(p.Pointer(), "/"), "/")
	if len(p) == 0 {
		return nil
	}
	for i, n := range names {
		names[i] = strings.ReplaceAll(strings.ReplaceAll(n, "~1", "/"), "~0", "~")
	}
	return names
}

// glob reports whether a pattern matches a text.
func glob(pattern, text string) bool {
	star, again := -1, 0
	i, j := 0, 0
	for j < len(text) {
		switch {
		case i < len(pattern) && pattern[i] == '*':
			star, again = i, j
			i++
		case i < len(pattern) && pattern[i] == text[j]:
			i++
			j++
		case star >= 0:
			again++
			i, j = star+1, again
		default:
			return false
		}
	}
	for i < len(pattern) && pattern[i] == '*' {
		i++
	}
	return i == len(pattern)
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
	return len(path) > 0 && glob(pattern[0], path[0]) && globPath(pattern[1:], path[1:])
}
