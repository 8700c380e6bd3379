package main

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Case is one command line on some inputs.
type Case struct {
	Command string // as "redact"
	Mode    string // the flags, without the names of the inputs
	Form    string // of the inputs
	Args    []string
	Inputs  []Input
	Stdin   bool // the only input is given as standard input
	Writes  bool // files are written: inputs are copied to a folder of their own
	Alone   bool // each input needs a process of its own
}

// Input is an input file.
type Input struct {
	Name string
	Data []byte
}

// Result contains all output of a process.
type Result struct {
	Stdout, Stderr []byte
	Exit           string            // the exit code, or how the process ended otherwise
	Files          map[string][]byte // contents of written files, each after a line of its permissions
}

// Difference is a stream in which two results differ.
type Difference struct {
	Case      *Case
	Stream    string // stdout, stderr, exit or files
	File      string // of files: which
	Base, Now []byte // after the expected changes
}

// Compare returns the differences that no reason explains; expected counts the others. It is safe for
// concurrent use.
func Compare(c *Case, base, now *Result, reasons *Reasons) (unknown []Difference, expected int) {
	stream := func(name, file string, a, b []byte) {
		if bytes.Equal(a, b) {
			return
		}
		x, y, explained := reasons.Explain(c, name, a, b)
		if explained {
			expected++
			return
		}
		unknown = append(unknown, Difference{Case: c, Stream: name, File: file, Base: x, Now: y})
	}
	stream("stdout", "", base.Stdout, now.Stdout)
	stream("stderr", "", base.Stderr, now.Stderr)
	stream("exit", "", []byte(base.Exit), []byte(now.Exit))
	names := map[string]bool{}
	for name := range base.Files {
		names[name] = true
	}
	for name := range now.Files {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		stream("files", name, base.Files[name], now.Files[name])
	}
	return unknown, expected
}

// Key names the group of a difference. Differences of messages have a group for each pair
// of messages, without the names and numbers in them.
func (d *Difference) Key() string {
	key := d.Case.Command + " | " + d.Case.Mode + " | " + d.Stream
	switch d.Stream {
	case "stderr":
		a, b := firstDifference(d.Base, d.Now)
		return d.Case.Command + " | stderr | " + shape(a) + " -> " + shape(b)
	case "exit":
		return key + " | " + string(d.Base) + " -> " + string(d.Now)
	}
	return key
}

// firstDifference returns the first lines that differ; nil for a line that is missing.
func firstDifference(a, b []byte) (x, y []byte) {
	for {
		if len(a) == 0 || len(b) == 0 {
			return line(a), line(b)
		}
		x, y := line(a), line(b)
		if !bytes.Equal(x, y) {
			return x, y
		}
		a, b = a[min(len(x)+1, len(a)):], b[min(len(y)+1, len(b)):]
	}
}

func line(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i]
	}
	return b
}

var (
	fileNames = regexp.MustCompile(`\S*\.(json|msgpack|yaml|gz|zst)\b`)
	quoted    = regexp.MustCompile(`"[^"]*"|'[^']*'|\[[^\]]*\]`)
	digits    = regexp.MustCompile(`[0-9]+`)
	locations = regexp.MustCompile(`[A-Z][A-Za-z:]*Q(/[^ :]*)*`) // resources, once the title is Q, and paths in them
)

func shape(line []byte) string {
	s := string(line[:min(len(line), 400)])
	s = fileNames.ReplaceAllString(s, "FILE")
	s = quoted.ReplaceAllString(s, "Q")
	s = locations.ReplaceAllString(s, "PLACE")
	s = digits.ReplaceAllString(s, "N")
	return strings.ToValidUTF8(s[:min(len(s), 160)], "?")
}
