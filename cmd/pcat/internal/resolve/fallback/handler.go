package fallback

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/internal/backoff"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Codec encodes the arguments and the answers of calls. It is safe for concurrent
// use. Its errors contain no values.
type Codec interface {
	// Encode returns v with plain-text secrets. Equal values have equal bytes.
	Encode(v pcore.Value) ([]byte, error)
	// Decode returns the value of such bytes.
	Decode(data []byte) (pcore.Value, error)
}

// Options are the settings of a [Handler].
type Options struct {
	// Policy has the rules. It is required.
	Policy *Policy
	// Codec identifies equal calls, and encodes answers for the cache. It is
	// required.
	Codec Codec
	// Cache has the answers of the last run; it may be nil unless a rule keeps
	// answers.
	Cache *Cache
}

// Limits of the answers that a Handler remembers for equal calls: their number, and their size in bytes as an estimate.
const (
	maxAnswers     = 10_000
	maxAnswersSize = 64 << 20
)

// Handler makes the calls of one run by the rules of a policy, for any number of
// catalogs. It remembers answers for equal calls, up to a limit; then it forgets the oldest,
// and asks again. It is safe for concurrent use.
type Handler struct {
	o       Options
	now     func() time.Time
	sleep   func(context.Context, time.Duration)
	most    int
	maxSize int64

	mu       sync.Mutex
	asked    map[[sha256.Size]byte]*answer
	complete [][sha256.Size]byte // of asked, oldest first
	size     int64               // of the complete answers
}

// New returns a handler without answers.
func New(o Options) (*Handler, error) {
	if o.Policy == nil || o.Codec == nil {
		return nil, errors.New("a policy and a codec are required")
	}
	if o.Cache == nil && o.Policy.Keeps() {
		return nil, errors.New("the policy keeps answers, and there is no cache")
	}
	return &Handler{
		o: o, now: time.Now, sleep: backoff.Sleep, most: maxAnswers, maxSize: maxAnswersSize, asked: map[[sha256.Size]byte]*answer{},
	}, nil
}

// For returns the handler for the catalog of a node in an environment. Only such
// catalogs share answers of earlier runs.
func (h *Handler) For(node, environment string) deferred.Handler {
	return &catalogHandler{h, node, environment}
}

// catalogHandler handles the calls of one catalog.
type catalogHandler struct {
	*Handler
	node, environment string
}

// answer is the result of a call, for equal ones. It is complete when done is closed.
type answer struct {
	done     chan struct{}
	v        pcore.Value
	attempts int
	err      error
	ended    bool // the call that asked was cancelled or had no more time
	size     int64
}

// Handle implements [deferred.Handler].
func (h *catalogHandler) Handle(ctx context.Context, c deferred.Call, attempt func(context.Context) (pcore.Value, error)) (pcore.Value, deferred.Outcome, error) {
	rule, number := h.o.Policy.rule(&c)
	if rule == nil {
		v, err := attempt(ctx)
		return v, deferred.Outcome{Attempts: 1}, err
	}
	o := deferred.Outcome{Rule: number}
	call, err := h.o.Codec.Encode(pcore.NewArray(pcore.String(function.CanonicalName(c.Function)), pcore.NewArray(c.Arguments...)))
	known := err == nil // otherwise equal calls cannot be recognized
	var a *answer
	if known && c.Effects.Has(function.RunsCommands|function.UsesNetwork) {
		a = h.share(ctx, rule, call, attempt)
	} else {
		a = h.ask(ctx, rule, attempt)
	}
	o.Attempts = a.attempts
	if a.err == nil {
		if known && rule.OnFailure == Keep {
			h.o.Cache.put(h.address(call), a.v, h.now(), h.o.Codec)
		}
		return a.v, o, nil
	}
	if !rule.handles(a.err) {
		return nil, o, a.err
	}
	o.Reason = a.err
	return h.instead(rule, o, call, a.err)
}

// instead returns the result of a call that has failed, by a rule.
func (h *catalogHandler) instead(rule *Rule, o deferred.Outcome, call []byte, failure error) (pcore.Value, deferred.Outcome, error) {
	action := rule.OnFailure
	if action == Keep {
		v, age, err := h.o.Cache.get(h.address(call), rule.MaxAge, h.now(), h.o.Codec)
		if err == nil {
			o.Source, o.Age = deferred.LastRun, age
			return v, o, nil
		}
		action, failure = rule.Otherwise, fmt.Errorf("%w; %w", failure, err)
		o.Reason = failure
	}
	switch action {
	case Skip:
		o.Source = deferred.Skipping
		return nil, o, &SkipError{Err: failure, Named: len(rule.Resources) > 0}
	case Default:
		o.Source = deferred.Default
		if rule.Plain {
			return rule.Default, o, nil
		}
		return function.Secret(rule.Default), o, nil
	default:
		o.Source, o.Reason = deferred.Made, nil
		return nil, o, failure
	}
}

// handles reports whether a rule decides about a failure. A call that is not allowed, or that has no
// more time because the run ends, fails. One whose arguments were skipped already remains so.
func (r *Rule) handles(err error) bool {
	if _, refused := errors.AsType[*function.RefusedError](err); refused || errors.Is(err, deferred.ErrSkip) || errors.Is(err, context.Canceled) {
		return false
	}
	return !r.OnlyTemporary || isTemporary(err)
}

func isTemporary(err error) bool {
	_, temporary := errors.AsType[*function.TemporaryError](err)
	return temporary || errors.Is(err, deferred.ErrTimeout)
}

// share asks once for equal calls.
func (h *Handler) share(ctx context.Context, rule *Rule, call []byte, attempt func(context.Context) (pcore.Value, error)) *answer {
	key := sha256.Sum256(append([]byte(strconv.Itoa(rule.Retries)+" "+rule.Timeout.String()+"\n"), call...))
	for {
		a, first := h.join(key)
		if first {
			h.lead(ctx, key, a, rule, attempt)
			return a
		}
		select {
		case <-a.done:
		case <-ctx.Done():
			return &answer{err: context.Cause(ctx)}
		}
		if !a.ended {
			return a
		}
		if ctx.Err() != nil {
			return &answer{err: context.Cause(ctx)}
		}
	}
}

// join returns the answer for a key. first reports that the caller has to ask.
func (h *Handler) join(key [sha256.Size]byte) (a *answer, first bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if a, ok := h.asked[key]; ok {
		return a, false
	}
	a = &answer{done: make(chan struct{})}
	h.asked[key] = a
	return a, true
}

// lead asks and completes an answer. If the caller has ended meanwhile, that is no answer for others: one of
// them asks again.
func (h *Handler) lead(ctx context.Context, key [sha256.Size]byte, a *answer, rule *Rule, attempt func(context.Context) (pcore.Value, error)) {
	defer close(a.done)
	got := h.ask(ctx, rule, attempt)
	a.v, a.attempts, a.err = got.v, got.attempts, got.err
	a.ended = got.err != nil && ctx.Err() != nil
	if got.err == nil {
		a.v = pcore.Clone(got.v)
		a.size = function.SizeOf(got.v)
	} else {
		a.size = int64(len(got.err.Error()))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if a.ended {
		delete(h.asked, key)
		return
	}
	h.remember(key, a)
}

// remember keeps a complete answer for equal calls, and forgets the oldest ones beyond the limits.
func (h *Handler) remember(key [sha256.Size]byte, a *answer) {
	h.complete = append(h.complete, key)
	h.size += a.size
	for len(h.complete) > h.most || h.size > h.maxSize {
		oldest := h.complete[0]
		h.complete = h.complete[1:]
		h.size -= h.asked[oldest].size
		delete(h.asked, oldest)
	}
}

// ask makes a call until it succeeds, fails for good, or the retries or the time of ctx are exhausted.
func (h *Handler) ask(ctx context.Context, rule *Rule, attempt func(context.Context) (pcore.Value, error)) *answer {
	for n := 1; ; n++ {
		v, err := once(ctx, rule.Timeout, attempt)
		if err == nil || n > rule.Retries || ctx.Err() != nil || !isTemporary(err) {
			return &answer{v: v, attempts: n, err: err}
		}
		wait := backoff.Wait(n)
		if temporary, ok := errors.AsType[*function.TemporaryError](err); ok {
			wait = max(wait, min(temporary.After, backoff.LongestAsked))
		}
		if deadline, bounded := ctx.Deadline(); bounded && time.Until(deadline) <= wait {
			return &answer{attempts: n, err: err}
		}
		if h.sleep(ctx, wait); ctx.Err() != nil {
			return &answer{attempts: n, err: context.Cause(ctx)}
		}
	}
}

func once(ctx context.Context, timeout time.Duration, attempt func(context.Context) (pcore.Value, error)) (pcore.Value, error) {
	ctx = function.SingleAttempt(ctx)
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, timeout, deferred.ErrTimeout)
		defer cancel()
	}
	return attempt(ctx)
}

// SkipError is the failure of a call whose resource is skipped. It matches
// [deferred.ErrSkip].
type SkipError struct {
	// Err is the failure of the call.
	Err error
	// Named reports that the rule names the resource. The content of a container
	// is skipped only then; see [NewPlan].
	Named bool
}

func (e *SkipError) Error() string { return e.Err.Error() }

// Unwrap returns [deferred.ErrSkip] and the failure of the call.
func (e *SkipError) Unwrap() []error { return []error{deferred.ErrSkip, e.Err} }
