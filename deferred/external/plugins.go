package external

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Plugins are the functions for which there is an executable in a folder:
// `vault_lookup/lookup` answers vault_lookup::lookup, `motto` answers motto. It
// is a [function.Finder], and safe for concurrent use.
//
// The program reads the arguments as an array from its standard input, and
// writes the result to its standard output, both in rich data. It is started in
// the folder of the plugins, without arguments. When it ends with another status
// than 0, the call has failed, and what stands on standard error is the reason;
// by the status [Temporary] it asks to be started again.
type Plugins struct {
	dir   string
	codec Codec
	env   Environment
	retry backoff
}

// Temporary is the exit status by which a plugin says that it may succeed later:
// EX_TEMPFAIL of sysexits.h.
const Temporary = 75

// ErrTemporary is in the chain of the error of a call that failed for a reason
// that may pass, each time it was tried.
var ErrTemporary = errors.New("a temporary failure")

// PluginOptions say how plugins are started.
type PluginOptions struct {
	// Codec writes arguments and reads results. It must be set.
	Codec Codec
	// Environment is what the programs see of it.
	Environment Environment
	// Retries is how often a call is tried again after a temporary failure.
	// The wait before it doubles from a quarter of a second up to ten seconds,
	// by chance down to the half of it, and ends with the context of the
	// call: what cannot be tried again in time has failed.
	Retries int
}

// NewPlugins returns the functions of the executables below dir. The error
// tells that dir is no folder.
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
		return nil, &fs.PathError{Op: "open", Path: dir, Err: errors.New("no folder: give the one that has a program for each function")}
	}
	return &Plugins{dir: dir, codec: o.Codec, env: o.Environment, retry: backoff{retries: o.Retries, sleep: sleep}}, nil
}

// Function implements [function.Finder]. A file that cannot be started is found
// as well: each call fails and says so.
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
	return external(name, path, "Returns what the program "+path+" says.", func(c *function.Call, args *pcore.Array, hidden *secrets) (pcore.Value, error) {
		hidden.hide(p.env)
		if !info.Mode().IsRegular() || !isExecutable(info) {
			return nil, fmt.Errorf("the plugin %s cannot be started: chmod +x makes it executable", path)
		}
		input, err := p.codec.Encode(args)
		if err != nil {
			return nil, fmt.Errorf("an argument cannot be written for the plugin: %w", err)
		}
		run := program{path: path, dir: p.dir, env: p.env, input: input}
		return p.retry.do(c, func() (pcore.Value, error) { return p.once(c, run, hidden) })
	}), true
}

// All returns the functions for which there is a file now, sorted by name. The
// error tells of a folder that cannot be read.
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

// once starts a plugin once.
func (p *Plugins) once(c *function.Call, run program, hidden *secrets) (pcore.Value, error) {
	printed, said, err := run.run(c)
	if err != nil {
		return nil, failure(err, said, hidden)
	}
	if len(printed) == 0 {
		return nil, errors.New("the plugin printed no result: for undef, it prints null")
	}
	v, err := decode(c, p.codec, printed)
	if err != nil {
		return nil, fmt.Errorf("the plugin printed no rich data: %w", err)
	}
	return v, nil
}

// failure returns why a program failed: what it says itself, if it says anything.
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
	if status.code == Temporary {
		return &temporaryError{reason}
	}
	return reason
}

// temporaryError is a failure that may pass.
type temporaryError struct{ err error }

func (e *temporaryError) Error() string        { return e.err.Error() }
func (e *temporaryError) Unwrap() error        { return e.err }
func (e *temporaryError) Is(target error) bool { return target == ErrTemporary }
