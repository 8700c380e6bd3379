package eval

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/syntax"
)

// output collects what a template writes.
type output struct {
	text   []byte
	secret bool // a Sensitive was written
}

func (s *Scope) renderString(n *syntax.RenderString) (pcore.Value, error) {
	if s.output == nil {
		return nil, errors.New("text of a template outside of one")
	}
	s.output.text = append(s.output.text, n.Text...)
	return pcore.Undef{}, s.run.evaluator.env.Budget.Spend(len(n.Text))
}

func (s *Scope) render(n *syntax.Render) (pcore.Value, error) {
	v, err := s.evaluate(n.Expr)
	if err != nil {
		return nil, err
	}
	if s.output == nil {
		return nil, errors.New("a tag of a template outside of one")
	}
	if secret, ok := v.(*pcore.Sensitive); ok {
		v = secret.Reveal() //nolint:forbidigo // the whole text becomes a secret
		s.output.secret = true
	}
	before := len(s.output.text)
	s.output.text = appendText(s.output.text, v)
	return pcore.Undef{}, s.run.evaluator.env.Budget.Spend(len(s.output.text) - before)
}

// inlineName is what errors call a template that has no file.
const inlineName = "inlined-epp-text"

// template evaluates an EPP template, behind the functions epp and inline_epp.
// One from a file sees the variables of the top scope only.
func (e *Evaluator) template(c *function.Call, name, text string, parameters *pcore.Hash) (pcore.Value, error) {
	scope, ok := c.Variables.(*Scope)
	if !ok {
		scope = e.Scope(c.Context())
	}
	file := name
	if name == "" {
		file = inlineName
	} else {
		scope = scope.top()
	}
	t, err := syntax.Config{Lax: e.mode.LaxNumbers}.ParseEPP(file, text)
	if err != nil {
		return nil, fmt.Errorf("invalid EPP: %w", err)
	}
	return scope.template(t, parameters)
}

// Template evaluates t with the given parameters; nil means that none were
// given, which a template without a list of parameters tells from an empty
// Hash: it sees the variables of s in both cases. The result is a String, or a
// Sensitive with one when something Sensitive was written.
func (e *Evaluator) Template(s *Scope, t *syntax.EPP, parameters *pcore.Hash) (pcore.Value, error) {
	return s.template(t, parameters)
}

func (s *Scope) template(t *syntax.EPP, parameters *pcore.Hash) (pcore.Value, error) {
	inner := s.inner()
	inner.source = t.Locator
	inner.output = &output{}
	given, err := inner.takeParameters(parameters)
	if err != nil {
		return nil, err
	}
	if t.ParametersGiven {
		err = inner.bindTemplate(t, given)
	} else {
		for k, v := range given.All() {
			inner.bind(string(k.(pcore.String)), v)
		}
	}
	if err != nil {
		return nil, err
	}
	for _, n := range t.Body.Statements {
		switch n.(type) {
		case *syntax.FunctionDefinition, *syntax.TypeAlias, *syntax.TypeMapping:
			return nil, inner.at(n, errors.New("a template cannot define functions or types"))
		}
	}
	if _, err := inner.evaluate(t.Body); err != nil {
		return nil, err
	}
	var result pcore.Value = pcore.String(inner.output.text)
	if inner.output.secret {
		result = pcore.NewSensitive(result)
	}
	return result, nil
}

var parameterName = regexp.MustCompile(`^\w+$`)

// takeParameters checks the names of parameters.
func (s *Scope) takeParameters(parameters *pcore.Hash) (*pcore.Hash, error) {
	for k := range parameters.All() {
		name, ok := k.(pcore.String)
		if !ok || !parameterName.MatchString(strings.TrimPrefix(string(name), "::")) {
			return nil, fmt.Errorf("%s is no name of a parameter", k)
		}
	}
	if parameters == nil {
		return &pcore.Hash{}, nil
	}
	return parameters, nil
}

// bindTemplate gives the declared parameters their values. One that is given
// as undef takes its default.
func (s *Scope) bindTemplate(t *syntax.EPP, given *pcore.Hash) error {
	declared := make(map[string]bool, len(t.Parameters))
	s.pending = make(map[string]bool, len(t.Parameters))
	for _, p := range t.Parameters {
		declared[p.Name], s.pending[p.Name] = true, true
	}
	for k := range given.All() {
		if name := string(k.(pcore.String)); !declared[name] {
			return fmt.Errorf("the template has no parameter named '%s'", name)
		}
	}
	for _, p := range t.Parameters {
		v, err := s.templateParameter(p, given)
		if err != nil {
			return err
		}
		delete(s.pending, p.Name)
		s.bind(p.Name, v)
	}
	s.pending = nil
	return nil
}

func (s *Scope) templateParameter(p *syntax.Parameter, given *pcore.Hash) (pcore.Value, error) {
	v, ok := given.GetString(p.Name)
	if p.Default != nil && (!ok || v.Kind() == pcore.KindUndef) {
		var err error
		if v, err = s.evaluate(p.Default); err != nil {
			return nil, err
		}
	} else if !ok {
		return nil, s.at(p, fmt.Errorf("expects a value for parameter '%s'", p.Name))
	}
	declared, err := s.typeOf(p.Type)
	if err != nil {
		return nil, err
	}
	if !pcore.Contains(declared, v) {
		return nil, s.at(p, fmt.Errorf("parameter '%s' %w", p.Name, mismatch(declared, v)))
	}
	return v, nil
}
