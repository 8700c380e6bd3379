package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// result is the result of a release.
type result struct {
	Release   string     `json:"release"`
	Like      string     `json:"like"`
	Questions int        `json:"questions"` // generated ones
	Vectors   int        `json:"vectors"`
	Same      int        `json:"same"`
	Crashed   int        `json:"crashed"` // Ruby failed, or the answer depends on a known fault
	Clusters  []*cluster `json:"clusters"`
}

// different returns the number of different answers with and without a name.
func (r *result) different() (named, unnamed int) {
	for _, c := range r.Clusters {
		if c.Named != "" {
			named += c.Count
		} else {
			unnamed += c.Count
		}
	}
	return named, unnamed
}

// recorded reads the results in a file; there are none without it.
func recorded(path string) ([]*result, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []*result
	return all, json.Unmarshal(data, &all)
}

// record writes the results with r to a file, sorted by release.
func record(path string, all []*result, r *result) ([]*result, error) {
	all = slices.DeleteFunc(all, func(o *result) bool { return o.Release == r.Release })
	all = append(all, r)
	slices.SortFunc(all, func(a, b *result) int { return strings.Compare(order(a), order(b)) })
	data, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return nil, err
	}
	return all, os.WriteFile(path, append(data, '\n'), 0o644) //nolint:gosec // the file is part of the repository
}

// order sorts Puppet before OpenVox of the same version.
func order(r *result) string {
	name, version, _ := strings.Cut(r.Release, " ")
	return version[:1] + map[string]string{"Puppet": "a", "OpenVox": "b"}[name] + version
}

const begin, end = "<!-- questions -->\n", "<!-- /questions -->\n"

// writeTable writes the table of the results into docs/puppet-versions.md.
func writeTable(root string, all []*result) error {
	path := filepath.Join(root, "docs", "puppet-versions.md")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s: no %s … %s", path, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	var b strings.Builder
	b.WriteString("| release | `--like` | vectors | generated questions | same answer | Ruby fails, or a known fault | named differences | other differences |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range all {
		named, unnamed := r.different()
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s | %s | %s |\n", r.Release, r.Like, grouped(r.Vectors), grouped(r.Questions), grouped(r.Same), grouped(r.Crashed), grouped(named), grouped(unnamed))
	}
	return os.WriteFile(path, []byte(before+begin+b.String()+end+after), 0o644) //nolint:gosec // likewise
}

// grouped returns a number with commas.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
