package main

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// peer is a candidate in a separate program. The program reads one question per
// line from standard input and writes one answer per line:
//
//	{"job":"json-to-msgpack","input":FILE,"times":5,"output":FILE}
//	{"cpu_ns":123456,"allocs":789}
//
// It runs the job the given number of times, and reports the total CPU time and
// allocations, without reading the input and writing the output. The output is
// the output of the last run, and is only written if a file is named. Other
// answers are {"unsupported":true} and {"error":TEXT}. The jobs with their
// inputs and outputs are:
//
//	json-to-msgpack, msgpack-to-json   a document -> the other format
//	decode-json, decode-msgpack        a document -> nothing: its data in memory counts
//	parse-types   {"texts":[…]} -> [TEXT or null, …], each type printed, null if it is invalid
//	assignable    {"types":[…],"pairs":[[T,U],…]} -> [true, false or null, …], is T assignable from U
//	instance      {"types":[…],"values":[RICH DATA,…],"pairs":[[V,T],…]} -> likewise, is V an instance of T
//
// In the last two, types and values are prepared in advance, and only the pairs
// are timed.
type peer struct {
	name    string
	command []string
	folder  string // for outputs
	running *process
	failed  error
}

type process struct {
	cmd       *exec.Cmd
	questions io.WriteCloser
	answers   *bufio.Reader
	complaint bytes.Buffer
}

type question struct {
	Job    string `json:"job,omitempty"`
	Input  string `json:"input,omitempty"`
	Times  int    `json:"times"`
	Output string `json:"output,omitempty"`

	// For the launcher: the command, its exit code, and whether to measure wall-clock
	// time only.
	Command []string `json:"command,omitempty"`
	Code    int      `json:"code,omitempty"`
	Clock   bool     `json:"clock,omitempty"`
}

type answer struct {
	CPU         int64  `json:"cpu_ns"`
	Clock       int64  `json:"clock_ns,omitempty"`
	Allocs      uint64 `json:"allocs,omitempty"`
	Peak        int64  `json:"peak_bytes,omitempty"`
	Unsupported bool   `json:"unsupported,omitempty"`
	Error       string `json:"error,omitempty"`
}

//go:embed peers
var scripts embed.FS

// ourPeers returns the included peers, and writes their scripts to folder.
func ourPeers(folder string) ([]*peer, error) {
	var all []*peer
	for _, p := range []struct{ name, script string }{
		{"Ruby json, msgpack", "ruby.rb"},
		{"real Puppet", "puppet.rb"},
	} {
		text, err := scripts.ReadFile("peers/" + p.script)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(folder, p.script)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return nil, err
		}
		all = append(all, &peer{name: p.name, command: []string{"ruby", path}, folder: folder})
	}
	return all, nil
}

// otherPeer returns the peer for an argument NAME=COMMAND.
func otherPeer(argument, folder string) (*peer, error) {
	name, command, ok := strings.Cut(argument, "=")
	words := strings.Fields(command)
	if !ok || len(words) == 0 {
		return nil, fmt.Errorf("-peer %q: want NAME=COMMAND", argument)
	}
	return &peer{name: name, command: words, folder: folder}, nil
}

// start starts the program unless it is already running.
func (p *peer) start() error {
	if p.running != nil || p.failed != nil {
		return p.failed
	}
	r := &process{cmd: exec.Command(p.command[0], p.command[1:]...)}
	r.cmd.Stderr = &r.complaint
	in, err := r.cmd.StdinPipe()
	if err == nil {
		r.questions = in
		var out io.Reader
		out, err = r.cmd.StdoutPipe()
		r.answers = bufio.NewReader(out)
	}
	if err == nil {
		err = r.cmd.Start()
	}
	if err != nil {
		p.failed = fmt.Errorf("%w: %w", errNotHere, err)
		return p.failed
	}
	p.running = r
	return nil
}

// stop ends the program.
func (p *peer) stop() error {
	if p.running == nil {
		return nil
	}
	return errors.Join(p.running.questions.Close(), p.running.cmd.Wait())
}

func (p *peer) ask(q question) (usage, error) {
	if err := p.start(); err != nil {
		return usage{}, err
	}
	line, err := json.Marshal(q)
	if err != nil {
		return usage{}, err
	}
	var a answer
	if _, err = p.running.questions.Write(append(line, '\n')); err == nil {
		if line, err = p.running.answers.ReadBytes('\n'); err == nil {
			err = json.Unmarshal(line, &a)
		}
	}
	switch {
	case err != nil:
		// It ended or sent an invalid answer; further questions would
		// fail, too.
		p.failed = fmt.Errorf("%w: %w: %s", errNotHere, err, lastLine(p.running.complaint.String()))
		return usage{}, p.failed
	case a.Unsupported:
		return usage{}, errUnsupported
	case a.Error != "":
		return usage{}, errors.New(a.Error)
	}
	return usage{cpu: time.Duration(a.CPU), clock: time.Duration(a.Clock), allocs: a.Allocs, peak: a.Peak}, nil
}

var errUnsupported = errors.New("does not do this")

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// once requests one run and returns the output.
func (p *peer) once(job, input string) ([]byte, error) {
	output := filepath.Join(p.folder, "output")
	if _, err := p.ask(question{Job: job, Input: input, Times: 1, Output: output}); err != nil {
		return nil, err
	}
	return os.ReadFile(output)
}

func (p *peer) candidate(job, input string, check func() (exact, error)) *candidate {
	return &candidate{name: p.name, check: check, run: func(n int) (usage, error) {
		return p.ask(question{Job: job, Input: input, Times: n})
	}}
}

// converter returns a candidate that converts input to want.
func (p *peer) converter(job, input string, want []byte, read func([]byte) (any, error)) *candidate {
	return p.candidate(job, input, func() (exact, error) {
		got, err := p.once(job, input)
		if err != nil {
			return "", err
		}
		return compare(want, got, read)
	})
}

// reader returns a candidate that reads input and has no output.
func (p *peer) reader(job, input string) *candidate {
	return p.candidate(job, input, func() (exact, error) {
		_, err := p.ask(question{Job: job, Input: input, Times: 1})
		return "", err
	})
}
