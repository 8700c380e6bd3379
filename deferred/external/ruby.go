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

// Ruby provides the functions that are written in Ruby: those of modules, with
// Puppet's modern API or its 3.x API, and the ones of Puppet that no Go code can
// replace: generate, template and inline_template.
// `vault_lookup/lib/puppet/functions/vault_lookup/lookup.rb` defines
// vault_lookup::lookup, and `lib/puppet/parser/functions/pick.rb` of any module
// defines pick. Ruby implements [function.Finder] and is safe for concurrent use.
//
// A single Ruby process, which requires Puppet, makes all calls, one at a time.
// The first call starts it, and it runs until Close. If it ends before that, or
// is killed because the context of a call ended, the call fails and the next
// call starts a new process.
type Ruby struct {
	o         RubyOptions
	libraries []string          // the lib folder of each module
	modules   map[string]string // lib folders by module name
	turn      chan struct{}     // contains one element while no call is active
	process   *process          // nil if not running; owned by the holder of turn
}

// RubyOptions configure [Ruby].
type RubyOptions struct {
	// Codec encodes arguments and decodes results. It is required.
	Codec Codec
	// Command is the path of Ruby, or a name that is searched in the PATH of
	// the current process. Empty means ruby.
	Command string
	// ModulePath are the folders that contain modules.
	ModulePath []string
	// Environment is the environment of the Ruby process.
	Environment Environment
	// Node is the name of the node; empty means localhost.
	Node string
	// Facts are the facts of the node. If nil, they are unknown: a call that
	// reads them fails with [function.ErrNeedsFacts].
	Facts *pcore.Hash
}

// NewRuby returns the functions of the modules, without starting Ruby. It fails
// if a module path cannot be read.
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

// Function implements [function.Finder]. It only looks at file names.
func (r *Ruby) Function(name string) (*function.Function, bool) {
	parts, ok := segments(name)
	if !ok {
		return nil, false
	}
	source, ok := r.source(parts)
	if !ok {
		return nil, false
	}
	doc := "Returns the result of the Ruby code in " + source + "."
	return external(name, source, doc, func(c *function.Call, args *pcore.Array, hidden *secrets) (pcore.Value, error) {
		return r.call(c, name, args, hidden)
	}), true
}

// source returns the file that defines a function, or "puppet". As in Puppet, in a
// module a function of the modern API precedes one of the 3.x API, whose names have
// one part.
func (r *Ruby) source(parts []string) (string, bool) {
	libraries := r.libraries
	if len(parts) > 1 {
		libraries = []string{r.modules[parts[0]]}
	}
	file := filepath.Join(parts...) + ".rb"
	folders := []string{"functions"}
	if len(parts) == 1 {
		folders = append(folders, filepath.Join("parser", "functions"))
	}
	for _, lib := range libraries {
		for _, folder := range folders {
			path := filepath.Join(lib, "puppet", folder, file)
			if info, err := os.Stat(path); lib != "" && err == nil && !info.IsDir() {
				return path, true
			}
		}
	}
	if len(parts) == 1 {
		switch parts[0] {
		case "generate", "inline_template", "template":
			return "puppet", true
		}
	}
	return "", false
}

// Close ends the Ruby process, if any, after the active call. A later call
// starts a new process.
func (r *Ruby) Close() error {
	<-r.turn
	defer func() { r.turn <- struct{}{} }()
	if r.process != nil {
		r.process.kill()
		r.process = nil
	}
	return nil
}

// call makes one call when no other call is active.
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
		return nil, fmt.Errorf("cannot encode an argument for Ruby: %w", err)
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
		return nil, fmt.Errorf("the result from Ruby is not rich data: %w", err)
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
		return fmt.Errorf("cannot encode a fact for Ruby: %w", err)
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

// ask sends a line and returns the reply. It discards the process on failure.
func (r *Ruby) ask(ctx context.Context, line any) (a reply, err error) {
	if a, err = r.process.ask(ctx, line); err != nil {
		r.process = nil
	}
	return a, err
}
