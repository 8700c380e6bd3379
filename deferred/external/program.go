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

// program is a command that reads its input, prints a result and exits.
type program struct {
	path, dir string
	env       Environment
	input     []byte
}

// grace is the maximum wait for pipes that children of a program keep open after
// it has ended.
const grace = time.Second

// statusError is the unsuccessful end of a program.
type statusError struct {
	code int // -1 after a signal
	err  *exec.ExitError
}

func (e *statusError) Error() string { return "the program failed: " + e.err.String() }
func (e *statusError) Unwrap() error { return e.err }

// run runs the program. said is its output on standard error. The error is a
// *statusError if the program itself reports a failure. No error contains input
// or output of the program.
func (p program) run(c *function.Call) (printed []byte, said *output, err error) {
	ctx, cancel := context.WithCancelCause(c.Context())
	defer cancel(nil)
	cmd := exec.CommandContext(ctx, p.path) //nolint:gosec // a file below the user's folder, found by a checked name
	cmd.Dir, cmd.Env = p.dir, p.env.list()
	cmd.WaitDelay = grace
	asGroup(cmd)
	result := &output{max: maxResult, hold: c.Memory.Hold, full: cancel}
	said = &output{max: maxSaid}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(p.input), result, said
	err = cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		_ = killGroup(cmd) // children keep the pipes open
		err = nil
	}
	switch ended, isExit := errors.AsType[*exec.ExitError](err); {
	case ctx.Err() != nil:
		return nil, said, context.Cause(ctx)
	case isExit:
		return nil, said, &statusError{ended.ExitCode(), ended}
	case err != nil:
		return nil, said, fmt.Errorf("cannot be started: %w", err)
	}
	return result.kept.Bytes(), said, nil
}
