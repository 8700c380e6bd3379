package eval

import (
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function/rubytext"
	"github.com/pcatdev/pcat/pcore/syntax"
)

func (s *Scope) concatenated(n *syntax.ConcatenatedString) (pcore.Value, error) {
	var b []byte
	for _, segment := range n.Segments {
		v, err := s.evaluate(segment)
		if err != nil {
			return nil, err
		}
		before := len(b)
		b = appendText(b, v)
		if err := s.run.evaluator.env.Budget.Spend(len(b) - before); err != nil {
			return nil, err
		}
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
	return pcore.String(appendText(nil, v)), nil
}

func (s *Scope) heredoc(n *syntax.Heredoc) (pcore.Value, error) {
	v, err := s.evaluate(n.Text)
	if err != nil {
		return nil, err
	}
	text, ok := v.(pcore.String)
	if _, literal := n.Text.(*syntax.String); literal || !ok {
		return v, nil // checked when it was parsed
	}
	return v, syntax.CheckEmbedded(n.Syntax, string(text))
}

// appendText appends v as it stands in a string that it is interpolated into:
// undef is nothing, and strings within arrays and hashes are not quoted.
func appendText(b []byte, v pcore.Value) []byte {
	switch v := v.(type) {
	case *pcore.Array:
		b = append(b, '[')
		for i, e := range v.All() {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendText(b, e)
		}
		return append(b, ']')
	case *pcore.Hash:
		b = append(b, '{')
		first := true
		for k, e := range v.All() {
			if !first {
				b = append(b, ", "...)
			}
			first = false
			b = append(appendText(b, k), " => "...)
			b = appendText(b, e)
		}
		return append(b, '}')
	case *pcore.Regexp:
		return append(b, v.String()...)
	default:
		return append(b, rubytext.Text(v)...)
	}
}
