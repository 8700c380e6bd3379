package eval

import (
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/rubytext"
	"github.com/pcatdev/pcat/pcore/syntax"
)

func (s *Scope) concatenated(n *syntax.ConcatenatedString) (pcore.Value, error) {
	var b []byte
	for _, segment := range n.Segments {
		v, err := s.evaluate(segment) // a String or TextExpression: a String
		if err != nil {
			return nil, err
		}
		text := rubytext.Interpolate(v)
		if err := s.run.spend(len(text)); err != nil {
			return nil, err
		}
		b = append(b, text...)
	}
	return pcore.String(b), nil
}

// textExpression takes a bare word for the name of a variable.
func (s *Scope) textExpression(n *syntax.TextExpression) (pcore.Value, error) {
	var v pcore.Value
	var err error
	if name, ok := n.Expr.(*syntax.QualifiedName); ok {
		v, err = s.variable(name, name.Name)
	} else {
		v, err = s.evaluate(n.Expr)
	}
	if err != nil {
		return nil, err
	}
	return pcore.String(rubytext.Interpolate(v)), nil
}

// heredoc checks the text when it is in a language that is known. One without
// interpolation was checked when it was parsed.
func (s *Scope) heredoc(n *syntax.Heredoc) (pcore.Value, error) {
	v, err := s.evaluate(n.Text)
	if err != nil {
		return nil, err
	}
	text, ok := v.(pcore.String)
	if _, literal := n.Text.(*syntax.String); literal || !ok {
		return v, nil
	}
	if err := s.run.looked(len(text)); err != nil {
		return nil, err
	}
	return v, syntax.CheckEmbedded(n.Syntax, string(text))
}
