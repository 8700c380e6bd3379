package auditconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hmarr/codeowners"
	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/catalog/manifest"
	"github.com/pcatdev/pcat/internal/settings"
)

// Owners maps manifests to the people or teams that own them. The zero value maps none. It is
// immutable and safe for concurrent use.
type Owners struct {
	// File is the CODEOWNERS file that the configuration names, or "" if the configuration has
	// the patterns itself. Its content is not read with the configuration; see
	// [Config.OwnersFile].
	File string

	sections []section
}

// section is a list of rules, of which the last one that matches applies. A file of GitHub is one
// section; one of GitLab can have several, each of which has its own owners.
type section []ownersRule

type ownersRule struct {
	codeowners.Rule

	owners []string
}

// codeOwnersFiles are the files in which code hosts look for owners, in this order.
var codeOwnersFiles = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}

// FindCodeOwners returns the CODEOWNERS file of a repository with the root dir. If there is none,
// the error matches [fs.ErrNotExist].
func FindCodeOwners(dir string) (string, error) {
	for _, name := range codeOwnersFiles {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", fmt.Errorf("CODEOWNERS: %w", fs.ErrNotExist)
}

// ParseCodeOwners parses a CODEOWNERS file of GitHub or GitLab. As code hosts do, it skips lines
// that are not valid; skipped describes them. Bytes that are not UTF-8 become U+FFFD.
func ParseCodeOwners(text []byte) (o *Owners, skipped []string) {
	o = &Owners{}
	var rules section
	var standard []string // the owners of rules without owners in a section of GitLab
	content := strings.ToValidUTF8(strings.TrimPrefix(string(text), "\ufeff"), "\ufffd")
	for i, line := range strings.Split(content, "\n") {
		line = strings.TrimSpace(line)
		if owners, is := sectionOf(line); is {
			o.add(rules)
			rules, standard = nil, owners
			continue
		}
		r, err := parseOwnersRule(line, standard)
		switch {
		case err != nil:
			skipped = append(skipped, fmt.Sprintf("line %d: %v", i+1, err))
		case r != nil:
			rules = append(rules, *r)
		}
	}
	o.add(rules)
	return o, skipped
}

func (o *Owners) add(rules section) {
	if len(rules) > 0 {
		o.sections = append(o.sections, rules)
	}
}

// sectionOf parses the heading of a section of GitLab, `^[Name][2] @owner`, and returns its owners.
func sectionOf(line string) (owners []string, is bool) {
	heading, found := strings.CutPrefix(strings.TrimPrefix(line, "^"), "[")
	if !found {
		return nil, false
	}
	_, text, found := strings.Cut(heading, "]")
	if !found {
		return nil, false
	}
	text, _, _ = strings.Cut(text, "#")
	if approvals, rest, found := strings.Cut(text, "]"); found && strings.HasPrefix(approvals, "[") {
		text = rest
	}
	return strings.Fields(text), true
}

// parseOwnersRule parses one line. It returns nil for a line without a rule. A rule without owners
// has the standard ones; with a leading "!" it has none.
func parseOwnersRule(line string, standard []string) (*ownersRule, error) {
	line, excluded := strings.CutPrefix(line, "!")
	rules, err := codeowners.ParseFile(strings.NewReader(line), codeowners.WithOwnerMatchers([]codeowners.OwnerMatcher{codeowners.OwnerMatchFunc(anyOwner)}))
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "line 1: "))
	}
	if len(rules) == 0 {
		return nil, nil //nolint:nilnil // an empty line
	}
	r := &ownersRule{Rule: rules[0], owners: standard}
	if r.RawPattern() == "/" {
		return nil, errors.New("the pattern / matches nothing")
	}
	if len(r.Owners) > 0 {
		r.owners = nil
	}
	for _, one := range r.Owners {
		r.owners = append(r.owners, one.Value)
	}
	if excluded {
		r.owners = nil
	}
	return r, nil
}

// anyOwner accepts the names of all code hosts, and of teams elsewhere.
func anyOwner(s string) (codeowners.Owner, error) { return codeowners.Owner{Value: s}, nil }

// UnmarshalYAML decodes the name of a CODEOWNERS file, or a map from patterns to owners.
func (o *Owners) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		if err := n.Decode(&o.File); err != nil || o.File == "" {
			return settings.At(n, errors.New("owners must be the name of a CODEOWNERS file, or a map from paths to owners"))
		}
		return nil
	}
	var rules section
	for i := 0; i+1 < len(n.Content); i += 2 {
		path, owner := n.Content[i], n.Content[i+1]
		names, err := ownersIn(owner)
		var r *ownersRule
		if err == nil {
			r, err = parseOwnersRule(strings.ReplaceAll(path.Value, " ", `\ `)+" "+names, nil)
		}
		if err == nil && (r == nil || len(r.owners) == 0) {
			err = errors.New("the path has no owner")
		}
		if err != nil {
			return settings.At(path, fmt.Errorf("owners: %w", err))
		}
		rules = append(rules, *r)
	}
	o.add(rules)
	return nil
}

// ownersIn returns the owners in a text or a list of texts, separated by spaces.
func ownersIn(n *yaml.Node) (string, error) {
	var list []string
	if n.Decode(&list) == nil {
		return strings.Join(list, " "), nil
	}
	var one string
	if n.Decode(&one) != nil {
		return "", errors.New("the owners of a path must be a text, or a list of texts")
	}
	return one, nil
}

// OwnersFile returns the path of the CODEOWNERS file that the configuration names, or "" if it
// names none. file is the path of the configuration.
func (c *Config) OwnersFile(file string) string {
	name := c.Owners.File
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(file), name)
}

// Of returns the owners of a manifest, separated by spaces, or "" if it has none. The path is
// relative to the root of the repository.
func (o *Owners) Of(path string) string {
	var all []string
	for _, rules := range o.sections {
		for i := len(rules) - 1; i >= 0; i-- {
			if match, err := rules[i].Match(path); match && err == nil {
				all = append(all, rules[i].owners...)
				break
			}
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

// Names returns the names of all owners, sorted.
func (o *Owners) Names() []string {
	var all []string
	for _, rules := range o.sections {
		for i := range rules {
			all = append(all, rules[i].owners...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Assign sets the owners of the findings of a report. l returns the paths in the repository.
func (o *Owners) Assign(r *audit.Report, l manifest.Locator) {
	if len(o.sections) == 0 {
		return
	}
	known := map[string]string{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.File == "" {
			continue
		}
		owner, ok := known[f.File]
		if !ok {
			owner = o.Of(strings.TrimLeft(l.Path(f.File), "/"))
			known[f.File] = owner
		}
		f.Owner = owner
	}
}
