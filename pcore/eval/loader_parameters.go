package eval

import (
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// Definition describes the parameters of a class or a defined type.
type Definition struct {
	// Kind is "class" or "define".
	Kind string
	// Name is the full name, in lower case.
	Name string
	// File is the path of the manifest, and Line the line of the definition.
	File string
	Line int
	// Parameters maps the names of the parameters to their types. A parameter
	// with a default is optional.
	Parameters *pcore.StructType
}

// Definition returns the parameters of the class or defined type with the given
// name, ignoring case. found is false if no module defines it. The error is
// about an unreadable or invalid manifest, or about a type in its parameter
// list.
func (l *Loader) Definition(name string) (d *Definition, found bool, err error) {
	name = strings.ToLower(strings.TrimPrefix(name, "::"))
	return l.heads.get(name, func() (*Definition, bool, error) {
		s, found, err := l.read("manifests", "init", name)
		if err != nil || !found {
			return nil, found, err
		}
		heads, err := l.syntax.ParseDefinitions(s.path, s.text)
		if err != nil {
			return nil, false, err
		}
		for _, head := range heads {
			if strings.ToLower(strings.TrimPrefix(head.Name, "::")) == name {
				d, err := l.takes(s, head)
				return d, err == nil, err
			}
		}
		return nil, false, nil
	})
}

// takes evaluates the types of the parameters.
func (l *Loader) takes(s moduleFile, head *syntax.Definition) (*Definition, error) {
	loc := syntax.NewLocator(s.path, s.text)
	elems := make([]pcore.StructElement, len(head.Parameters))
	for i, p := range head.Parameters {
		t, err := l.evaluator.parameterType(p.Type, loc)
		if err != nil {
			return nil, err
		}
		elems[i] = pcore.NewStructElement(p.Name, p.Default != nil, t)
	}
	parameters, err := pcore.NewStructType(elems...)
	if err != nil {
		return nil, failAt(loc, head, err)
	}
	line, _ := loc.Position(head.Pos())
	return &Definition{
		Kind: head.Kind, Name: strings.ToLower(head.Name), File: s.path, Line: line, Parameters: parameters,
	}, nil
}
