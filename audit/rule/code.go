package rule

import (
	"embed"
	"fmt"
	"strings"
)

// codeFiles contains the Puppet code of each rule: the wrong code after the
// line `# Wrong`, and the right code after the line `# Right`.
//
//go:embed code/*.pp
var codeFiles embed.FS

// attachCode assigns the code to its rules. A file without a rule is an error.
func (g *Registry) attachCode() error {
	entries, err := codeFiles.ReadDir("code")
	if err != nil {
		return err
	}
	for _, e := range entries {
		id := strings.TrimSuffix(e.Name(), ".pp")
		r := g.byID[id]
		if r == nil {
			return fmt.Errorf("rule: there is code for %q, but no such rule", id)
		}
		text, err := codeFiles.ReadFile("code/" + e.Name())
		if err != nil {
			return err
		}
		wrong, right, found := strings.Cut(strings.TrimPrefix(string(text), "# Wrong\n"), "# Right\n")
		if !found {
			return fmt.Errorf("rule: the code for %q has no line `# Right`", id)
		}
		r.Wrong, r.Right = wrong, right
	}
	return nil
}
