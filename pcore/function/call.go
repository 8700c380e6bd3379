package function

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
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

// Deprecated logs a deprecation warning without a source location.
func (c *Call) Deprecated(text string) {
	c.Say(Warning, text+"\n   "+unknownPlace)
}

// DeprecatedHere logs a deprecation warning with the source location of the
// call.
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

// Read returns the content and the path of the first of the named files that
// exists. If none does, found is false.
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

// ReadFolder returns the entries of a folder, sorted by name.
func (c *Call) ReadFolder(path string) ([]fs.DirEntry, error) {
	folders, err := c.folders()
	if err != nil {
		return nil, err
	}
	return folders.ReadFolder(path, c.Reserve)
}

// FileType returns the type of a file or a folder. With follow, it follows a
// symbolic link.
func (c *Call) FileType(path string, follow bool) (fs.FileMode, error) {
	folders, err := c.folders()
	if err != nil {
		return 0, err
	}
	return folders.FileType(path, follow)
}

func (c *Call) folders() (Folders, error) {
	if folders, ok := c.Files.(Folders); ok {
		return folders, nil
	}
	return nil, fmt.Errorf("folders cannot be read here: %w", fs.ErrPermission)
}

// FindFile returns the path of the first of the named files that exists.
func (c *Call) FindFile(kind FileKind, names ...string) (path string, found bool, err error) {
	if c.Files == nil {
		return "", false, fmt.Errorf("files cannot be read here: %w", fs.ErrPermission)
	}
	for _, name := range names {
		if path, found, err = c.Files.Find(kind, name); err != nil || found {
			return path, found, err
		}
	}
	return "", false, nil
}
