package compile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// process is a running compiler.rb.
type process struct {
	cmd      *exec.Cmd
	requests io.WriteCloser
	lifeline *os.File
	answers  *os.File
	messages *tail
	timeout  time.Duration
	version  string           // of Puppet
	collect  func(*reply) any // returns the answer
	ended    chan struct{}    // closed when the process has ended and all replies were read

	sending sync.Mutex
	mu      sync.Mutex
	calls   map[string]*call // by node
	status  error            // of the process, after ended
}

// call is a node that is being compiled.
type call struct {
	pid     int
	timer   *time.Timer
	late    bool // was killed because it took too long
	replied chan *reply
}

// errNotBegun is returned for a node that a process did not begin before it ended.
var errNotBegun = errors.New("the process ended before")

// startProcess starts a process and waits until it has loaded Puppet.
func startProcess(ctx context.Context, command, env []string, dir string, s *settings, timeout time.Duration, collect func(*reply) any) (*process, *reply, error) {
	var files []*os.File // of the process
	var pipes [3]*os.File
	var err error
	for i := range pipes {
		r, w, pipeErr := os.Pipe()
		if pipeErr != nil {
			return nil, nil, errors.Join(pipeErr, closeAll(pipes[:]), closeAll(files))
		}
		if i == 0 {
			r, w = w, r
		}
		files, pipes[i] = append(files, r), w
	}
	p := &process{
		cmd:      exec.Command(command[0], command[1:]...), //nolint:gosec // Ruby
		lifeline: pipes[1], answers: pipes[2], messages: &tail{}, timeout: timeout, collect: collect,
		ended: make(chan struct{}), calls: make(map[string]*call),
	}
	p.cmd.Dir, p.cmd.Env, p.cmd.ExtraFiles, p.cmd.Stdout, p.cmd.Stderr = dir, env, files, p.messages, p.messages
	p.cmd.WaitDelay = time.Second
	asGroup(p.cmd)
	p.cmd.Cancel = nil // there is no context
	if p.requests, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	_ = closeAll(files) // the process has its own
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("cannot start %s: %w", command[0], err), closeAll(pipes[:]))
	}
	ready := make(chan *reply, 1)
	go p.read(pipes[0], ready)
	go func() { _ = send(p.requests, s) }() // without it, the process ends
	first, err := p.await(ctx, ready)
	if err != nil {
		p.close()
		return nil, nil, err
	}
	return p, first, nil
}

func closeAll(files []*os.File) error {
	var errs []error
	for _, f := range files {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// await waits until the process is ready.
func (p *process) await(ctx context.Context, ready <-chan *reply) (*reply, error) {
	select {
	case r := <-ready:
		if r.Reply == replyReady {
			return r, nil
		}
		return nil, fmt.Errorf("cannot start Puppet: %s", strings.TrimSpace(r.Message))
	case <-p.ended:
		return nil, fmt.Errorf("cannot start Puppet: %w", p.death())
	case <-time.After(p.timeout):
		return nil, fmt.Errorf("no start of Puppet within %v; set a longer timeout in .pcat-compile.yaml", p.timeout)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// death describes how the process ended.
func (p *process) death() error {
	err := p.status
	if err == nil {
		err = errors.New("it ended early")
	}
	if text := p.messages.String(); text != "" {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return err
}

// read handles all replies. It runs until the process has ended.
func (p *process) read(replies *os.File, ready chan<- *reply) {
	in := bufio.NewReader(replies)
	var err error
	for {
		var r *reply
		if r, err = receive(in); err != nil {
			break
		}
		p.handle(r, ready)
	}
	_ = killGroup(p.cmd.Process.Pid) // workers, if the first process is gone
	status := p.cmd.Wait()
	if status == nil && !errors.Is(err, io.EOF) {
		status = err
	}
	_ = replies.Close()
	p.mu.Lock()
	p.status = status
	p.mu.Unlock()
	close(p.ended)
}

func (p *process) handle(r *reply, ready chan<- *reply) {
	switch r.Reply {
	case replyReady:
		ready <- r
	case replyCollect:
		_ = send(p.answers, p.collect(r)) // if it is gone, there will be no more replies
	case replyBegin:
		p.begin(r)
	case replyEnded:
		p.workerEnded(r)
	case replyError:
		if r.Node == "" {
			ready <- r
			return
		}
		p.finish(r)
	case replyCatalog:
		p.finish(r)
	}
}

// begin starts the time limit of a node.
func (p *process) begin(r *reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.calls[r.Node]
	if c == nil {
		return
	}
	c.pid = r.PID
	c.timer = time.AfterFunc(p.timeout, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.calls[r.Node] != c {
			return
		}
		c.late = true
		if c.pid == p.cmd.Process.Pid {
			_ = killGroup(c.pid)
			return
		}
		_ = kill(c.pid)
	})
}

// finish gives a reply to the caller.
func (p *process) finish(r *reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.calls[r.Node]
	if c == nil {
		return
	}
	delete(p.calls, r.Node)
	if c.timer != nil {
		c.timer.Stop()
	}
	c.replied <- r
}

// workerEnded fails the node of a worker that ended without a reply.
func (p *process) workerEnded(r *reply) {
	p.mu.Lock()
	node, late := "", false
	for name, c := range p.calls {
		if c.pid == r.PID {
			node, late = name, c.late
		}
	}
	p.mu.Unlock()
	if node == "" {
		return
	}
	failed := &reply{Reply: replyError, Node: node, Message: "the process ended: " + r.Status}
	if late {
		failed.Message = p.lateMessage()
	}
	p.finish(failed)
}

func (p *process) lateMessage() string {
	return fmt.Sprintf("not done after %v; set a longer timeout in .pcat-compile.yaml", p.timeout)
}

// compile compiles one node. The error is errNotBegun if another process has to.
func (p *process) compile(ctx context.Context, req *request) (*reply, error) {
	c := &call{replied: make(chan *reply, 1)}
	p.mu.Lock()
	p.calls[req.Node] = c
	p.mu.Unlock()
	sent := make(chan error, 1)
	go func() {
		p.sending.Lock()
		defer p.sending.Unlock()
		sent <- send(p.requests, req)
	}()
	select {
	case r := <-c.replied:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.ended:
	}
	select {
	case r := <-c.replied: // it was the last one
		return r, nil
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case c.late:
		return &reply{Reply: replyError, Node: req.Node, Message: p.lateMessage()}, nil
	case c.pid == 0:
		return nil, errNotBegun
	default:
		return &reply{Reply: replyError, Node: req.Node, Message: "the process ended: " + p.death().Error()}, nil
	}
}

// close ends the process and waits for it.
func (p *process) close() {
	_ = p.requests.Close()
	_ = killGroup(p.cmd.Process.Pid)
	<-p.ended
	_ = p.lifeline.Close()
	_ = p.answers.Close()
}

// isRunning reports whether the process has not ended.
func (p *process) isRunning() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// tail keeps the end of the output of a process.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const tailSize = 4 << 10

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if extra := len(t.data) - tailSize; extra > 0 {
		t.data = append(t.data[:0], t.data[extra:]...)
	}
	return len(p), nil
}

// String returns the last lines.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(bytes.TrimSpace(t.data)), "?")
}
