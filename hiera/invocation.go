package hiera

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// invocation is the state of one lookup, or of one inside of another.
type invocation struct {
	h       *Hierarchy
	ctx     context.Context //nolint:containedctx // an invocation lives as long as one lookup
	env     *function.Env
	explain *Explanation

	override, defaults *pcore.Hash
	top                string   // the key, for messages
	module             string   // whose data is searched
	names              []string // the keys that are being looked up
	globalOnly         bool

	locals    map[string]pcore.Value // of mapped paths
	lenient   bool                   // unknown variables are empty
	collected *[]interpolation       // the variables that were read; nil to collect none
}

// inside returns the invocation for a lookup inside of inv, without its overrides and defaults.
func (inv *invocation) inside() *invocation {
	return &invocation{
		h: inv.h, ctx: inv.ctx, env: inv.env, explain: inv.explain, names: slices.Clone(inv.names),
		globalOnly: inv.globalOnly, lenient: inv.lenient, top: inv.top,
	}
}

// with calls f inside of a node of the explanation.
func (inv *invocation) with(n *node, f func()) {
	if inv.explain == nil {
		f()
		return
	}
	inv.explain.push(n)
	defer inv.explain.pop()
	f()
}

// maxNesting is the maximum depth of lookups within lookups.
const maxNesting = 100

// check calls f unless name is being looked up already.
func (inv *invocation) check(name string, f func() (pcore.Value, error)) (pcore.Value, error) {
	if slices.Contains(inv.names, name) {
		return nil, lookupErrorf("Recursive lookup detected in [%s]", strings.Join(inv.names, ", "))
	}
	if len(inv.names) >= maxNesting {
		return nil, lookupErrorf("more than %d lookups within lookups, at '%s'", maxNesting, name)
	}
	if err := inv.spend(1); err != nil {
		return nil, err
	}
	inv.names = append(inv.names, name)
	v, err := f()
	inv.names = inv.names[:len(inv.names)-1]
	if e, ok := errors.AsType[*Error](err); ok && e.kind == puppetKind {
		err = &Error{Message: e.Error(), cause: e.cause}
	}
	return v, err
}

// stepCost is the cost of a step of a lookup, in units of the budget.
const stepCost = 16

func (inv *invocation) spend(n int) error {
	if inv.ctx.Err() != nil {
		return context.Cause(inv.ctx)
	}
	if inv.explain != nil && inv.explain.full != nil {
		return inv.explain.full
	}
	return inv.env.Budget.Spend(stepCost * n)
}

// variable returns the value of a variable of the scope.
func (inv *invocation) variable(name string) (v pcore.Value, found bool, err error) {
	if v, ok := inv.locals[name]; ok {
		return v, true, nil
	}
	if inv.env.Variables == nil {
		return pcore.Undef{}, false, nil
	}
	v, found, err = inv.env.Variables.Variable(name)
	if err != nil || !found {
		return pcore.Undef{}, false, err
	}
	return v, true, nil
}

// missing is the outcome for a variable without a value.
func (inv *invocation) missing(name string) error {
	if inv.lenient || inv.h.options.Reference == pcore.Puppet7 {
		return nil
	}
	return generalErrorf("Undefined variable '%s'; ", name)
}
