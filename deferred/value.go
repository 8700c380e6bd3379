package deferred

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// whole returns v, a value outside of any resource, with every Deferred in it
// resolved. The error is the error of ctx.
func (r *worker) whole(ctx context.Context, v pcore.Value) (pcore.Value, error) {
	defer r.memory.ReleaseTo(r.memory.Held())
	r.owner = catalog.Location{}
	return r.at(ctx, catalog.Location{}, v)
}

// location is the location of a value, and the number of rounds in which results
// were resolved again. The path changes during the traversal.
type location struct {
	catalog.Location
	rounds int
}

// at resolves v at a location outside of the current value.
func (r *worker) at(ctx context.Context, l catalog.Location, v pcore.Value) (pcore.Value, error) {
	outer := r.location
	r.location = location{Location: l}
	v, err := r.resolve(ctx, v)
	r.location = outer
	return v, err
}

// step resolves v, the member of the current value at s.
func (r *worker) step(ctx context.Context, s pcore.Step, v pcore.Value) (pcore.Value, error) {
	r.location.Path = append(r.location.Path, s)
	v, err := r.resolve(ctx, v)
	r.location.Path = r.location.Path[:len(r.location.Path)-1]
	return v, err
}

// here returns a copy of the current location that can be kept. Sharing memory
// with the location would keep the whole resource in memory.
func (r *worker) here() catalog.Location {
	path := slices.Clone(r.location.Path)
	for i := range path {
		if path[i].Key != nil {
			path[i].Key = pcore.Clone(path[i].Key)
		}
	}
	return catalog.Location{
		Ref:  catalog.Ref{Type: strings.Clone(r.location.Ref.Type), Title: strings.Clone(r.location.Ref.Title)},
		Path: path,
	}
}

// resolve resolves the Deferred values in v. It returns v itself if nothing
// changes.
func (r *worker) resolve(ctx context.Context, v pcore.Value) (pcore.Value, error) {
	switch v := v.(type) {
	case *pcore.Deferred:
		return r.deferred(ctx, v)
	case *pcore.Array:
		elems, changed, err := r.list(ctx, v, pcore.StepIndex)
		if err != nil || !changed {
			return v, err
		}
		return pcore.NewArray(elems...), nil
	case *pcore.Hash:
		return r.hash(ctx, v)
	case *pcore.Sensitive:
		return r.sensitive(ctx, v)
	case *pcore.Object:
		return r.object(ctx, v)
	default:
		return v, nil
	}
}

func (r *worker) list(ctx context.Context, v *pcore.Array, kind pcore.StepKind) (elems []pcore.Value, changed bool, err error) {
	elems = make([]pcore.Value, v.Len())
	for i, e := range v.All() {
		if elems[i], err = r.step(ctx, pcore.Step{Kind: kind, Index: i}, e); err != nil {
			return nil, false, err
		}
		changed = changed || elems[i] != e
	}
	return elems, changed, nil
}

func (r *worker) hash(ctx context.Context, v *pcore.Hash) (pcore.Value, error) {
	var b *pcore.HashBuilder // nil until a change
	listed := !v.HasPlainKeys()
	for i := range v.Len() {
		k, e := v.At(i).Key, v.At(i).Value
		key := k
		step := pcore.Step{Kind: pcore.StepKey, Index: i, Key: r.shown(k), Listed: listed}
		if r.InKeys {
			var err error
			if key, err = r.step(ctx, step, k); err != nil {
				return nil, err
			}
		}
		step.Kind = pcore.StepEntry
		value, err := r.step(ctx, step, e)
		if err != nil {
			return nil, err
		}
		if b == nil && (key != k || value != e) {
			b = pcore.NewHashBuilder(v.Len())
			for j := range i {
				b.Set(v.At(j).Key, v.At(j).Value)
			}
		}
		if b != nil {
			b.Set(key, value)
		}
	}
	if b == nil {
		return v, nil
	}
	return b.Hash(), nil
}

// shown returns a key for use in a location. Inside a secret it becomes a
// Sensitive.
func (r *worker) shown(key pcore.Value) pcore.Value {
	if r.secret > 0 {
		return function.Secret(key)
	}
	return key
}

func (r *worker) sensitive(ctx context.Context, v *pcore.Sensitive) (pcore.Value, error) {
	inner := v.Reveal() //nolint:forbidigo // put back into a Sensitive below
	r.secret++
	to, err := r.step(ctx, pcore.Step{Kind: pcore.StepSecret}, inner)
	r.secret--
	if err != nil || to == inner {
		return v, err
	}
	if !r.Faithful {
		return function.Secret(to), nil
	}
	return pcore.NewSensitive(to), nil
}

func (r *worker) object(ctx context.Context, v *pcore.Object) (pcore.Value, error) {
	if !r.InObjects {
		return v, nil
	}
	attributes := pcore.NewHashBuilder(v.Attributes().Len())
	changed := false
	i := 0
	for k, e := range v.Attributes().All() {
		to, err := r.step(ctx, pcore.Step{Kind: pcore.StepAttribute, Index: i, Key: k}, e)
		if err != nil {
			return nil, err
		}
		attributes.Set(k, to)
		changed = changed || to != e
		i++
	}
	if !changed {
		return v, nil
	}
	return pcore.NewObject(v.Type(), attributes.Hash()), nil
}

// deferred makes a call. If the call or an argument fails, it returns the
// Deferred with the arguments that could be resolved.
func (r *worker) deferred(ctx context.Context, d *pcore.Deferred) (pcore.Value, error) {
	failed := len(r.failures)
	r.inner++
	args, changed, err := r.list(ctx, d.Arguments(), pcore.StepArgument)
	r.inner--
	if err != nil {
		return nil, err
	}
	if len(r.failures) > failed {
		return r.unmade(d, args, changed), nil
	}
	name := strings.Clone(d.Name()) // failures retain it
	r.inner++
	v, err := r.call(ctx, name, args)
	r.inner--
	if ended := ctx.Err(); ended != nil {
		return nil, context.Cause(ctx)
	}
	if err == nil {
		if v, err = r.result(ctx, name, args, v); err != nil {
			return nil, err
		}
		err = r.checkResult(args, v)
	}
	if err != nil {
		r.failures = append(r.failures, &Failure{At: r.here(), Function: name, Err: err})
		return r.unmade(d, args, changed), nil //nolint:nilerr // recorded as a failure
	}
	return v, nil
}

// result returns the replacement of a Deferred: the result of its call, with
// Deferred values in it resolved, and Sensitive if the arguments contain a
// secret.
func (r *worker) result(ctx context.Context, name string, args []pcore.Value, v pcore.Value) (pcore.Value, error) {
	if r.Faithful {
		if s, ok := v.(*pcore.Sensitive); ok && r.Mode == Lazy {
			r.exposed = true
			return s.Reveal(), nil //nolint:forbidigo // as Puppet 8 does
		}
		return v, nil
	}
	if holdsDeferred(v) {
		r.location.rounds++
		defer func() { r.location.rounds-- }()
		if r.location.rounds > maxRounds {
			r.failures = append(r.failures, &Failure{At: r.here(), Function: name, Err: errRounds})
			return v, nil
		}
		var err error
		if v, err = r.resolve(ctx, v); err != nil {
			return nil, err
		}
	}
	return r.kept(args, v), nil
}

// kept returns v as a Sensitive if the arguments contain a secret, unless v
// still has to be resolved.
func (r *worker) kept(args []pcore.Value, v pcore.Value) pcore.Value {
	if !r.Faithful && function.HoldsSecret(args...) && !holdsDeferred(v) {
		return function.Secret(v)
	}
	return v
}

func holdsDeferred(v pcore.Value) bool {
	return pcore.Search(v, func(v pcore.Value) (found, inside bool) {
		return pcore.Is[*pcore.Deferred](v), !pcore.Is[*pcore.Object](v)
	})
}

// call makes one call within the limits, and traces it.
func (r *worker) call(ctx context.Context, name string, args []pcore.Value) (pcore.Value, error) {
	if r.calls++; r.most >= 0 && r.calls > r.most {
		return nil, errTooManyCalls
	}
	r.World.Budget.Add(r.Allowance)
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.Timeout, ErrTimeout)
		defer cancel()
	}
	secret := r.secret > 0 || r.exposed || function.HoldsSecret(args...)
	if secret {
		ctx = function.InClear(ctx)
		r.quiet++
		defer func() { r.quiet-- }()
	}
	begin := time.Now()
	v, outcome, err := r.handled(ctx, &attempt{run: r, name: name, args: args, secret: secret})
	if r.Trace != nil {
		e := Event{At: r.owned(), Function: name, Arguments: typesOf(args), Duration: time.Since(begin), Outcome: outcome, Err: err}
		if err == nil {
			e.Result = typeOf(v)
		}
		r.emit(func() { r.Trace(e) })
	}
	return v, err
}

// remembered calls a function, unless the result is cached.
func (r *worker) remembered(ctx context.Context, name string, args []pcore.Value) (pcore.Value, error) {
	if v, size, ok := r.memo.result(name, args); ok {
		if err := r.memory.Hold(size); err != nil {
			return nil, &function.Error{Function: name, Err: err}
		}
		return v, ctx.Err()
	}
	if r.replayed != nil {
		if v, _, ok := r.replayed.result(name, args); ok {
			return v, ctx.Err()
		}
	}
	outer := r.effects
	r.effects = 0
	v, err := r.invoke(ctx, name, args)
	if err == nil {
		r.memo.keep(name, args, v, r.effects)
		if r.Agent != nil && r.effects.Has(^repeatable) {
			if r.recorded == nil {
				r.recorded = new(memo)
			}
			r.recorded.store(name, args, v)
		}
	}
	r.effects |= outer
	return v, err
}

// invoke calls a function, or looks up a value in a variable.
func (r *worker) invoke(ctx context.Context, name string, args []pcore.Value) (pcore.Value, error) {
	s, err := r.scope(ctx)
	if err != nil {
		return nil, err
	}
	bytes, texts := r.byteCallOf(name, args)
	callee := name
	if variable, ok := strings.CutPrefix(name, "$"); ok {
		v, err := r.variable(s, variable)
		if err != nil {
			return nil, err
		}
		callee, texts = "dig", append([]pcore.Value{v}, texts...)
	}
	v, err := r.evaluator.Call(s, callee, texts...)
	if err != nil || bytes == nil {
		return v, err
	}
	v, err = bytes.result(v)
	if err != nil {
		return nil, &function.Error{Function: name, Err: err}
	}
	return v, nil
}

// again resolves a Deferred passed to the function call.
func (r *worker) again(c *function.Call, d *pcore.Deferred) (pcore.Value, error) {
	failed := len(r.failures)
	v, err := r.at(c.Context(), catalog.Location{}, d)
	if err != nil {
		return nil, err
	}
	if len(r.failures) > failed {
		errs := r.failures[failed:]
		r.failures = r.failures[:failed]
		return nil, errors.Join(errs.Unwrap()...)
	}
	return v, nil
}
