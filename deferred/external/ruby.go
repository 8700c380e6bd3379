package external

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Ruby are the functions of modules that are written in Ruby by Puppet's modern
// API: `vault_lookup/lib/puppet/functions/vault_lookup/lookup.rb` defines
// vault_lookup::lookup. It is a [function.Finder], and safe for concurrent use.
//
// One Ruby process, which needs Puppet, makes all the calls, one at a time. It is
// started by the first call and lives until Close. When it ends before, or has
// to be killed because the context of a call has ended, that call fails and the
// next one starts another.
type Ruby struct {
	o         RubyOptions
	libraries []string          // the folder lib of each module
	modules   map[string]string // the same by the name of the module
	turn      chan struct{}     // holds one element while nobody calls
	process   *process          // nil when there is none; belongs to who has the turn
}

// RubyOptions say how Ruby is started.
type RubyOptions struct {
	// Codec writes arguments and reads results. It must be set.
	Codec Codec
	// Command is the path of Ruby, or its name to be looked up in the PATH of
	// this process. Empty means ruby.
	Command string
	// ModulePath are the folders of modules.
	ModulePath []string
	// Environment is what Ruby sees of it.
	Environment Environment
	// Node is the name of the node; empty means localhost.
	Node string
	// Facts are the facts of the node. Nil means that they are not known: a
	// call that reads them fails with [function.ErrNeedsFacts].
	Facts *pcore.Hash
}

// NewRuby returns the functions of the modules. It starts nothing. The error
// tells of a module path that cannot be read.
func NewRuby(o RubyOptions) (*Ruby, error) {
	r := &Ruby{o: o, modules: map[string]string{}, turn: make(chan struct{}, 1)}
	r.turn <- struct{}{}
	r.o.ModulePath = slices.Clone(o.ModulePath)
	for i, dir := range r.o.ModulePath {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		r.o.ModulePath[i] = dir
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if name := e.Name(); isSegment(name) && r.modules[name] == "" {
				r.modules[name] = filepath.Join(dir, name, "lib")
				r.libraries = append(r.libraries, r.modules[name])
			}
		}
	}
	return r, nil
}

// Function implements [function.Finder], by the names of files alone.
func (r *Ruby) Function(name string) (*function.Function, bool) {
	parts, ok := segments(name)
	if !ok {
		return nil, false
	}
	libraries := r.libraries
	if len(parts) > 1 {
		libraries = []string{r.modules[parts[0]]}
	}
	for _, lib := range libraries {
		path := filepath.Join(lib, "puppet", "functions", filepath.Join(parts...)+".rb")
		if info, err := os.Stat(path); lib == "" || err != nil || info.IsDir() {
			continue
		}
		return external(name, path, "Returns what the Ruby code in "+path+" says.", func(c *function.Call, args *pcore.Array, hidden *secrets) (pcore.Value, error) {
			return r.call(c, name, args, hidden)
		}), true
	}
	return nil, false
}

// Close ends the Ruby process, if there is one, when the call that it makes has
// ended. Another call starts another.
func (r *Ruby) Close() error {
	<-r.turn
	defer func() { r.turn <- struct{}{} }()
	if r.process != nil {
		r.process.kill()
		r.process = nil
	}
	return nil
}

// call makes one call when it is its turn.
func (r *Ruby) call(c *function.Call, name string, args *pcore.Array, hidden *secrets) (pcore.Value, error) {
	ctx := c.Context()
	select {
	case <-r.turn:
		defer func() { r.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	list, err := r.o.Codec.Encode(args)
	if err != nil {
		return nil, fmt.Errorf("an argument cannot be written for Ruby: %w", err)
	}
	hidden.hide(r.o.Environment)
	if r.process == nil {
		if err := r.start(ctx); err != nil {
			return nil, err
		}
	}
	r.process.hidden.join(hidden)
	a, err := r.ask(ctx, question{Function: name, Arguments: list})
	if err != nil {
		return nil, err
	}
	if a.Error != nil {
		return nil, a.failure(hidden)
	}
	v, err := decode(c, r.o.Codec, a.Value)
	if err != nil {
		return nil, fmt.Errorf("the result of Ruby is no rich data: %w", err)
	}
	return v, nil
}

// start starts Ruby and waits until it has loaded Puppet.
func (r *Ruby) start(ctx context.Context) error {
	var facts pcore.Value = pcore.Undef{}
	if r.o.Facts != nil {
		facts = r.o.Facts
	}
	encoded, err := r.o.Codec.Encode(facts)
	if err != nil {
		return fmt.Errorf("a fact cannot be written for Ruby: %w", err)
	}
	if r.process, err = newProcess(r.o.Command, r.o.Environment); err != nil {
		return err
	}
	r.process.hidden.hide(r.o.Environment)
	a, err := r.ask(ctx, world{r.o.ModulePath, r.libraries, r.node(), encoded})
	if err == nil && a.Error != nil {
		err = fmt.Errorf("Ruby cannot load Puppet: %w", a.failure(r.process.hidden))
		r.process.kill()
		r.process = nil
	}
	return err
}

func (r *Ruby) node() string {
	if r.o.Node == "" {
		return "localhost"
	}
	return r.o.Node
}

// ask sends a line and returns the answer. When there is none, the process is
// gone.
func (r *Ruby) ask(ctx context.Context, line any) (a reply, err error) {
	if a, err = r.process.ask(ctx, line); err != nil {
		r.process = nil
	}
	return a, err
}
