package deferred

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Handler decides how a Deferred call is made, and what happens if it fails.
// Package fallback has one. It must be safe for concurrent use.
type Handler interface {
	// Handle returns the value of a call, or its error, and describes both.
	// attempt makes the call; Handle can use it any number of times until it
	// returns, but not concurrently. An error that wraps [ErrSkip] means that
	// the resource must not be applied.
	Handle(ctx context.Context, c Call, attempt func(context.Context) (pcore.Value, error)) (pcore.Value, Outcome, error)
}

// Call is a Deferred call with resolved arguments.
type Call struct {
	// At is the location of the Deferred. Inside the result of a function, it
	// is that of the parameter.
	At       catalog.Location
	Function string
	// Arguments can contain secrets.
	Arguments []pcore.Value
	// Effects are the effects of the function itself, not those of the
	// functions that it calls.
	Effects function.Effects
}

// ErrSkip is wrapped by the error of a call whose resource must not be applied. The
// call is a [Failure] like others.
var ErrSkip = errors.New("the resource is skipped")

// Source is the origin of the value of a call.
type Source uint8

// The origins of values.
const (
	Made     Source = iota // the call was made, or an equal one of this run; or has failed
	LastRun                // an earlier run
	Default                // the value was given
	Skipping               // there is none: the resource is skipped
)

// String returns the word of a report: answered, reused, default or skipped.
func (s Source) String() string {
	return [...]string{"answered", "reused", "default", "skipped"}[s]
}

// Outcome describes how a [Handler] has answered a call. The zero value is a call
// that was made once, or not at all.
type Outcome struct {
	Source Source
	// Attempts is the number of times that the call was made for it; for an
	// equal call, of that one.
	Attempts int
	// Age is the age of a value of LastRun.
	Age time.Duration
	// Rule is the number of the rule that was used, from 1; 0 for none.
	Rule int
	// Reason is the failure of the call for which there is another value, or
	// which was skipped. It contains no secret.
	Reason error
}

// String describes an outcome other than the usual one, such as "reused, 3h old, after
// 2 attempts", or returns "".
func (o Outcome) String() string {
	text := ""
	if o.Source != Made {
		text = o.Source.String()
	}
	if o.Source == LastRun {
		text += ", " + o.Age.Round(time.Second).String() + " old"
	}
	if o.Attempts > 1 {
		if text != "" {
			text += ", "
		}
		text += "after " + strconv.Itoa(o.Attempts) + " attempts"
	}
	return text
}

// attempt is one attempt of a call. made reports that a call has succeeded.
type attempt struct {
	run    *worker
	name   string
	args   []pcore.Value
	secret bool
	made   bool
}

func (a *attempt) make(ctx context.Context) (pcore.Value, error) {
	r := a.run
	v, err := r.remembered(ctx, a.name, a.args)
	if err != nil && !r.Faithful && function.HoldsSecret(a.args...) && ctx.Err() == nil {
		v, err = r.calledAsAgent(ctx, a.name, a.args, err)
	}
	a.made = err == nil
	switch {
	case err == nil:
		v = r.kept(a.args, v)
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case a.secret:
		err = function.Withhold(a.name, err)
	}
	return v, err
}

// handled makes a call by the handler, if there is one.
func (r *worker) handled(ctx context.Context, a *attempt) (v pcore.Value, o Outcome, err error) {
	if r.Handler == nil {
		v, err = a.make(ctx)
		return v, Outcome{}, err
	}
	c := Call{At: r.owned(), Function: a.name, Arguments: a.args}
	if f, ok := r.Functions.Function(a.name); ok {
		c.Effects = f.Effects
	}
	v, o, err = r.Handler.Handle(ctx, c, a.make)
	if err != nil || a.made {
		return v, o, err
	}
	if err := r.memory.Hold(function.SizeOf(v)); err != nil {
		return nil, o, &function.Error{Function: a.name, Err: err}
	}
	v = r.kept(a.args, v)
	if r.Agent != nil {
		if r.recorded == nil {
			r.recorded = new(memo)
		}
		r.recorded.store(a.name, a.args, v)
	}
	return v, o, nil
}

// owned returns the current location, or that of the parameter for a value that a
// function has passed.
func (r *worker) owned() catalog.Location {
	at := r.here()
	if at.Ref.IsZero() && !r.owner.Ref.IsZero() {
		return r.owner
	}
	return at
}
