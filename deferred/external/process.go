package external

import (
	"bufio"
	"cmp"
	"context"
	_ "embed" // for the Ruby program
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"

	"github.com/pcatdev/pcat/pcore/function"
)

//go:embed ruby.rb
var rubyProgram string

// world is the first line of input for the Ruby program.
type world struct {
	ModulePath []string        `json:"modulepath"`
	Libraries  []string        `json:"libraries"`
	Node       string          `json:"node"`
	Facts      json.RawMessage `json:"facts"`
}

// question is any other line of input.
type question struct {
	Function  string          `json:"function"`
	Arguments json.RawMessage `json:"arguments"`
}

// reply is a line of output.
type reply struct {
	Value json.RawMessage `json:"value"`
	Error *string         `json:"error"`
	// NeedsFacts reports that the call read facts and there are none.
	NeedsFacts bool `json:"needs_facts"`
}

// failure returns the error of the call, without secrets.
func (a reply) failure(hidden *secrets) error {
	if a.NeedsFacts {
		return function.ErrNeedsFacts
	}
	said := &output{max: maxSaid}
	_, _ = said.Write([]byte(*a.Error)) // never fails
	message, err := hidden.message(said)
	if err != nil {
		return err
	}
	return errors.New(message)
}

// process is a running program that answers line by line. It is not safe for
// concurrent use.
type process struct {
	cmd     *exec.Cmd
	stop    context.CancelFunc // kills the process
	stdin   io.WriteCloser
	answers *bufio.Scanner
	said    *output
	hidden  *secrets // secrets of all calls so far
}

// newProcess starts Ruby.
func newProcess(command string, env Environment) (*process, error) {
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, cmp.Or(command, "ruby"), "-e", rubyProgram) //nolint:gosec // command named by the user
	cmd.Env = env.list()
	cmd.WaitDelay = grace
	asGroup(cmd)
	p := &process{cmd: cmd, stop: stop, said: &output{max: maxSaid}, hidden: new(secrets)}
	cmd.Stderr = p.said
	stdin, err := cmd.StdinPipe()
	if err != nil {
		stop()
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		stop()
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		stop()
		return nil, fmt.Errorf("cannot start Ruby: %w", err)
	}
	p.stdin, p.answers = stdin, bufio.NewScanner(stdout)
	p.answers.Buffer(nil, maxResult)
	return p, nil
}

// ask sends a line and returns the reply. After an error, the process has ended.
// The error is the error of ctx, or describes how the process ended.
func (p *process) ask(ctx context.Context, line any) (a reply, err error) {
	text, err := json.Marshal(line)
	if err != nil {
		p.kill()
		return reply{}, err
	}
	p.said.reset()
	unwatch := context.AfterFunc(ctx, p.stop)
	defer unwatch()
	_, err = p.stdin.Write(append(text, '\n'))
	if err == nil && p.answers.Scan() {
		err = json.Unmarshal(p.answers.Bytes(), &a)
		if err == nil && unwatch() {
			return a, nil
		}
		p.stop()
	}
	return reply{}, p.ended(ctx)
}

// ended waits for the process and returns the reason of a missing reply.
func (p *process) ended(ctx context.Context) error {
	tooLong := errors.Is(p.answers.Err(), bufio.ErrTooLong)
	_ = p.stdin.Close()
	if tooLong || ctx.Err() != nil {
		p.stop()
	}
	err := p.cmd.Wait()
	p.stop()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case tooLong:
		return errTooLong
	}
	how := "exit status 0"
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		how = ended.String()
	}
	message, err := p.hidden.message(p.said)
	switch {
	case err != nil:
		return fmt.Errorf("the Ruby process ended: %s; %w", how, err)
	case message == "":
		return fmt.Errorf("the Ruby process ended: %s", how)
	}
	return fmt.Errorf("the Ruby process ended: %s: %s", how, message)
}

// kill kills the process and its descendants.
func (p *process) kill() {
	p.stop()
	_ = p.stdin.Close()
	_ = p.cmd.Wait()
}
