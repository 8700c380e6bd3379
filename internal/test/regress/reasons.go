package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
)

// Reasons are the differences that are intended.
type Reasons struct{ all []*reason }

// reason is one intended change.
type reason struct {
	line                  int
	text                  string
	command, mode, stream *regexp.Regexp // nil for any
	match                 *regexp.Regexp // nil when any difference is intended
	becomes               []byte
	both                  bool // the replacement is made in both results
	used                  atomic.Bool
}

// parseReasons reads a list of intended differences: blocks of lines "key: value",
// separated by blank lines. Lines that start with # are comments. The keys of a block are
//
//	reason   why the difference is intended (required)
//	command  the command, mode and stream (stdout, stderr, exit or files) to which it applies; * matches
//	mode     any text, and a missing key matches all
//	stream
//	match    a regular expression for text of the base, (?m) included
//	becomes  its replacement, with $1 for groups and \n for new lines
//	sides    "both" makes the replacement in both results, for text that differs in each run
//
// Without match, any difference within the scope is intended. Replacements are made in the
// order of the blocks, and only in streams that differ.
func parseReasons(r io.Reader) (*Reasons, error) {
	all := &Reasons{}
	var block *reason
	fields := map[string]bool{}
	end := func() error {
		if block == nil {
			return nil
		}
		switch {
		case block.text == "":
			return fmt.Errorf("line %d: missing reason", block.line)
		case block.match == nil && (fields["becomes"] || fields["sides"]):
			return fmt.Errorf("line %d: becomes and sides need a match", block.line)
		}
		all.all = append(all.all, block)
		block = nil
		clear(fields)
		return nil
	}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(text, "#") {
			continue
		}
		if text == "" {
			if err := end(); err != nil {
				return nil, err
			}
			continue
		}
		if block == nil {
			block = &reason{line: n}
		}
		key, value, _ := strings.Cut(text, ":")
		value = strings.TrimSpace(value)
		if fields[key] {
			return nil, fmt.Errorf("line %d: duplicate key %s; separate blocks by blank lines", n, key)
		}
		fields[key] = true
		var err error
		switch key {
		case "reason":
			block.text = value
		case "command":
			block.command = wildcard(value)
		case "mode":
			block.mode = wildcard(value)
		case "stream":
			block.stream = wildcard(value)
		case "match":
			block.match, err = regexp.Compile("(?m)" + value)
		case "becomes":
			block.becomes = []byte(strings.ReplaceAll(value, `\n`, "\n"))
		case "sides":
			block.both = value == "both"
			if !block.both {
				err = fmt.Errorf("sides: the only value is %q", "both")
			}
		default:
			err = fmt.Errorf("unknown key %q", key)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return all, end()
}

func wildcard(pattern string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$")
}

func (r *reason) covers(c *Case, stream string) bool {
	fits := func(p *regexp.Regexp, s string) bool { return p == nil || p.MatchString(s) }
	return fits(r.command, c.Command) && fits(r.mode, c.Mode) && fits(r.stream, stream)
}

// Explain applies the intended changes to two different texts, and reports whether they are
// equal then.
func (rs *Reasons) Explain(c *Case, stream string, base, now []byte) (x, y []byte, explained bool) {
	for _, r := range rs.all {
		if !r.covers(c, stream) {
			continue
		}
		if r.match == nil {
			r.used.Store(true)
			return base, now, true
		}
		if r.match.Match(base) {
			r.used.Store(true)
			base = r.match.ReplaceAll(base, r.becomes)
		}
		if r.both {
			now = r.match.ReplaceAll(now, r.becomes)
		}
		if bytes.Equal(base, now) {
			return base, now, true
		}
	}
	return base, now, false
}

// Unused returns the reasons that were not needed, with their lines.
func (rs *Reasons) Unused() []string {
	var all []string
	for _, r := range rs.all {
		if !r.used.Load() {
			all = append(all, fmt.Sprintf("line %d: %s", r.line, r.text))
		}
	}
	return all
}

// reasonsFile returns the path of the list of intended differences.
func reasonsFile(root string) string {
	return filepath.Join(root, "internal", "test", "regress", "testdata", "expected.txt")
}
