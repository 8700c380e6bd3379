// Package config reads .pcat-diff.yaml, the rules of a site for the comparison of
// catalogs.
//
//	Config             the content of a file; Find, Parse, Apply
//	Condition          an expression of the Puppet language about a change
//	ImportOctocatalog  converts rules of octocatalog-diff
//
// A file:
//
//	version: 1
//	profile: [auto, content]
//	ignore:
//	  - at: File[/etc/motd]/content
//	    reason: holds the date
//	    until: 2027-03-01
//	  - at: Exec[*]/environment
//	    lines: ^BUILD_ID=
//	  - when: $type == cron and $path == '/parameters/minute'
//	rank:
//	  - at: Service[postgresql]
//	    effect: refresh
//	    rank: danger
//
// All conditions of a rule must be met: at, tag, op, kind, lines, any and when, which are
// the ones of [diff.Rule]. A rule of rank sets the rank of the changes or, with effect, of
// their effects.
package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/nearest"
	"github.com/pcatdev/pcat/internal/settings"
	"github.com/pcatdev/pcat/pcore"
)

// Name is the name of the configuration file.
const Name = ".pcat-diff.yaml"

// ErrConfig reports an invalid configuration.
var ErrConfig = errors.New("invalid diff configuration")

// Config contains the rules of a file. The zero value has none.
type Config struct {
	Profiles []diff.Profile

	ignore, rank []rule
}

// rule is a rule with the last day on which it applies.
type rule struct {
	diff.RankRule

	until settings.Day
	line  int
}

// file is the file as it is decoded.
type file struct {
	Version int            `yaml:"version"`
	Profile []diff.Profile `yaml:"profile"`
	Ignore  []entry        `yaml:"ignore"`
	Rank    []entry        `yaml:"rank"`
}

// entry is a rule as it is written.
type entry struct {
	At     string       `yaml:"at,omitempty"`
	Tag    string       `yaml:"tag,omitempty"`
	Op     words        `yaml:"op,omitempty,flow"`
	Kind   words        `yaml:"kind,omitempty,flow"`
	Lines  string       `yaml:"lines,omitempty"`
	Any    string       `yaml:"any,omitempty"`
	When   string       `yaml:"when,omitempty"`
	Effect string       `yaml:"effect,omitempty"`
	Rank   string       `yaml:"rank,omitempty"`
	Reason string       `yaml:"reason,omitempty"`
	Until  settings.Day `yaml:"until,omitempty"`

	node *yaml.Node
}

// words are a list of words, or a single one.
type words []string

// UnmarshalYAML decodes a list or a scalar.
func (w *words) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		n = &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: []*yaml.Node{n}, Line: n.Line}
	}
	return n.Decode((*[]string)(w))
}

// UnmarshalYAML decodes the file. The keys of entries depend on their list.
func (f *file) UnmarshalYAML(n *yaml.Node) error {
	type plain file
	if err := settings.Keys(n, "the file", "version", "profile", "ignore", "rank"); err != nil {
		return err
	}
	if err := n.Decode((*plain)(f)); err != nil {
		return settings.At(n, err)
	}
	for i := range f.Ignore {
		if err := settings.Keys(f.Ignore[i].node, "a rule", conditions()...); err != nil {
			return err
		}
	}
	for i := range f.Rank {
		if err := settings.Keys(f.Rank[i].node, "a rule of rank", append(conditions(), "effect", "rank")...); err != nil {
			return err
		}
	}
	return nil
}

func conditions() []string {
	return []string{"at", "tag", "op", "kind", "lines", "any", "when", "reason", "until"}
}

// UnmarshalYAML decodes an entry and keeps its node.
func (e *entry) UnmarshalYAML(n *yaml.Node) error {
	type plain entry
	e.node = n
	if err := n.Decode((*plain)(e)); err != nil {
		return settings.At(n, err)
	}
	return nil
}

// Parse parses a configuration. Reports name its rules by the name of the file. The
// evaluators are those of [NewCondition]. The error matches [ErrConfig] and has the line.
func Parse(name string, data []byte, evaluators Evaluators) (*Config, error) {
	var f file
	if err := settings.Decode(data, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if f.Version > 1 {
		return nil, fmt.Errorf("%w: version %d is newer than this pcat", ErrConfig, f.Version)
	}
	for _, p := range f.Profile {
		if err := oneOf("profile", p, diff.Profiles()); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrConfig, err)
		}
	}
	c := &Config{Profiles: f.Profile}
	for _, list := range []struct {
		entries []entry
		rules   *[]rule
	}{{f.Ignore, &c.ignore}, {f.Rank, &c.rank}} {
		for i := range list.entries {
			e := &list.entries[i]
			r, err := e.rule(evaluators, list.rules == &c.rank)
			if err != nil {
				return nil, fmt.Errorf("%w: %w", ErrConfig, settings.At(e.node, err))
			}
			r.Name = fmt.Sprintf("%s (%s:%d)", e, name, e.node.Line)
			*list.rules = append(*list.rules, rule{r, e.Until, e.node.Line})
		}
	}
	return c, nil
}

// rule compiles an entry.
func (e *entry) rule(evaluators Evaluators, ranks bool) (r diff.RankRule, err error) {
	if e.At == "" && e.Tag == "" && e.When == "" && e.Lines == "" && e.Any == "" && len(e.Op) == 0 && len(e.Kind) == 0 && e.Effect == "" {
		return r, errors.New("the rule has no condition, such as at: File[/etc/motd]/content")
	}
	if e.At != "" {
		if r.At, err = diff.ParseSelector(e.At); err != nil {
			return r, fmt.Errorf("at: %w", err)
		}
	}
	r.Tag, r.Effect = e.Tag, e.Effect
	for _, op := range e.Op {
		if err := oneOf("op", diff.Op(op), diff.Ops()); err != nil {
			return r, err
		}
		r.Ops = append(r.Ops, diff.Op(op))
	}
	for _, kind := range e.Kind {
		if err := oneOf("kind", diff.Kind(kind), diff.Kinds()); err != nil {
			return r, err
		}
		r.Kinds = append(r.Kinds, diff.Kind(kind))
	}
	if r.Lines, err = expression("lines", e.Lines); err != nil {
		return r, err
	}
	if r.AnyLine, err = expression("any", e.Any); err != nil {
		return r, err
	}
	if e.When != "" {
		if r.When, err = NewCondition(evaluators, "when", e.When); err != nil {
			return r, err
		}
	}
	if !ranks {
		return r, nil
	}
	if e.Effect != "" && r.At.HasPath() {
		return r, fmt.Errorf("at: %s: with effect, it names the affected resource, without a path", e.At)
	}
	for r.Rank = diff.RankInfo; r.Rank.String() != e.Rank; r.Rank++ {
		if r.Rank == diff.RankDanger {
			return r, errors.New("rank: use info, write, restart or danger")
		}
	}
	return r, nil
}

// expression compiles a regular expression, or returns nil for none.
func expression(key, text string) (*pcore.Regexp, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // the documented result
	}
	r := pcore.NewRegexp(text)
	if _, err := r.Match(""); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return r, nil
}

// oneOf returns an error for a word that is not known.
func oneOf[T ~string](key string, word T, known []T) error {
	if slices.Contains(known, word) {
		return nil
	}
	suggestion := nearest.DidYouMean(string(word), func(yield func(string) bool) {
		for _, k := range known {
			if !yield(string(k)) {
				return
			}
		}
	})
	return fmt.Errorf("%s: unknown value %q%s", key, word, suggestion)
}

// String returns the location and the reason, or without a reason all conditions, on one line.
func (e *entry) String() string {
	var parts []string
	add := func(key, text string) {
		if text != "" {
			parts = append(parts, strings.TrimSpace(key+" "+strings.Join(strings.Fields(text), " ")))
		}
	}
	add("", e.At)
	add("tag", e.Tag)
	if e.Reason == "" || len(parts) == 0 {
		add("op", strings.Join(e.Op, ","))
		add("kind", strings.Join(e.Kind, ","))
		add("lines", e.Lines)
		add("any", e.Any)
		add("when", e.When)
		add("effect", e.Effect)
	}
	s := strings.Join(parts, " ")
	if e.Reason != "" {
		s += ": " + strings.Join(strings.Fields(e.Reason), " ")
	}
	return s
}

// Find searches dir and its parent directories for the file and returns its
// path. If there is none, the error matches [fs.ErrNotExist].
func Find(dir string) (string, error) { return settings.Find(dir, Name) }

// Apply adds the rules that apply on the day of now to the options. It returns an error
// for each rule that has expired.
func (c *Config) Apply(o *diff.Options, now time.Time) []error {
	var expired []error
	for _, r := range slices.Concat(c.ignore, c.rank) {
		if r.until.Passed(now) {
			expired = append(expired, fmt.Errorf("line %d: the rule expired on %s and no longer applies; remove it, or change `until`", r.line, r.until.Format(time.DateOnly)))
		}
	}
	for _, r := range c.ignore {
		if !r.until.Passed(now) {
			o.Ignore = append(o.Ignore, r.Rule)
		}
	}
	for _, r := range c.rank {
		if !r.until.Passed(now) {
			o.Ranks = append(o.Ranks, r.RankRule)
		}
	}
	return expired
}
