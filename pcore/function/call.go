package function

import (
	"context"
	"time"

	"github.com/pcatdev/pcat/pcore"
)

// Call is one call of a function, as seen by its implementation. It is valid
// until the implementation returns and must not be shared between goroutines.
type Call struct {
	*Env
	// Block is the lambda passed to the call, or nil.
	Block Block

	ctx      context.Context //nolint:containedctx // a Call lives as long as one call, as an http.Request does
	function *Function
	frame
}

// frame is the state that a call passes on to nested calls.
type frame struct {
	depth int
	// clear reports that the arguments may contain unwrapped secrets.
	clear bool
}

// inside returns the frame of a nested call.
func (f frame) inside() frame { return frame{f.depth + 1, f.clear} }

// Block is a lambda passed to a function.
type Block interface {
	// Call evaluates the lambda. Surplus arguments are dropped. The value of
	// a `next` is the result; the other jumps are returned as errors; see [IsBreak]
	// error.
	Call(ctx context.Context, args ...pcore.Value) (pcore.Value, error)
	// Signature returns the parameters and the result type of the lambda.
	Signature() *Signature
}

// Context returns the context of the call. It is canceled when the result is no
// longer needed.
func (c *Call) Context() context.Context { return c.ctx }

// InClear reports whether the arguments may contain unwrapped secrets; see the
// function [InClear].
func (c *Call) InClear() bool { return c.clear }

// Function returns the called function.
func (c *Call) Function() *Function { return c.function }

// Call calls another function.
func (c *Call) Call(name string, args ...pcore.Value) (pcore.Value, error) {
	return c.CallWith(nil, name, args...)
}

// CallWith calls another function with a block.
func (c *Call) CallWith(block Block, name string, args ...pcore.Value) (pcore.Value, error) {
	return c.call(c.ctx, c.inside(), name, args, block)
}

// Forward passes the arguments and the block on to f, which is already resolved.
func (c *Call) Forward(f *Function, args []pcore.Value) (pcore.Value, error) {
	return c.apply(c.ctx, c.inside(), f, args, c.Block)
}

// Yield calls the block.
func (c *Call) Yield(args ...pcore.Value) (pcore.Value, error) {
	if err := c.Spend(callCost); err != nil {
		return nil, err
	}
	return c.Block.Call(c.ctx, args...)
}

// Spend takes n units of the budget. It fails if the context has ended.
func (c *Call) Spend(n int) error {
	if err := c.Budget.Spend(n); err != nil {
		return err
	}
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	return nil
}

// Variable returns the value of a variable; see [Variables].
func (c *Call) Variable(name string) (v pcore.Value, ok bool, err error) {
	if c.Variables == nil {
		return nil, false, nil
	}
	return c.Variables.Variable(name)
}

// Time returns the time of day.
func (c *Call) Time() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

// Say logs text; it does nothing without [Env.Log].
func (c *Call) Say(level Level, text string) {
	if c.Log != nil {
		c.Log(level, text)
	}
}
