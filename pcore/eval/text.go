package eval

import (
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

func (s *Scope) concatenated(n *syntax.ConcatenatedString) (pcore.Value, error) {
	texts := make([]string, len(n.Segments))
	for i, segment := range n.Segments {
		v, err := s.evaluate(segment) // a String or TextExpression: a String
		if err != nil {
			return nil, err
		}
		if texts[i], err = s.run.textOf(v); err != nil {
			return nil, err
		}
		if err := s.run.reserve(len(texts[i])); err != nil {
			return nil, err
		}
	}
	return pcore.String(strings.Join(texts, "")), nil
}

// textExpression evaluates an interpolated expression. A bare word is the name
// of a variable.
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
	text, err := s.run.textOf(v)
	return pcore.String(text), err
}

// heredoc checks the text if its language is known. The parser has already
// checked a text without interpolation.
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
