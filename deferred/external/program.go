package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/pcatdev/pcat/pcore/function"
)

// program is one start of a program that reads, prints and ends.
type program struct {
	path, dir string
	env       Environment
	input     []byte
}

// grace is how long the ends of pipes are waited for that children of a program
// hold after it has ended.
const grace = time.Second

// statusError is how a program ended that did not succeed.
type statusError struct {
	code int // -1 when a signal ended it
	err  *exec.ExitError
}

func (e *statusError) Error() string { return "the program ended with " + e.err.String() }
func (e *statusError) Unwrap() error { return e.err }

// run starts the program and waits for its end. said is what it printed on
// standard error. The error is a *statusError when the program says itself that
// it failed; no error quotes anything that was read or printed.
func (p program) run(c *function.Call) (printed []byte, said *output, err error) {
	ctx, cancel := context.WithCancelCause(c.Context())
	defer cancel(nil)
	cmd := exec.CommandContext(ctx, p.path) //nolint:gosec // a file below the folder that the user named, found by a checked name
	cmd.Dir, cmd.Env = p.dir, p.env.list()
	cmd.WaitDelay = grace
	asGroup(cmd)
	result := &output{max: maxResult, hold: c.Memory.Hold, full: cancel}
	said = &output{max: maxSaid}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(p.input), result, said
	err = cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		_ = killGroup(cmd) // what it left behind holds the pipes
		err = nil
	}
	switch ended, isExit := errors.AsType[*exec.ExitError](err); {
	case ctx.Err() != nil:
		return nil, said, context.Cause(ctx)
	case isExit:
		return nil, said, &statusError{ended.ExitCode(), ended}
	case err != nil:
		return nil, said, fmt.Errorf("it cannot be started: %w", err)
	}
	return result.kept.Bytes(), said, nil
}
