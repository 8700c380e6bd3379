package function

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/pcatdev/pcat/pcore"
)

// Call is one call of a function, as its implementation sees it. It is valid
// until the implementation returns, and is not shared between goroutines.
type Call struct {
	*Env
	// Block is the lambda that was given, nil when none was.
	Block Block

	ctx      context.Context //nolint:containedctx // a Call lives as long as one call, as an http.Request does
	function *Function
	frame
}

// frame is what a call hands on to those within it.
type frame struct {
	depth int
	// clear tells that there are secrets in clear among the arguments.
	clear bool
}

// inside returns the frame of a call within.
func (f frame) inside() frame { return frame{f.depth + 1, f.clear} }

// Block is a lambda given to a function.
type Block interface {
	// Call evaluates the lambda. Arguments that it has no parameters for are
	// left out. A `next` within it has become its result; the other jumps
	// come back as a [Jump] error.
	Call(ctx context.Context, args ...pcore.Value) (pcore.Value, error)
	// Signature is what the lambda accepts and returns.
	Signature() *Signature
}

// Context is the context of the call. It ends when nobody wants the result any
// more.
func (c *Call) Context() context.Context { return c.ctx }

// InClear reports whether there may be secrets in clear among the arguments; see
// the function [InClear].
func (c *Call) InClear() bool { return c.clear }

// Function returns the function that is called.
func (c *Call) Function() *Function { return c.function }

// Call calls another function.
func (c *Call) Call(name string, args ...pcore.Value) (pcore.Value, error) {
	return c.CallWith(nil, name, args...)
}

// CallWith calls another function with a block.
func (c *Call) CallWith(block Block, name string, args ...pcore.Value) (pcore.Value, error) {
	return c.call(c.ctx, c.inside(), name, args, block)
}

// Forward gives the call over to another function that was found already.
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

// Spend takes n units of the budget, and fails when the context has ended.
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

// Say logs text.
func (c *Call) Say(level Level, text string) {
	if c.Log != nil {
		c.Log(level, text)
	}
}

// Deprecated logs a warning that the call uses what should not be used any
// more.
func (c *Call) Deprecated(text string) {
	c.Say(Warning, text+"\n   "+unknownPlace)
}

// DeprecatedHere is Deprecated with the place of the call.
func (c *Call) DeprecatedHere(text string) {
	place := unknownPlace
	if c.Place != nil {
		if file, line := c.Place(); line > 0 {
			place = fmt.Sprintf("(file: %s, line: %d)", cmp.Or(file, "unknown"), line)
		}
	}
	c.Say(Warning, text+"\n   "+place)
}

const unknownPlace = "(file & line not available)"

// Read returns the content of the first of the named files that exists. found
// is false when none does.
func (c *Call) Read(kind FileKind, names ...string) (content []byte, path string, found bool, err error) {
	path, found, err = c.FindFile(kind, names...)
	if err != nil || !found {
		return nil, "", false, err
	}
	content, err = c.Files.ReadFile(path, c.Reserve)
	if err != nil {
		return nil, "", false, err
	}
	return content, path, true, nil
}

// FindFile returns the path of the first of the named files that exists.
func (c *Call) FindFile(kind FileKind, names ...string) (path string, found bool, err error) {
	if c.Files == nil {
		return "", false, fmt.Errorf("files cannot be read here: %w", ErrNotAllowed)
	}
	for _, name := range names {
		if path, found, err = c.Files.Find(kind, name); err != nil || found {
			return path, found, err
		}
	}
	return "", false, nil
}
