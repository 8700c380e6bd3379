package hiera

import (
	"github.com/pcatdev/pcat/pcore"
)

// strategy is how the values of several levels become one.
type strategy struct {
	name    string      // the name in explanations
	options *pcore.Hash // with the name of the strategy; empty for none
	merge   func(s *strategy, inv *invocation, high, low pcore.Value) (pcore.Value, error)
	// convert changes the first of several values, single one that was searched for in one
	// level only. Both can be nil.
	convert, single func(inv *invocation, v pcore.Value) pcore.Value
}

// The strategies by name.
const (
	firstStrategy         = "first"
	defaultStrategy       = "default"
	uniqueStrategy        = "unique"
	hashStrategy          = "hash"
	deepStrategy          = "deep"
	unconstrainedStrategy = "unconstrained_deep"
	reverseStrategy       = "reverse_deep"
)

// newStrategy returns the strategy that a merge option names: a name, or a hash with a name and
// options. Undef and nil select the first value.
func newStrategy(h *Hierarchy, merge pcore.Value) (*strategy, error) {
	var name string
	var options *pcore.Hash
	switch m := merge.(type) {
	case nil, pcore.Undef:
		name = defaultStrategy
	case pcore.String:
		name = string(m)
	case *pcore.Hash:
		v, ok := m.GetString("strategy")
		if !ok || pcore.Is[pcore.Undef](v) {
			return nil, generalErrorf("The hash given as 'merge' must contain the name of a strategy in string form for the key 'strategy'")
		}
		text, ok := v.(pcore.String)
		if !ok {
			return nil, generalErrorf("Unknown merge strategy: '%s'", v)
		}
		if name = string(text); m.Len() > 1 {
			options = m
		}
	default:
		return nil, generalErrorf("Unknown merge strategy: '%s'", merge)
	}
	s := &strategy{name: name, options: options}
	switch name {
	case firstStrategy, defaultStrategy:
	case hashStrategy:
		s.merge = (*strategy).hash
	case uniqueStrategy:
		s.merge, s.convert, s.single = (*strategy).unique, flattened, distinct
	case deepStrategy, unconstrainedStrategy:
		s.merge = (*strategy).deep
		if options == nil {
			s.name = deepStrategy
		}
	case reverseStrategy:
		s.merge = (*strategy).reverse
	default:
		return nil, generalErrorf("Unknown merge strategy: '%s'", name)
	}
	if options == nil {
		return s, nil
	}
	return s, h.assert("The merge options", h.types.options(name), options)
}

// lookup merges the values that find returns for the indexes below n.
func (s *strategy) lookup(inv *invocation, n int, find func(i int) (pcore.Value, error)) (v pcore.Value, err error) {
	switch {
	case s.merge == nil:
		for i := range n {
			if v, err := find(i); err != errNoKey { //nolint:errorlint // a sentinel that is never wrapped
				return v, err
			}
		}
		return nil, errNoKey
	case n == 0:
		return nil, errNoKey
	case n == 1:
		if v, err = find(0); err == nil && s.single != nil {
			v = s.single(inv, v)
		}
		return v, err
	}
	inv.with(s.node(), func() { v, err = s.all(inv, n, find) })
	return v, err
}

// node returns the node of an explanation.
func (s *strategy) node() *node {
	n := &node{kind: mergeNode, name: s.name}
	if s.options == nil {
		return n
	}
	b := pcore.NewHashBuilder(s.options.Len())
	for k, v := range s.options.All() {
		if k != pcore.Value(pcore.String("strategy")) {
			b.Set(k, v)
		}
	}
	n.options = b.Hash()
	return n
}

func (s *strategy) all(inv *invocation, n int, find func(i int) (pcore.Value, error)) (pcore.Value, error) {
	var merged pcore.Value
	for i := range n {
		v, err := find(i)
		switch {
		case err == errNoKey: //nolint:errorlint // likewise
			continue
		case err != nil:
			return nil, err
		case merged != nil:
			if v, err = s.merge(s, inv, merged, v); err != nil {
				return nil, err
			}
		case s.convert != nil:
			v = s.convert(inv, v)
		}
		merged = v
	}
	if merged == nil {
		return nil, errNoKey
	}
	inv.explain.result(merged)
	return merged, nil
}

// check returns an error unless both values have a type.
func (s *strategy) check(h *Hierarchy, t pcore.Type, high, low pcore.Value) error {
	if err := h.assert("The first element of the merge", t, high); err != nil {
		return err
	}
	return h.assert("The second element of the merge", t, low)
}

// hash merges the entries of two hashes. The order is the one of the lower level.
func (s *strategy) hash(inv *invocation, high, low pcore.Value) (pcore.Value, error) {
	if err := s.check(inv.h, inv.h.types.hash, high, low); err != nil {
		return nil, err
	}
	a, b := inv.h.open(high).(*pcore.Hash), inv.h.open(low).(*pcore.Hash)
	if err := inv.spend(a.Len() + b.Len()); err != nil {
		return nil, err
	}
	all := pcore.NewHashBuilder(a.Len() + b.Len())
	for _, h := range []*pcore.Hash{b, a} {
		for k, v := range h.All() {
			all.Set(k, v)
		}
	}
	return inv.h.sealed(all.Hash(), inv.h.decrypted(high) || inv.h.decrypted(low)), nil
}

// unique joins the elements of two values without duplicates.
func (s *strategy) unique(inv *invocation, high, low pcore.Value) (pcore.Value, error) {
	if err := s.check(inv.h, inv.h.types.unique, high, low); err != nil {
		return nil, err
	}
	first, second := flattened(inv, high), flattened(inv, low)
	a, b := inv.h.open(first).(*pcore.Array), inv.h.open(second).(*pcore.Array)
	if err := inv.spend(a.Len() + b.Len()); err != nil {
		return nil, err
	}
	var all []pcore.Value
	for _, list := range []*pcore.Array{a, b} {
		for _, v := range list.All() {
			all = append(all, v)
		}
	}
	return distinct(inv, inv.h.sealed(pcore.NewArray(all...), inv.h.decrypted(first) || inv.h.decrypted(second))), nil
}

// flattened returns the elements of an array and the arrays in it, or an array of one value.
func flattened(inv *invocation, v pcore.Value) pcore.Value {
	var all []pcore.Value
	secret := false
	var add func(v pcore.Value)
	add = func(v pcore.Value) {
		list, ok := inv.h.open(v).(*pcore.Array)
		if !ok {
			all = append(all, v)
			return
		}
		secret = secret || inv.h.decrypted(v)
		for _, e := range list.All() {
			add(e)
		}
	}
	add(v)
	return inv.h.sealed(pcore.NewArray(all...), secret)
}

// distinct returns an array without duplicates, and any other value unchanged.
func distinct(inv *invocation, v pcore.Value) pcore.Value {
	list, ok := inv.h.open(v).(*pcore.Array)
	if !ok {
		return v
	}
	seen := pcore.NewHashBuilder(list.Len())
	var all []pcore.Value
	for _, e := range list.All() {
		if !seen.Set(inv.h.bare(e), pcore.Boolean(true)) {
			all = append(all, e)
		}
	}
	return inv.h.sealed(pcore.NewArray(all...), inv.h.decrypted(v))
}

// deep merges hashes and arrays at all levels.
func (s *strategy) deep(inv *invocation, high, low pcore.Value) (pcore.Value, error) {
	return s.deeply(inv, high, low)
}

func (s *strategy) reverse(inv *invocation, high, low pcore.Value) (pcore.Value, error) {
	return s.deeply(inv, low, high)
}

func (s *strategy) deeply(inv *invocation, source, dest pcore.Value) (pcore.Value, error) {
	m, err := newDeepMerge(inv, s.options)
	if err != nil {
		return nil, err
	}
	from, to := m.mutable(source), m.mutable(dest)
	merged, err := m.merge(from, to)
	if err != nil {
		return nil, err
	}
	if inv.explain != nil && m.knockout != nil {
		inv.explain.replace(source, m.result(from))
	}
	return m.result(merged), nil
}

// replace replaces the value of a found key that a merge has changed, as Puppet shows it.
func (e *Explanation) replace(old, changed pcore.Value) {
	var visit func(n *node)
	visit = func(n *node) {
		if n.found == old {
			n.found = changed
		}
		for _, b := range n.branches {
			visit(b)
		}
	}
	if pcore.Is[*pcore.Array](old) || pcore.Is[*pcore.Hash](old) {
		visit(e.current)
	}
}

// optionText returns the option of a merge as text; empty for none.
func optionText(options *pcore.Hash, name string) string {
	v, _ := options.GetString(name)
	text, _ := v.(pcore.String)
	return string(text)
}

// optionSet reports whether the option of a merge is neither false nor undef.
func optionSet(options *pcore.Hash, name string) bool {
	v, ok := options.GetString(name)
	return ok && truthy(v)
}

func truthy(v pcore.Value) bool {
	return v != pcore.Value(pcore.Boolean(false)) && !pcore.Is[pcore.Undef](v)
}
