package eval

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/jump"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// output collects the text of a template.
type output struct {
	text   []byte
	secret bool // a Sensitive was written
}

func (s *Scope) renderString(n *syntax.RenderString) (pcore.Value, error) {
	if s.output == nil {
		return nil, errors.New("text of a template outside of one")
	}
	return pcore.Undef{}, s.write(n.Text)
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
	text, err := s.run.textOf(v)
	if err != nil {
		return nil, err
	}
	return pcore.Undef{}, s.write(text)
}

// write appends text to the template's output.
func (s *Scope) write(text string) error {
	if err := s.run.spend(len(text)); err != nil {
		return err
	}
	b := s.output.text
	if room := cap(b) - len(b); room < len(text) {
		grown := max(2*cap(b), len(b)+len(text))
		if err := s.run.env.Memory.Hold(int64(grown)); err != nil {
			return err
		}
		b = slices.Grow(b, grown-len(b))
	}
	s.output.text = append(b, text...)
	return nil
}

// inlineName is the name of a template without a file, in errors.
const inlineName = "inlined-epp-text"

// template implements epp and inline_epp. A template from a file sees only the
// variables of the top scope.
func (e *Evaluator) template(c *function.Call, name, text string, parameters *pcore.Hash) (pcore.Value, error) {
	var scope *Scope
	if r, ok := c.Variables.(*run); ok {
		scope = r.caller.scope
	} else {
		scope = e.Scope(c.Context())
	}
	file := name
	if name == "" {
		file = inlineName
	} else {
		scope = scope.top()
	}
	const tree = 16 // the parsed template is larger than its text
	if err := c.Hold(tree * int64(len(text))); err != nil {
		return nil, err
	}
	if err := scope.run.spend(len(text)); err != nil {
		return nil, err
	}
	t, err := e.parse(file, text)
	if err != nil {
		return nil, fmt.Errorf("invalid EPP: %w", err)
	}
	return scope.template(t, parameters)
}

func (s *Scope) template(t *syntax.EPP, parameters *pcore.Hash) (pcore.Value, error) {
	inner := s.inner()
	inner.source = t.Locator
	inner.output = &output{}
	s.run.warnings(t.Warnings)
	if err := inner.takeParameters(t, parameters); err != nil {
		return nil, err
	}
	for _, n := range t.Body.Statements {
		switch n.(type) {
		case *syntax.FunctionDefinition, *syntax.TypeAlias, *syntax.TypeMapping:
			return nil, inner.failf(n, errDefinition, "a template has no functions or types of its own")
		}
	}
	if _, err := inner.evaluate(t.Body); err != nil {
		return left(err)
	}
	if err := s.run.env.Memory.Hold(int64(len(inner.output.text))); err != nil {
		return nil, err
	}
	var result pcore.Value = pcore.String(inner.output.text)
	if inner.output.secret {
		result = pcore.NewSensitive(result)
	}
	return result, nil
}

// left returns the value of a return or next that ended a template. As in the
// reference, only the value of next must be a text. left returns any other error
// unchanged.
func left(err error) (pcore.Value, error) {
	j, ok := errors.AsType[*jump.Jump](err)
	switch {
	case !ok || j.Kind == jump.Break:
		return nil, err
	case j.Kind == jump.Next && !isText(j.Value):
		return nil, fmt.Errorf("a template is a text: next() cannot make it a value of the type %s", typeName(j.Value))
	default:
		return j.Value, nil
	}
}

// isText reports whether v is a String or a Sensitive String.
func isText(v pcore.Value) bool {
	if s, ok := v.(*pcore.Sensitive); ok {
		v = s.Reveal() //nolint:forbidigo // only its kind is used
	}
	return pcore.Is[pcore.String](v)
}

// Parameters returns the parameters that t declares. Their types are evaluated in
// s; a parameter without a type is of the type Any.
func (e *Evaluator) Parameters(s *Scope, t *Template) ([]function.Param, error) {
	params := make([]function.Param, len(t.parsed.Parameters))
	for i, p := range t.parsed.Parameters {
		typ, err := s.typeOf(p.Type)
		if err != nil {
			return nil, s.run.ended(err)
		}
		params[i] = function.Param{Name: p.Name, Type: typ, Optional: p.Default != nil}
	}
	return params, nil
}

// takeParameters sets the parameters. If the template declares none, every given
// parameter becomes a variable.
func (s *Scope) takeParameters(t *syntax.EPP, given *pcore.Hash) error {
	for k, v := range given.All() {
		name, ok := k.(pcore.String)
		if !ok || !isParameterName(string(name)) {
			return fmt.Errorf("%w: %s is no name of a parameter", errParameter, k)
		}
		if err := settable(string(name)); err != nil {
			return err
		}
		if !t.ParametersGiven || !pcore.Is[pcore.Undef](v) {
			s.bind(string(name), v)
		}
	}
	if !t.ParametersGiven {
		return nil
	}
	if err := s.defaults(t.Parameters, given); err != nil {
		return err
	}
	return s.checkParameters(t.Parameters)
}

func isParameterName(name string) bool {
	for _, c := range name {
		if c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return name != ""
}

// defaults sets the parameters that are missing or undef. A default can refer to
// parameters that have a value.
func (s *Scope) defaults(params []*syntax.Parameter, given *pcore.Hash) error {
	unset := slices.DeleteFunc(slices.Clone(params), func(p *syntax.Parameter) bool {
		_, ok := s.vars[p.Name]
		return ok
	})
	for i, p := range unset {
		if err := settable(p.Name); err != nil {
			return s.at(p, err)
		}
		if p.Default == nil {
			if v, ok := given.GetString(p.Name); ok {
				s.bind(p.Name, v)
			}
			continue
		}
		s.unset = unset[i:]
		v, err := s.guarded(p.Default)
		s.unset = nil
		if err != nil {
			return err
		}
		s.bind(p.Name, v)
	}
	return nil
}

// typeForCall checks a Deferred, the value of a parameter of type t, by the type that its
// function returns, and returns a type that accepts the Deferred itself.
func (s *Scope) typeForCall(parameter string, t pcore.Type, d *pcore.Deferred) (pcore.Type, error) {
	f, ok := s.run.Function(d.Name())
	if !ok {
		return nil, fmt.Errorf("%w: %s: unknown function: %s", errParameter, parameter, d.Name())
	}
	var args []pcore.Value
	if d.Arguments() != nil {
		args = slices.Collect(d.Arguments().Values())
	}
	signatures := f.Signatures()
	i := slices.IndexFunc(signatures, func(sig *function.Signature) bool { return f.Convert != nil || sig.Accepts(args, nil) })
	if i < 0 {
		return nil, fmt.Errorf("%w: %s: %s does not accept these arguments", errParameter, parameter, d.Name())
	}
	switch returned := signatures[i].Return; {
	case returned == nil:
		s.run.warnOnce(d.Name(), "Deferred function "+d.Name()+" has no return_type, unable to guarantee value type during compilation.\n   (file & line not available)")
	case !pcore.Accepts(pcore.Generalize(t), pcore.Generalize(returned)):
		return nil, fmt.Errorf("%w: %s expects a value of the type %s, but %s returns %s", errParameter, parameter, t, d.Name(), returned)
	}
	return pcore.AnyType{}, nil
}

// checkParameters checks the variables of s, which are the parameters, against
// their declarations.
func (s *Scope) checkParameters(params []*syntax.Parameter) error {
	elems := make([]pcore.StructElement, len(params))
	for i, p := range params {
		t, err := s.typeOf(p.Type)
		if err != nil {
			return err
		}
		if d, ok := s.vars[p.Name].(*pcore.Deferred); ok {
			if t, err = s.typeForCall(p.Name, t, d); err != nil {
				return err
			}
		}
		elems[i] = pcore.NewStructElement(p.Name, p.Default != nil, t)
	}
	declared, err := pcore.NewStructType(elems...)
	if err != nil {
		return err
	}
	b := pcore.NewHashBuilder(len(s.vars))
	for _, name := range slices.Sorted(maps.Keys(s.vars)) {
		b.SetString(name, s.vars[name])
	}
	if err := pcore.ValidateParameters("template", declared, b.Hash(), false); err != nil {
		return fmt.Errorf("%w: %w", errParameter, err)
	}
	return nil
}
