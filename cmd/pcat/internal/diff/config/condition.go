package config

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/catalog/diff"
	"github.com/pcatdev/pcat/internal/nearest"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
)

// Variables returns the names, without `$`, of the variables that describe a change to a
// [Condition], in the order of the help text.
func Variables() []string {
	return []string{"op", "kind", "type", "title", "path", "old", "new", "lines", "tags", "node", "container", "file", "rank"}
}

// Evaluators returns an evaluator for one evaluation. It must be safe for concurrent use,
// and should limit the work of an evaluation.
type Evaluators func() *eval.Evaluator

// Condition is an expression of the Puppet language about a change. It is true, or false or
// undef. It can use the variables that [Variables] returns: `$path` is a JSON pointer, and
// `$lines` are those of [diff.Subject.Lines]. Unknown properties are undef. It is safe for
// concurrent use.
type Condition struct {
	evaluators Evaluators
	program    *eval.Program
	used       []string
}

// NewCondition parses an expression. name identifies the text in errors. The error is an
// [eval.ErrSyntax], or about an unknown variable.
func NewCondition(evaluators Evaluators, name, text string) (*Condition, error) {
	p, err := eval.Parse(name, text)
	if err != nil {
		return nil, err
	}
	used, err := variables(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Condition{evaluators, p, used}, nil
}

// variables returns the variables that a program uses, of the ones that describe a change.
// The error is about one that nothing defines.
func variables(p *eval.Program) ([]string, error) {
	vars, known := p.Variables(), Variables()
	for _, name := range vars.Used {
		if !slices.Contains(vars.Defined, name) && !slices.Contains(known, name) && strings.Trim(name, "0123456789") != "" {
			return nil, fmt.Errorf("unknown variable $%s%s", name, nearest.DidYouMean(name, slices.Values(known)))
		}
	}
	if vars.Dynamic {
		return known, nil
	}
	return slices.DeleteFunc(known, func(name string) bool { return !slices.Contains(vars.Used, name) }), nil
}

// Holds implements [diff.Condition].
func (c *Condition) Holds(ctx context.Context, s *diff.Subject) (bool, error) {
	e := c.evaluators()
	scope := e.Scope(ctx)
	for _, name := range c.used {
		if err := scope.Set(name, variable(s, name)); err != nil {
			return eval.Condition(nil, err)
		}
	}
	return eval.Condition(e.Program(scope, c.program))
}

// variable returns the value of a variable.
func variable(s *diff.Subject, name string) pcore.Value {
	switch name {
	case "op":
		return pcore.String(s.Op)
	case "kind":
		return pcore.String(s.Kind)
	case "type":
		return textOrUndef(s.Ref.Type)
	case "title":
		return textOrUndef(s.Ref.Title)
	case "path":
		return pcore.String(s.Path)
	case "old":
		return valueOrUndef(s.Old)
	case "new":
		return valueOrUndef(s.New)
	case "lines":
		return texts(s.Lines())
	case "tags":
		return texts(s.Tags)
	case "node":
		return textOrUndef(s.Node)
	case "container":
		if s.Container == (catalog.Ref{}) {
			return pcore.Undef{}
		}
		return pcore.String(s.Container.String())
	case "file":
		return textOrUndef(s.File)
	default:
		return pcore.String(s.Rank.String())
	}
}

func valueOrUndef(v pcore.Value) pcore.Value {
	if v == nil {
		return pcore.Undef{}
	}
	return v
}

func textOrUndef(text string) pcore.Value {
	if text == "" {
		return pcore.Undef{}
	}
	return pcore.String(text)
}

func texts(all []string) *pcore.Array {
	elems := make([]pcore.Value, len(all))
	for i, text := range all {
		elems[i] = pcore.String(text)
	}
	return pcore.NewArray(elems...)
}
