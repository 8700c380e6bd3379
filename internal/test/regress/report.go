package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Collector groups differences. It is safe for concurrent use.
type Collector struct {
	mu       sync.Mutex
	groups   map[string]*group
	Expected int // number of explained differences
	samples  string
	binaries [2]string
}

type group struct {
	key     string
	count   int
	tried   int        // number of searches for a smaller sample
	sample  Difference // the difference with the smallest inputs
	results [2]*Result
}

// triesPerGroup is the maximum number of searches for a smaller sample.
const triesPerGroup = 4

// add counts a difference, and reports whether to search for a smaller sample.
func (l *Collector) add(d Difference, base, now *Result) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.groups == nil {
		l.groups = map[string]*group{}
	}
	key := d.Key()
	g := l.groups[key]
	if g == nil {
		g = &group{key: key}
		l.groups[key] = g
	}
	g.count++
	g.keep(d, base, now)
	g.tried++
	return g.tried <= triesPerGroup
}

// offer offers a smaller sample of a counted difference.
func (l *Collector) offer(d Difference, base, now *Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if g := l.groups[d.Key()]; g != nil {
		g.keep(d, base, now)
	}
}

func (g *group) keep(d Difference, base, now *Result) {
	if g.sample.Case == nil || d.Case.weight() < g.sample.Case.weight() {
		g.sample, g.results = d, [2]*Result{base, now}
	}
}

func (c *Case) weight() int {
	n := 0
	for _, f := range c.Inputs {
		n += len(f.Data) + 1000
	}
	return n
}

// Report returns the groups as text, the most frequent first, and their number. It keeps
// their samples.
func (l *Collector) Report() (string, int, error) {
	var text strings.Builder
	groups := slices.SortedFunc(maps.Values(l.groups), func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.count, a.count), strings.Compare(a.key, b.key))
	})
	for i, g := range groups {
		folder := filepath.Join(l.samples, fmt.Sprintf("%03d", i+1))
		if err := l.save(folder, g); err != nil {
			return "", 0, err
		}
		fmt.Fprintf(&text, "\n%s\n  %d times; sample (%s): %s\n", g.key, g.count, g.sample.Case.Form, filepath.Join(folder, "rerun.sh"))
		if g.sample.File != "" {
			fmt.Fprintf(&text, "  file %s\n", g.sample.File)
		}
		a, b := excerpt(g.sample.Base, g.sample.Now)
		fmt.Fprintf(&text, "  - %s\n  + %s\n", a, b)
	}
	return text.String(), len(groups), nil
}

// save writes a sample: its inputs, its command line for both binaries, and both results.
func (l *Collector) save(folder string, g *group) error {
	c := g.sample.Case
	if err := put(folder, c.Inputs); err != nil {
		return err
	}
	var script strings.Builder
	script.WriteString("#!/bin/sh\n# " + strings.ReplaceAll(g.key, "\n", " ") + "\n# An argument selects another pcat than the base.\n")
	script.WriteString("cd \"$(dirname \"$0\")\" || exit\nhere=$(mktemp -d ../../b/rerun.XXXXXX) || exit\ncp -r . \"$here\"\ncd \"$here\" && pwd >&2 || exit\n")
	script.WriteString("export TZ=UTC LANG=C.UTF-8 LC_ALL=C.UTF-8\nexec \"${1:-" + l.binaries[0] + "}\"")
	for _, a := range c.arguments(c.names()) {
		script.WriteString(" " + quote(a))
	}
	if c.Stdin {
		script.WriteString(" < " + quote(c.Inputs[0].Name))
	}
	script.WriteString("\n# the current one: " + l.binaries[1] + "\n")
	files := []Input{{"rerun.sh", []byte(script.String())}}
	for i, name := range []string{"base", "now"} {
		r := g.results[i]
		files = append(files, Input{name + ".stdout", r.Stdout}, Input{name + ".stderr", r.Stderr}, Input{name + ".exit", []byte(r.Exit + "\n")})
		if g.sample.File != "" {
			files = append(files, Input{name + ".file", r.Files[g.sample.File]})
		}
	}
	if err := put(folder, files); err != nil {
		return err
	}
	return os.Chmod(filepath.Join(folder, "rerun.sh"), 0o755)
}

func quote(arg string) string {
	if arg != "" && strings.Trim(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,:") == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// excerpt returns the surroundings of the first byte that differs.
func excerpt(a, b []byte) (x, y string) {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	from := max(0, n-60)
	if i := bytes.LastIndexByte(a[from:n], '\n'); i >= 0 {
		from += i + 1
	}
	cut := func(s []byte) string {
		s = s[from:min(len(s), n+120)]
		if i := bytes.IndexByte(s[n-from:], '\n'); i >= 0 {
			s = s[:n-from+i]
		}
		if len(s) == 0 {
			return "(nothing)"
		}
		return fmt.Sprintf("%q", s)
	}
	return cut(a), cut(b)
}
