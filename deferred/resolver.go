package deferred

import (
	"context"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// Resolver holds the settings for resolving Deferred values. Do not change it
// once it is in use. Several goroutines can use it, each with its own [Run].
type Resolver struct {
	// Functions provides the functions: a [function.Registry], or
	// [Providers] with a [Table] first. It is required, and must be safe for
	// concurrent use if several runs share it.
	Functions function.Finder
	// Policy selects the functions that may be called.
	Policy Policy
	// Facts are the facts of the node, `$facts`. If nil, the facts are
	// unknown: a call that reads them fails with [function.ErrNeedsFacts]. A missing
	// fact is undef, as for an agent.
	Facts *pcore.Hash
	// Variables are additional variables by name. An agent has none.
	Variables map[string]pcore.Value
	// Language is the strictness for templates and variables. A Puppet 7
	// agent is lax; see [eval.Lax].
	Language eval.Mode
	// Types resolves types in templates other than the types of the
	// language; it may be nil.
	Types typeexpr.Resolver
	// Mode selects the behavior of an eager or a lazy agent.
	Mode Mode
	// Writable returns an error if a value cannot be written to the output.
	// A call with such a result fails with [ErrUnwritable]. The default,
	// nil, rejects values that no form supports: an Iterator, NaN, Infinity,
	// and text that is not UTF-8. Results used only as arguments of other
	// calls are not checked.
	Writable func(pcore.Value) error
	// Faithful produces the values of the reference, even where it loses
	// secrets; see the package documentation. It also leaves Deferred values
	// in results unresolved, and does not check that results can be written.
	Faithful bool
	// Agent, if not nil, describes an agent that does not make all calls as
	// intended. The calls are reported to Unlike. With Faithful they fail instead,
	// and their parameter remains as it is, except for calls that only need the
	// modules on the node.
	Agent *Agent
	// Unlike is called for each parameter with calls that the agent does not
	// make as intended, with the reason.
	Unlike func(parameter catalog.Location, reason string)
	// InKeys and InObjects also resolve Deferred values in keys of hashes
	// and in attributes of Objects.
	InKeys, InObjects bool
	// KeepUnresolved makes failed calls no error of Finish, so that
	// [catalog.Copy] writes them as Deferred values. The caller examines
	// Failures.
	KeepUnresolved bool
	// MaxCalls is the maximum number of calls in a run; 0 means no limit.
	MaxCalls int
	// Allowance is the number of units that each Deferred call adds to the
	// budget of the World, so that the limit grows with the catalog; 0 means
	// none.
	Allowance int
	// Timeout is the maximum duration of one Deferred call; 0 means no
	// limit.
	Timeout time.Duration
	// Handler, if not nil, makes the calls: it can repeat them, and decides
	// what happens if they fail.
	Handler Handler
	// Trace, if not nil, is called after each call.
	Trace func(Event)
	// World is the environment of functions: files, constructors, log,
	// budget, memory. A run releases its memory after each resource; one of
	// [Resolver.Parallel] does so after the resource has passed. The Resolver sets the
	// functions, variables, templates, policy and handling of secrets.
	World function.Env
}

// worker makes the calls of a [Run], or a share of them. It is not safe for concurrent use.
type worker struct {
	*Resolver
	evaluator *eval.Evaluator
	memo      *memo
	memory    *function.Memory // the account of this run
	calls     int
	most      int // maximum number of calls; negative means no limit
	failures  Failures
	location  location         // location of the current value
	owner     catalog.Location // of the current parameter
	// effects are the combined effects of all functions called for the
	// current Deferred.
	effects function.Effects
	// delayed holds trace and log calls if delays is set.
	delayed []func()
	delays  bool
	// secret counts the Sensitives and sensitive parameters that enclose the
	// current value.
	secret int
	// inner counts the calls that enclose the current value. Values inside a
	// call are not written.
	inner int
	// quiet counts the active calls with secrets.
	quiet int
	// exposed reports that a secret of the current parameter is no longer
	// Sensitive, with Faithful.
	exposed bool
	// recorded holds the results of the calls with effects for the current
	// parameter, nil for none.
	recorded *memo
	// asAgent makes the calls as the agent does, see loss.
	asAgent *worker
	// For asAgent only: results that are used instead of calls, effects of
	// functions that are not called, and whether such a call was needed.
	replayed *memo
	refused  function.Effects
	unknown  bool
}

// worker returns a worker without results.
func (r *Resolver) worker() *worker {
	w := &worker{Resolver: r, memo: new(memo), most: r.MaxCalls}
	if w.most == 0 {
		w.most = -1
	}
	env := r.World
	env.Functions = r.Functions
	env.Variables = factsNeeded{}
	env.Allow = w.allow
	env.KeepSecrets = !r.Faithful
	env.Resolve = w.again
	env.Memory = r.World.Memory.Account()
	w.memory = env.Memory
	env.Log = w.log
	w.evaluator = eval.New(env, r.Types, r.Language)
	return w
}

// allow applies the policy and records the effects of the function.
func (r *worker) allow(f *function.Function) error {
	r.effects |= f.Effects
	if refused := f.Effects & r.refused; refused != 0 {
		r.unknown = true
		return &function.RefusedError{Function: f.Name, Effects: refused}
	}
	return r.Policy.Allow(f)
}

// emit makes a trace or log call, immediately or in catalog order.
func (r *worker) emit(something func()) {
	if r.delays {
		r.delayed = append(r.delayed, something)
		return
	}
	something()
}

// log logs a message of a function. It withholds the text during a call with
// secrets.
func (r *worker) log(level function.Level, text string) {
	r.effects |= function.Logs
	if r.World.Log == nil {
		return
	}
	if r.quiet > 0 {
		text = "a message is withheld because an argument is Sensitive"
	}
	r.emit(func() { r.World.Log(level, text) })
}

// Resolve returns v with every Deferred in it replaced by the result of its
// call. It is for a value outside of a catalog. If calls fail, the error is
// [Failures], and the returned value still contains their Deferred values.
func (r *Resolver) Resolve(ctx context.Context, v pcore.Value) (pcore.Value, error) {
	w := r.worker()
	v, err := w.whole(ctx, v)
	if err != nil {
		return nil, err
	}
	return v, w.failures.err()
}
