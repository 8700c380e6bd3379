package rule

import (
	"embed"
	"fmt"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
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
		r.fix, r.Wrong, r.Right = fix, wrong, right
	}
	return nil
}

// Fix returns the change to a resource or class in one line of Puppet code, such as
// `password => Sensitive(lookup('profile::app::password'))`. typ and title name the
// resource, and parameter the parameter with the finding; whole indicates that the
// finding is about all of its value, not about a part of a collection. Keys of Hiera
// and values are examples. Fix returns "" for custom rules, and if there is no such
// parameter in the Puppet language.
func (r *Rule) Fix(typ, title, parameter string, whole bool) string {
	code := r.fix
	value, assigns := strings.CutPrefix(code, "PARAMETER => ")
	if strings.Contains(code, "PARAMETER") && !parameterName.Get().MatchString(parameter) ||
		strings.Contains(code, "TYPE") && !typeName.Get().MatchString(typ) {
		return ""
	}
	if typ == "Class" && assigns && strings.HasPrefix(value, "Sensitive(") && typeName.Get().MatchString(title) {
		secret := "Sensitive"
		if whole {
			secret = "Sensitive[String]"
		}
		return "class " + strings.ToLower(title) + " (" + secret + " $" + parameter + ")"
	}
	if !strings.HasPrefix(code, "TYPE <<|") { // a collector names the type, a declaration has it in lower case
		typ = strings.ToLower(typ)
	}
	return strings.NewReplacer("PARAMETER", parameter, "TYPE", typ).Replace(code)
}

var (
	parameterName = lazyregexp.New(`^[a-z][a-z0-9_]*$`)
	typeName      = lazyregexp.New(`^[A-Z][A-Za-z0-9_]*(::[A-Z][A-Za-z0-9_]*)*$`)
)
