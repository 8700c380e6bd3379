package deferred

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/bill"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// Agent describes the agent for which a catalog is resolved. All fields are optional.
type Agent struct {
	// Reference is the version of Puppet.
	Reference pcore.Reference
	// Functions looks up the functions of the agent.
	Functions function.Finder
	// Files provides the templates of modules, whose parameters can be impossible to
	// set.
	Files function.Files
	// Types resolves the types of these parameters.
	Types typeexpr.Resolver
}

// unlike returns the calls in a parameter that the agent does not make as
// intended, one for each reason.
func (r *worker) unlike(res *catalog.Resource, name string, p parameter) ([]*bill.Entry, error) {
	if r.Agent == nil || !holdsDeferred(p.value) {
		return nil, nil
	}
	all, err := bill.Parameter(res, name, p.value, p.listed, bill.Options{
		Reference: r.Agent.Reference, Functions: r.Agent.Functions, Files: r.Agent.Files, Types: r.Agent.Types,
	})
	if err != nil {
		return nil, err
	}
	var unlike []*bill.Entry
	for _, e := range all {
		known := slices.ContainsFunc(unlike, func(other *bill.Entry) bool { return other.Late.Reason == e.Late.Reason })
		if e.Late.Breaks && !e.Late.Always && !known {
			unlike = append(unlike, e)
		}
	}
	return unlike, nil
}

// unlikeFailures adds the calls that fail on the agent, and reports whether there are
// any. The modules can be on its node.
func (r *worker) unlikeFailures(calls []*bill.Entry) bool {
	failed := len(r.failures)
	for _, e := range calls {
		if !e.Late.NeedsModules {
			r.failures = append(r.failures, &Failure{At: e.At, Function: e.Function, Err: fmt.Errorf("%w: %s", errAgent, e.Late.Reason)})
		}
	}
	return len(r.failures) > failed
}

// reportAgent reports the differences between the value of a parameter and the one
// that the agent has: calls that it does not make as intended, or else a loss.
func (r *worker) reportAgent(ctx context.Context, p parameter, ours resolved, calls []*bill.Entry) error {
	if r.Agent == nil || r.Unlike == nil {
		return nil
	}
	for _, e := range calls {
		r.emit(func() { r.Unlike(p.at, e.Late.Reason) })
	}
	if len(calls) > 0 {
		return nil
	}
	reason, err := r.loss(ctx, p, ours)
	if err != nil || reason == "" {
		return err
	}
	r.emit(func() { r.Unlike(p.at, reason) })
	return nil
}

// loss returns the reason why an agent has something else than pcat in a parameter
// with a secret, or an empty text. It makes the calls again as the agent does,
// except for calls with effects, whose results it uses again.
func (r *worker) loss(ctx context.Context, p parameter, ours resolved) (string, error) {
	if r.Faithful || !holdsDeferred(p.value) || !ours.secret && !p.listed && !function.HoldsSecret(p.value, ours.value) {
		return "", nil
	}
	agent := r.agent()
	defer agent.memory.ReleaseTo(agent.memory.Held())
	agent.failures, agent.unknown, agent.replayed = nil, false, r.recorded
	theirs, err := agent.parameter(ctx, p)
	if err != nil {
		return "", err
	}
	return lossOf(ours, theirs, agent, p.listed), nil
}

func lossOf(ours, theirs resolved, agent *worker, listed bool) string {
	unmarked := ours.secret && !listed && !theirs.secret
	limited := slices.ContainsFunc(agent.failures, func(f *Failure) bool {
		return errors.Is(f, function.ErrBudget) || errors.Is(f, function.ErrMemory) || errors.Is(f, ErrTimeout)
	})
	switch {
	case agent.unknown || limited:
		// The agent passes the secret as plain text, or a redaction, to a
		// function that must not be called again.
		if agent.Mode == Lazy && unmarked {
			return bill.LosesMark
		}
		return ""
	case len(agent.failures) > 0:
		return "the call fails on the agent: " + agent.failures[0].Err.Error()
	case pcore.Identical(ours.value, theirs.value):
		if unmarked {
			return bill.LosesMark
		}
		return ""
	case pcore.Search(theirs.value, hasRedaction):
		return bill.LosesText
	case function.HoldsSecret(theirs.value):
		return "the agent keeps a Sensitive inside the value, which types of resources do not accept"
	default:
		return "the agent has another value"
	}
}

func hasRedaction(v pcore.Value) (found, inside bool) {
	s, ok := v.(pcore.String)
	return ok && strings.Contains(string(s), pcore.RedactedText), true
}

// calledAsAgent makes a failed call with secrets again, as the agent does: a function
// that does not handle Sensitive gets the Sensitive instead of the plain value. A
// template can rely on that, for example if it prints the elements of an array. If
// this fails, too, or is not possible, the result is the failure.
func (r *worker) calledAsAgent(ctx context.Context, name string, args []pcore.Value, failure error) (pcore.Value, error) {
	for _, limit := range []error{fs.ErrPermission, function.ErrNeedsFacts, function.ErrBudget, function.ErrMemory} {
		if errors.Is(failure, limit) {
			return nil, failure
		}
	}
	agent := r.agent()
	defer agent.memory.ReleaseTo(agent.memory.Held())
	agent.replayed = nil
	v, err := agent.remembered(ctx, name, args)
	if err != nil {
		return nil, failure
	}
	if err := r.memory.Hold(function.SizeOf(v)); err != nil {
		return nil, &function.Error{Function: name, Err: err}
	}
	return v, nil
}

// agent returns the run that makes calls as an agent does. It does not repeat calls
// with effects, and reports nothing.
func (r *worker) agent() *worker {
	if r.asAgent == nil {
		agent := *r.Resolver
		agent.Faithful, agent.MaxCalls = true, 0
		agent.Agent, agent.Unlike, agent.Handler, agent.Trace, agent.World.Log = nil, nil, nil, nil, nil
		agent.World.Budget = agent.World.Budget.Fork() // the calls of pcat must not run out of theirs
		r.asAgent = agent.worker()
		r.asAgent.refused = ^(function.Harmless | function.ReadsFiles)
	}
	return r.asAgent
}
