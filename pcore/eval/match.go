package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// matches reports whether v matches pattern as an option of a case. A matching
// regular expression sets the match variables, even inside arrays and hashes.
func (s *Scope) matches(pattern, v pcore.Value) (bool, error) {
	switch p := pattern.(type) {
	case *pcore.Regexp:
		text, ok := v.(pcore.String)
		if !ok {
			return false, nil
		}
		return s.find(p, string(text))
	case *pcore.Array:
		a, ok := v.(*pcore.Array)
		if !ok || a.Len() != p.Len() {
			return false, nil
		}
		for i, e := range p.All() {
			if ok, err := s.matches(e, a.At(i)); !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	case *pcore.Hash:
		h, ok := v.(*pcore.Hash)
		if !ok {
			return false, nil
		}
		for k, e := range p.All() {
			of, found := h.Get(k)
			if !found {
				of = pcore.Undef{}
			}
			if ok, err := s.matches(e, of); !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	default:
		return pcore.Match(pattern, v), nil
	}
}

// find reports whether r matches text. If so, it sets the match variables.
func (s *Scope) find(r *pcore.Regexp, text string) (bool, error) {
	at, err := r.FindSubmatchIndex(text)
	if err != nil || at == nil {
		return false, err
	}
	groups := make([]pcore.Value, len(at)/2)
	for i := range groups {
		groups[i] = pcore.Undef{}
		if at[2*i] >= 0 {
			groups[i] = pcore.String(text[at[2*i]:at[2*i+1]])
		}
	}
	s.match = groups
	return true, nil
}

// matchOperator evaluates left =~ right.
func (s *Scope) matchOperator(n *syntax.Binary, left, right pcore.Value) (bool, error) {
	switch p := right.(type) {
	case pcore.Type:
		return pcore.Contains(p, left), nil
	case *pcore.SemVerRange:
		return pcore.Match(p, left), nil
	default:
	}
	r, err := asRegexp(right)
	if err != nil {
		return false, s.at(n.Right, err)
	}
	text, ok := left.(pcore.String)
	switch {
	case ok:
	case s.run.evaluator.mode.LaxUndef && pcore.Is[pcore.Undef](left):
		return false, nil
	default:
		return false, s.failf(n.Left, ErrOperand, "the left side of a match must be a String, not %s", typeName(left))
	}
	return s.find(r, string(text))
}

func asRegexp(v pcore.Value) (*pcore.Regexp, error) {
	switch v := v.(type) {
	case *pcore.Regexp:
		return v, nil
	case pcore.String:
		return pcore.ParseRegexp(string(v))
	default:
		return nil, fmt.Errorf("%w: a match needs a Regexp or a String on its right side, not %s", ErrOperand, typeName(v))
	}
}

// in evaluates left in right.
func (s *Scope) in(left, right pcore.Value) (bool, error) {
	switch right := right.(type) {
	case pcore.String:
		switch left := left.(type) {
		case pcore.String:
			return strings.Contains(rubytext.Downcase(string(right)), rubytext.Downcase(string(left))), nil
		case *pcore.Regexp:
			return s.find(left, string(right))
		default:
		}
	case pcore.Binary:
		return inBinary(left, right), nil
	case *pcore.Array:
		return s.inArray(left, right)
	case *pcore.Hash:
		return s.inArray(left, pcore.NewArray(slices.Collect(right.Keys())...))
	case *pcore.SemVerRange:
		return pcore.Match(right, left), nil
	default:
	}
	return false, nil
}

func inBinary(left pcore.Value, right pcore.Binary) bool {
	switch left := left.(type) {
	case pcore.Binary:
		return strings.Contains(right.Raw(), left.Raw())
	case pcore.String:
		return strings.Contains(right.Raw(), string(left))
	case pcore.Integer:
		return left >= 0 && left <= 255 && strings.IndexByte(right.Raw(), byte(left)) >= 0
	case pcore.Float:
		return left == pcore.Float(byte(left)) && inBinary(pcore.Integer(left), right)
	default:
		return false
	}
}

func (s *Scope) inArray(left pcore.Value, right *pcore.Array) (bool, error) {
	for e := range right.Values() {
		ok, err := s.isElement(left, e)
		if ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

func (s *Scope) isElement(left, e pcore.Value) (bool, error) {
	switch left := left.(type) {
	case *pcore.Regexp:
		text, ok := e.(pcore.String)
		if !ok {
			return false, nil
		}
		return s.find(left, string(text))
	case pcore.String, *pcore.SemVer:
		return s.matches(e, left)
	case pcore.Type:
		return pcore.Contains(left, e), nil
	default:
		return pcore.Equal(e, left), nil
	}
}
