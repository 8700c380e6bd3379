package function

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/pcatdev/pcat/pcore"
)

// Env is the environment of function calls: everything that they use besides
// their arguments. Functions is required. If another field is nil, its default
// applies, or a function that needs it returns an error. Do not change the fields
// while calls run. An Env is safe for concurrent use if the values in its fields
// are.
type Env struct {
	// Functions looks up functions by name. It is required.
	Functions Finder
	// Allow is called before each call, including nested calls, and refuses
	// it by returning an error. If it is nil, only functions whose effects
	// are [Harmless] run.
	Allow func(*Function) error
	// Variables provides the variables for getvar and other functions.
	Variables Variables
	// LaxVariables makes a variable that is not set undef, for the function
	// call.
	LaxVariables bool
	// Files provides the files for file and other functions. It decides
	// which files may be read.
	Files Files
	// New constructs an instance of a type, for the functions new and
	// convert_to. Nil selects the constructors of the language.
	New func(c *Call, t pcore.Type, args []pcore.Value) (pcore.Value, error)
	// ParseType parses the text of a type, such as `Integer[1]`, for
	// assert_type. Nil parses the types of the language.
	ParseType func(text string) (pcore.Type, error)
	// Resolve makes the call of a Deferred, for the function call. If it is
	// nil, the call and any Deferred arguments are evaluated immediately.
	Resolve func(c *Call, d *pcore.Deferred) (pcore.Value, error)
	// Template evaluates an EPP template, for epp and inline_epp. name is
	// the source of the text, empty for inline_epp. parameters is nil if
	// none were given.
	Template func(c *Call, name, text string, parameters *pcore.Hash) (pcore.Value, error)
	// Defined reports whether a name, or a reference to a resource or class,
	// is known. It implements the function defined.
	Defined func(v pcore.Value) (bool, error)
	// Log receives the messages of functions such as notice.
	Log func(level Level, text string)
	// Deprecated receives the warnings about deprecated arguments. Puppet logs only the first one with a
	// key. Nil passes all of them to Log.
	Deprecated func(key, text string)
	// Location returns the source location of the current call; Location is nil if
	// it is never known. file is empty for unnamed source text. line is 0
	// for a call that has no source.
	Location func() (file string, line int)
	// Now returns the current time; nil means [time.Now].
	Now func() time.Time
	// Budget limits the total work of all calls; nil means no limit.
	Budget *Budget
	// Memory limits the memory that calls hold at one time; nil means no
	// limit.
	Memory *Memory
	// Strict is the setting strict=error: functions that puppetlabs-stdlib no longer
	// wants to be called fail.
	Strict bool
	// KeepSecrets unwraps the Sensitive arguments of a function that does
	// not handle them, and makes its result a Sensitive. Otherwise such a
	// function receives the Sensitive, as in Puppet, and either rejects it
	// or formats it as [pcore.RedactedText]. See
	// [Function.HandlesSensitive].
	KeepSecrets bool
}

// Variables provides the variables that a call can read.
type Variables interface {
	// Variable returns the value of a variable, named without its `$`. If
	// the variable is not set, ok is false. An implementation may return an
	// error instead, as a strict mode does for unknown variables.
	Variable(name string) (v pcore.Value, ok bool, err error)
}

// Files provides the files that a call can read. A name is either an absolute
// path or `module/path`, where path is relative to the module's folder for the
// kind of file.
type Files interface {
	// Find returns the path of a file. A missing file is not an error: found
	// is false. A file that may not be read is one.
	Find(kind FileKind, name string) (path string, found bool, err error)
	// ReadFile returns the content of a file that Find returned. It calls allow
	// with the number of bytes that it is about to read, several times when
	// the file is longer than its size says, and stops when that returns an
	// error. A nil allow allows any number.
	ReadFile(path string, allow func(n int) error) ([]byte, error)
	// ModuleDir returns the path of a module.
	ModuleDir(module string) (path string, found bool, err error)
}

// Folders is implemented by [Files] that also list folders.
type Folders interface {
	// ReadFolder returns the entries of a folder, sorted by name. It calls
	// allow with the number of bytes of their names, several times for a
	// large folder, and stops when that returns an error. A nil allow allows
	// any number.
	ReadFolder(path string, allow func(n int) error) ([]fs.DirEntry, error)
	// FileType returns the type of a file or a folder. With follow, it
	// follows a symbolic link.
	FileType(path string, follow bool) (fs.FileMode, error)
}

// FileKind selects the folder of a module in which a file is looked up.
type FileKind uint8

// The kinds of files of a module.
const (
	ContentFile  FileKind = iota // in files/
	TemplateFile                 // in templates/
)

// Level is the severity of a log message, named as in the language.
type Level string

// The log levels of the language.
const (
	Debug   Level = "debug"
	Info    Level = "info"
	Notice  Level = "notice"
	Warning Level = "warning"
	Err     Level = "err"
	Alert   Level = "alert"
	Crit    Level = "crit"
	Emerg   Level = "emerg"
)

// Budget limits the total work of all calls of an [Env], so that a malicious
// input cannot run forever. A function spends one unit for each element that it
// visits and for each byte of text that it produces. A Budget is safe for
// concurrent use.
type Budget struct{ left atomic.Int64 }

// NewBudget returns a budget of n units.
func NewBudget(n int64) *Budget {
	b := new(Budget)
	b.left.Store(n)
	return b
}

// Fork returns a separate budget with as many units as are left, or nil for a nil
// Budget.
func (b *Budget) Fork() *Budget {
	if b == nil {
		return nil
	}
	return NewBudget(b.left.Load())
}

// Refill sets the remaining budget to n units, whatever was spent before. A REPL
// uses it to give each input line the same budget.
func (b *Budget) Refill(n int64) { b.left.Store(n) }

// Add adds n units, for work that is known to be needed. It does nothing on a
// nil Budget, which has no limit.
func (b *Budget) Add(n int) {
	if b != nil {
		b.left.Add(int64(n))
	}
}

// ErrBudget is wrapped by the error of a call that exceeds its [Budget].
var ErrBudget = errors.New("the limit of work is reached")

// Spend takes n units. If fewer are left, it takes none and fails with
// [ErrBudget], so that one excessive call leaves the rest to others. A nil
// Budget never fails.
func (b *Budget) Spend(n int) error {
	if b != nil && !take(&b.left, int64(n)) {
		return ErrBudget
	}
	return nil
}

// callCost is the cost of calling a function or a block, in units. A call takes
// about as long as producing this many bytes of text.
const callCost = 8

// maxDepth limits nested calls that no evaluator counts, such as call('call',
// …).
const maxDepth = 200

// Call calls a function by name, with a block unless it is nil. The error is an
// [UnknownError], an [ArgumentError], the error of Allow ([RefusedError] by
// default), or the failure of the call, usually an [Error].
func (e *Env) Call(ctx context.Context, name string, args []pcore.Value, block Block) (pcore.Value, error) {
	return e.call(ctx, frame{clear: ctx.Value(inClearKey{}) != nil}, name, args, block)
}

func (e *Env) call(ctx context.Context, at frame, name string, args []pcore.Value, block Block) (pcore.Value, error) {
	f, ok := e.Functions.Function(CanonicalName(name))
	if !ok {
		return nil, &UnknownError{Name: name}
	}
	return e.apply(ctx, at, f, args, block)
}

// apply calls f if that is allowed.
func (e *Env) apply(ctx context.Context, at frame, f *Function, args []pcore.Value, block Block) (pcore.Value, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if at.depth > maxDepth {
		return nil, &Error{Function: f.Name, Err: errors.New("too many calls within calls")}
	}
	if err := e.allow(f); err != nil {
		return nil, withPath(err, at, args)
	}
	if err := e.Budget.Spend(callCost); err != nil {
		return nil, &Error{Function: f.Name, Err: err}
	}
	c := &Call{ctx: ctx, Env: e, Block: block, function: f, frame: at}
	if e.KeepSecrets && block == nil && !f.HandlesSensitive && HoldsSecret(args...) {
		return f.callInClear(c, args)
	}
	return f.call(c, args)
}

func (e *Env) allow(f *Function) error {
	if e.Allow != nil {
		return e.Allow(f)
	}
	if f.Effects.Has(^Harmless) {
		return &RefusedError{Function: f.Name, Effects: f.Effects}
	}
	return nil
}

// withPath adds the path of the file that the arguments name to a refusal.
func withPath(err error, at frame, args []pcore.Value) error {
	refused, ok := err.(*RefusedError) //nolint:errorlint // a wrapper has a text of its own
	if !ok || at.clear || !refused.Effects.Has(ReadsFiles) || HoldsSecret(args...) {
		return err
	}
	for _, arg := range args {
		if path, ok := arg.(pcore.String); ok && filepath.IsAbs(string(path)) {
			named := *refused
			named.Path = filepath.Clean(string(path))
			return &named
		}
	}
	return err
}
