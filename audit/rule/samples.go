package rule

import (
	"embed"
	"fmt"
	"strings"
)

// sampleFiles contains a file for each rule. Lines with the prefix `+` must be
// found, and lines with `-` must not. The test of package audit describes the
// format.
//
//go:embed samples/*.txt
var sampleFiles embed.FS

// attachSamples assigns the samples to their rules. A file without a rule is an error.
func (g *Registry) attachSamples() error {
	entries, err := sampleFiles.ReadDir("samples")
	if err != nil {
		return err
	}
	for _, e := range entries {
		id := strings.TrimSuffix(e.Name(), ".txt")
		r := g.byID[id]
		if r == nil {
			return fmt.Errorf("rule: there are samples for %q, but no such rule", id)
		}
		data, err := sampleFiles.ReadFile("samples/" + e.Name())
		if err != nil {
			return err
		}
		text := string(data)
		r.Catch = make([]string, 0, strings.Count(text, "\n+ ")+1) // growing them takes a part of the time to start
		r.Ignore = make([]string, 0, strings.Count(text, "\n- ")+1)
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case strings.HasPrefix(line, "+ "):
				r.Catch = append(r.Catch, line[2:])
			case strings.HasPrefix(line, "- "):
				r.Ignore = append(r.Ignore, line[2:])
			}
		}
	}
	return nil
}
