package rule

import (
	"embed"
	"fmt"
	"strings"
)

// codeFiles contains the Puppet code of each rule: the fix after the line
// `# Fix`, the wrong code after `# Wrong`, and the right code after `# Right`.
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
		fix, code, hasWrong := strings.Cut(strings.TrimPrefix(string(text), "# Fix\n"), "\n# Wrong\n")
		wrong, right, hasRight := strings.Cut(code, "# Right\n")
		if !hasWrong || !hasRight {
			return fmt.Errorf("rule: the code for %q needs the lines `# Fix`, `# Wrong` and `# Right`", id)
		}
		r.Fix, r.Wrong, r.Right = fix, wrong, right
	}
	return nil
}
