package external

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/internal/backoff"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Plugins are functions implemented by executables in a folder:
// `vault_lookup/lookup` implements vault_lookup::lookup, and `motto` implements
// motto. Plugins implements [function.Finder] and is safe for concurrent use.
//
// A program reads its arguments as an array from standard input and writes its
// result to standard output, both encoded by the [Codec]. It is started in the
// plugin folder, without command-line arguments. If its exit status is not 0,
// the call has failed, and the standard error contains the reason. The status
// temporary requests a retry.
type Plugins struct {
	dir   string
	codec Codec
	env   Environment
	retry retries
}

// temporary is the exit status of a plugin that may succeed later: EX_TEMPFAIL
// in sysexits.h.
const temporary = 75

// errTemporary is wrapped by the error of a call that failed temporarily, and
// again in each retry.
var errTemporary = errors.New("temporary failure")

// PluginOptions configure [Plugins].
type PluginOptions struct {
	// Codec encodes arguments and decodes results. It is required.
	Codec Codec
	// Environment is the environment of the programs.
	Environment Environment
	// Retries is the maximum number of retries after a temporary failure.
	// The wait before a retry doubles from 250 ms up to 10 s, and is then
	// reduced by a random amount of up to one half. A call fails without a
	// retry if the wait would exceed the deadline of its context.
	Retries int
}

// NewPlugins returns the functions implemented by executables below dir. It
// fails if dir is not a folder.
func NewPlugins(dir string, o PluginOptions) (*Plugins, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: errors.New("not a directory; name a directory with one program for each function")}
	}
	return &Plugins{dir: dir, codec: o.Codec, env: o.Environment, retry: retries{most: o.Retries, sleep: backoff.Sleep}}, nil
}

// Function implements [function.Finder]. It also returns functions whose file is
// not executable; calling one returns an error.
func (p *Plugins) Function(name string) (*function.Function, bool) {
	parts, ok := segments(name)
	if !ok {
		return nil, false
	}
	path := filepath.Join(p.dir, filepath.Join(parts...))
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return nil, false
	}
	return external(name, path, "Returns the result of the program "+path+".", func(c *function.Call, args *pcore.Array, hidden *secrets) (pcore.Value, error) {
		hidden.hide(p.env)
		if !info.Mode().IsRegular() || !isExecutable(info) {
			return nil, fmt.Errorf("cannot start the plugin %s: not executable; use chmod +x", path)
		}
		input, err := p.codec.Encode(args)
		if err != nil {
			return nil, fmt.Errorf("cannot encode an argument for the plugin: %w", err)
		}
		run := program{path: path, dir: p.dir, env: p.env, input: input}
		return p.retry.do(c, func() (pcore.Value, error) { return p.once(c, run, hidden) })
	}), true
}

// All returns the functions with an existing file, sorted by name. It fails if a
// folder cannot be read.
func (p *Plugins) All() ([]*function.Function, error) {
	var all []*function.Function
	err := fs.WalkDir(os.DirFS(p.dir), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if f, ok := p.Function(strings.ReplaceAll(path, "/", "::")); ok {
			all = append(all, f)
		}
		return nil
	})
	slices.SortFunc(all, func(a, b *function.Function) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}

// once runs a plugin once.
func (p *Plugins) once(c *function.Call, run program, hidden *secrets) (pcore.Value, error) {
	printed, said, err := run.run(c)
	if err != nil {
		return nil, failure(err, said, hidden)
	}
	if len(printed) == 0 {
		return nil, errors.New("the plugin printed no result; to return undef, print null")
	}
	v, err := decode(c, p.codec, printed)
	if err != nil {
		return nil, fmt.Errorf("the output of the plugin is not rich data: %w", err)
	}
	return v, nil
}

// failure returns the reason of a program's failure, from its own message if
// any.
func failure(err error, said *output, hidden *secrets) error {
	status, ended := errors.AsType[*statusError](err)
	if !ended {
		return err
	}
	message, withheld := hidden.message(said)
	reason := errors.New(message)
	switch {
	case withheld != nil:
		reason = fmt.Errorf("%w; %w", status, withheld)
	case message == "":
		reason = status
	}
	if status.code == temporary {
		return &function.TemporaryError{Err: &temporaryError{reason}}
	}
	return reason
}

// temporaryError is a temporary failure.
type temporaryError struct{ err error }

func (e *temporaryError) Error() string        { return e.err.Error() }
func (e *temporaryError) Unwrap() error        { return e.err }
func (e *temporaryError) Is(target error) bool { return target == errTemporary }
