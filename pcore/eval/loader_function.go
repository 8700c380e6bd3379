package eval

import (
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// Function implements [function.Finder]. A function whose file is unreadable or
// invalid is found as well: each call of it returns the error.
func (l *Loader) Function(name string) (*function.Function, bool) {
	if l.around != nil {
		if f, ok := l.around.Function(name); ok {
			return f, true
		}
	}
	f, found, err := l.functions.get(name, func() (*function.Function, bool, error) {
		s, found, err := l.read("functions", "", name)
		if err != nil || !found {
			return nil, found, err
		}
		n, loc, err := onlyStatement(l, s, name, func(n *syntax.FunctionDefinition) string { return n.Name })
		if err != nil {
			return nil, false, err
		}
		f := l.evaluator.declared(n, loc)
		f.Doc = comment(s.text[:n.Pos()])
		return f, true, nil
	})
	if err != nil {
		return failing(name, err), true
	}
	return f, found
}

// failing returns a function whose calls return err.
func failing(name string, err error) *function.Function {
	return &function.Function{Name: name, HandlesSensitive: true, Dispatches: []function.Dispatch{{
		Signature: &function.Signature{Params: []function.Param{{
			Name: "arguments", Type: pcore.AnyType{}, Optional: true, Repeated: true,
		}}},
		Call: func(*function.Call, []pcore.Value) (pcore.Value, error) { return nil, err },
	}}}
}

// comment returns the comment at the end of text, without its tags.
func comment(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line, isComment := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !isComment {
			lines = nil
			continue
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	doc, _, _ := strings.Cut(strings.Join(lines, "\n"), "\n@")
	if strings.HasPrefix(doc, "@") {
		return ""
	}
	return strings.TrimSpace(doc)
}
