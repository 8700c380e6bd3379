package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// cluster is a set of differences with the same cause.
type cluster struct {
	Kind    string `json:"kind"`
	Cause   string `json:"cause"`
	Named   string `json:"named,omitempty"` // the difference in docs/puppet-differences.md
	Count   int    `json:"count"`
	Example string `json:"example"`
}

// maskers replace the parts of a message in which questions of one cause differ.
var maskers = []struct {
	pattern *regexp.Regexp
	by      string
}{
	{regexp.MustCompile(`\(line: .*$`), ""},
	{regexp.MustCompile(`at \$[^:]*:`), "at PATH:"},
	{regexp.MustCompile(`"(?:[^"\\]|\\.)*"`), "TEXT"},
	{regexp.MustCompile(`'(?:[^'\\]|\\.)*'`), "TEXT"},
	{regexp.MustCompile("`[^`]*`"), "TEXT"},
	{regexp.MustCompile(`\b[A-Z]\w*(?:::\w+)*(?:\[[^ ]*)?`), "X"},
	{regexp.MustCompile(`-?\b\d[\d.e+-]*`), "N"},
	{regexp.MustCompile(`[\[{(].*[\]})]`), "LIST"},
	{regexp.MustCompile(`\s+`), " "},
}

// cause returns the text of a difference without the parts of the question.
func cause(difference string) string {
	for _, m := range maskers {
		difference = m.pattern.ReplaceAllString(difference, m.by)
	}
	const longest = 120
	if len(difference) > longest {
		difference = difference[:longest]
	}
	return strings.TrimSpace(difference)
}

// asked returns the members of a question that are the question itself.
func asked(line []byte) string {
	var c map[string]json.RawMessage
	if err := json.Unmarshal(line, &c); err != nil {
		return string(line)
	}
	var parts []string
	for _, name := range members {
		if raw, ok := c[name]; ok {
			text := string(raw)
			var s string
			if json.Unmarshal(raw, &s) == nil {
				text = s
			}
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " | ")
}

// crashed reports whether Ruby itself failed: Puppet has no answer then.
func crashed(line []byte) bool {
	for _, sign := range [][]byte{[]byte("undefined method"), []byte("stack level too deep"), []byte("no implicit conversion"), []byte(`"class":"Timeout"`),
		[]byte("undefined local variable"), []byte("wrong number of arguments"), []byte("can't convert"), []byte("comparison of "), []byte("uninitialized constant"), []byte("cannot load such file")} {
		if bytes.Contains(line, sign) {
			return true
		}
	}
	return false
}

// naming is a named difference: its name, and a pattern of "kind: question: difference" and a line for each hash of the
// question.
type naming struct {
	name    string
	pattern *regexp.Regexp
}

// namings reads lines of a name and a pattern, separated by ": ".
func namings(path string) ([]naming, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []naming
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, pattern, ok := strings.Cut(line, ": ")
		if !ok {
			return nil, fmt.Errorf("%s: %q has no pattern", path, line)
		}
		re, err := regexp.Compile("(?s)" + pattern)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, naming{name, re})
	}
	return all, nil
}

// hashes returns each pair of braces in a question on a line of its own, without the content of inner pairs.
func hashes(question string) string {
	var lines strings.Builder
	open := []*strings.Builder{{}}
	for _, r := range question {
		inner := open[len(open)-1]
		switch {
		case r == '{':
			open = append(open, &strings.Builder{})
		case r == '}' && len(open) > 1:
			lines.WriteString("\n{" + inner.String() + "}")
			open = open[:len(open)-1]
			open[len(open)-1].WriteString("{}")
		case r == '\n':
			inner.WriteByte(' ')
		default:
			inner.WriteRune(r)
		}
	}
	return lines.String()
}

// clusters collects differences.
type clusters struct {
	named []naming
	all   map[[3]string]*cluster
}

// name returns the name of a difference of a question; it is empty without one.
func (c *clusters) name(kind, question, difference string) string {
	if names := c.names(kind, question, difference); len(names) > 0 {
		return names[0]
	}
	return ""
}

// names returns all names of a difference of a question; the first one counts.
func (c *clusters) names(kind, question, difference string) []string {
	text := kind + ": " + question + ": " + difference + "\nhashes:" + hashes(question)
	var names []string
	for _, n := range c.named {
		if n.pattern.MatchString(text) {
			names = append(names, n.name)
		}
	}
	return names
}

// add adds a difference of a question.
func (c *clusters) add(kind, name, question, difference string) {
	key := [3]string{kind, name, cause(difference)}
	if name != "" {
		key[0], key[2] = "", ""
	}
	known := c.all[key]
	if known == nil {
		const longest = 400
		example := question + "\n" + difference
		if len(example) > longest {
			example = strings.ToValidUTF8(example[:longest], "")
		}
		known = &cluster{Kind: kind, Cause: key[2], Named: name, Example: example}
		c.all[key] = known
	}
	known.Count++
}

// sorted returns the clusters, the largest first.
func (c *clusters) sorted() []*cluster {
	var all []*cluster
	for _, x := range c.all {
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b *cluster) int {
		return max(-1, min(1, (b.Count-a.Count)*4+strings.Compare(a.Kind+a.Cause+a.Named, b.Kind+b.Cause+b.Named)))
	})
	return all
}
