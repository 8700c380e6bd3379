package deferred

import (
	"context"
	"time"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// Resolver says how Deferred values are resolved. It is not changed once it is
// in use, and may be used by several goroutines, each with a [Run] of its own.
type Resolver struct {
	// Functions answers the calls: a [function.Registry], or [Providers] and
	// a [Table] before them. It must be set, and be safe for concurrent use
	// when several runs use it.
	Functions function.Finder
	// Policy tells what may be called.
	Policy Policy
	// Facts are the facts of the node, `$facts`. Nil means that they are not
	// known: a call that reads them fails with [ErrNeedsFacts]. A fact that
	// is not among them is undef, as it is to an agent.
	Facts *pcore.Hash
	// Variables are further variables by name. An agent has none.
	Variables map[string]pcore.Value
	// Language is how strict templates and variables are: an agent of Puppet
	// 7 is lax, see [eval.Lax].
	Language eval.Mode
	// Types finds the types that templates name beyond those of the
	// language; nil finds none.
	Types typeexpr.Resolver
	// Mode tells which agent is followed.
	Mode Mode
	// Writable returns why a value cannot be written where the results go: a
	// call with such a result fails with [ErrUnwritable]. Nil refuses what no
	// form can hold: an Iterator, NaN, Infinity, and text that is not UTF-8.
	// Results that are arguments of other calls are not written.
	Writable func(pcore.Value) error
	// Faithful gives the values of the reference, even where it loses
	// secrets; see the package's documentation. What a call returns is not
	// resolved again then, either, and any result is kept.
	Faithful bool
	// InKeys and InObjects resolve in the keys of hashes, and in the
	// attributes of Objects.
	InKeys, InObjects bool
	// MaxCalls is how many Deferred values a run may call; 0 means no limit.
	MaxCalls int
	// Allowance is what each call of a Deferred adds to the budget of the
	// World, in its units; 0 means nothing. So how much a catalog may cost
	// grows with what is in it.
	Allowance int
	// Timeout is how long the call of one Deferred may take; 0 means no
	// limit.
	Timeout time.Duration
	// Trace is told of each call after it was made; nil for nobody.
	Trace func(Event)
	// World is what functions can reach: files, constructors, the log, a
	// budget, memory. What a run holds of the memory is given back when a
	// resource is resolved, or, of those that [Ahead] resolves, when it has
	// passed. Its functions, variables, templates, policy and handling of
	// secrets are set by the Resolver.
	World function.Env
}

// Run is one pass over a catalog. It is used by one goroutine at a time.
type Run struct {
	*Resolver
	evaluator *eval.Evaluator
	memo      *memo
	memory    *function.Memory // an account of the run
	calls     int
	most      int // calls that may be made; negative for any number
	failures  Failures
	place     place // of what is looked at now
	// effects are those of all functions that were called for the Deferred
	// that is called now.
	effects function.Effects
	// told is what the trace and the log are told later, when keeps is set.
	told  []func()
	keeps bool
	// secret counts the Sensitives and sensitive parameters around what is
	// looked at.
	secret int
	// inner counts the calls around what is looked at: their arguments, and
	// what they resolve themselves, are not written.
	inner int
	// quiet counts the calls with secrets that are being made.
	quiet int
}

// Run begins a pass.
func (r *Resolver) Run() *Run {
	run := &Run{Resolver: r, memo: new(memo), most: r.MaxCalls}
	if run.most == 0 {
		run.most = -1
	}
	env := r.World
	env.Functions = r.Functions
	env.Variables = factsNeeded{}
	env.Allow = run.allow
	env.KeepSecrets = !r.Faithful
	env.Resolve = run.again
	env.Memory = r.World.Memory.Account()
	run.memory = env.Memory
	env.Log = run.log
	if env.ParseType == nil {
		env.ParseType = func(text string) (pcore.Type, error) { return typeexpr.Parse(text, r.Types) }
	}
	run.evaluator = eval.New(env, r.Types, r.Language)
	return run
}

// allow asks the policy, and takes down what is allowed.
func (r *Run) allow(f *function.Function) error {
	r.effects |= f.Effects
	return r.Policy.Allow(f)
}

// tell tells the trace or the log something, now or in its turn.
func (r *Run) tell(something func()) {
	if r.keeps {
		r.told = append(r.told, something)
		return
	}
	something()
}

// log takes what functions say. What one says that knows a secret is kept.
func (r *Run) log(level function.Level, text string) {
	r.effects |= function.Logs
	if r.World.Log == nil {
		return
	}
	if r.quiet > 0 {
		text = "a message is withheld, since an argument is Sensitive"
	}
	r.tell(func() { r.World.Log(level, text) })
}

// Calls returns how many Deferred values were called so far.
func (r *Run) Calls() int { return r.calls }

// Failures returns the calls that could not be made so far.
func (r *Run) Failures() Failures { return r.failures }

// Err returns the failures so far as an error, nil when there are none.
func (r *Run) Err() error {
	if len(r.failures) == 0 {
		return nil
	}
	return r.failures
}

// Resolve returns v with every Deferred in it replaced by what its call gives.
// When some cannot be made the error is [Failures], and the value holds those
// Deferred values still. It is for a value that stands in no catalog.
func (r *Resolver) Resolve(ctx context.Context, v pcore.Value) (pcore.Value, error) {
	run := r.Run()
	v, err := run.Value(ctx, v)
	if err != nil {
		return nil, err
	}
	return v, run.Err()
}
