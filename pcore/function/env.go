package function

import (
	"context"
	"errors"
	"io/fs"
	"sync/atomic"
	"time"

	"github.com/pcatdev/pcat/pcore"
)

// Env is the world that function calls see beyond their arguments. Whatever is
// left nil is not there: a function that needs it fails and says so. The
// fields are not changed while calls run; an Env may serve several goroutines
// when what stands in its fields may.
type Env struct {
	// Functions finds what is called by name. It must be set.
	Functions Finder
	// Allow is asked before each call, those from within other functions
	// too, and refuses by an error. When it is nil, only functions whose
	// effects are [Harmless] run.
	Allow func(*Function) error
	// Variables is where getvar and others read variables.
	Variables Variables
	// Files is where file and others read files. It decides what may be
	// read.
	Files Files
	// New constructs an instance of a type, behind the functions new and
	// convert_to. Nil constructs as the language does.
	New func(c *Call, t pcore.Type, args []pcore.Value) (pcore.Value, error)
	// ParseType reads a type given as text, behind assert_type.
	ParseType TypeParser
	// Resolve makes the call that a Deferred is, behind the function call.
	// Nil makes it, and those among its arguments, right away.
	Resolve func(c *Call, d *pcore.Deferred) (pcore.Value, error)
	// Template evaluates an EPP template, behind epp and inline_epp. name
	// is where the text comes from, and empty for inline_epp. parameters is
	// nil when none were given.
	Template func(c *Call, name, text string, parameters *pcore.Hash) (pcore.Value, error)
	// Defined tells whether a name or a reference to a resource or class is
	// known, behind the function defined.
	Defined func(v pcore.Value) (bool, error)
	// Log takes what functions such as notice say.
	Log func(level Level, text string)
	// Place tells where the function that runs was called; nil when nobody
	// knows. file is empty for a source without a name, line is 0 for a call
	// that stands in no source.
	Place func() (file string, line int)
	// Now is the clock; nil means the one of this machine.
	Now func() time.Time
	// Budget bounds what calls may make; nil means no bound.
	Budget *Budget
	// Memory bounds what calls hold at the same time; nil means no bound.
	Memory *Memory
	// KeepSecrets lets a function that knows nothing of Sensitive have the
	// secrets in its arguments in clear, and makes its result a Sensitive.
	// Without it, such a function gets the Sensitive, as in the reference:
	// it refuses it, or writes [pcore.RedactedText]. See
	// [Function.HandlesSensitive].
	KeepSecrets bool
}

// Variables are the variables that a call can read.
type Variables interface {
	// Variable returns the value of a variable, named without its `$`. ok
	// is false when it is not set. An error tells that asking for it is
	// one, as a mode may have it for unknown variables.
	Variable(name string) (v pcore.Value, ok bool, err error)
}

// Files are the files that a call can read. An absolute path stands for
// itself; anything else is `module/path`, a path within the folder of that
// module for the kind of file.
type Files interface {
	// Find returns the path of a file, without an error but not found when
	// there is none. It refuses by an error what may not be read.
	Find(kind FileKind, name string) (path string, found bool, err error)
	// ReadFile returns the content of a file that Find returned. It calls allow
	// with the number of bytes that it is about to read, several times when
	// the file is longer than its size says, and stops when that returns an
	// error. A nil allow allows any number.
	ReadFile(path string, allow func(n int) error) ([]byte, error)
	// ModuleDir returns the path of a module.
	ModuleDir(module string) (path string, found bool, err error)
}

// FileKind is what a file is looked up as.
type FileKind uint8

// The kinds of files of a module.
const (
	ContentFile  FileKind = iota // in files/
	TemplateFile                 // in templates/
)

// Level is how much a log message matters, in the words of the language.
type Level string

// The levels, from the least to the most.
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

// Budget bounds the work of all calls of an [Env] together, so that a hostile
// input ends. A function spends from it for each element that it visits and
// for each byte of a text that it makes longer. It is safe for concurrent use.
type Budget struct{ left atomic.Int64 }

// NewBudget returns a budget of n units.
func NewBudget(n int64) *Budget {
	b := new(Budget)
	b.left.Store(n)
	return b
}

// Refill leaves n units to be spent from now on, whatever was spent before. So
// each line that a person types may cost as much as the one before.
func (b *Budget) Refill(n int64) { b.left.Store(n) }

// Add puts n units in, for work that is known to be needed. A nil budget has no
// bound anyway.
func (b *Budget) Add(n int) {
	if b != nil {
		b.left.Add(int64(n))
	}
}

// ErrBudget is in the chain of the error of a call that wanted more than was
// left of its [Budget].
var ErrBudget = errors.New("the limit of work is reached")

// Spend takes n units, and fails with [ErrBudget], taking none, when there are
// not as many: a call that wants far too much leaves the rest to the others. A
// nil budget never fails.
func (b *Budget) Spend(n int) error {
	if b != nil && !take(&b.left, int64(n)) {
		return ErrBudget
	}
	return nil
}

// callCost is what a call costs, of a function or of a block: it takes about as
// long as making so many bytes of text.
const callCost = 8

// maxDepth bounds calls within calls that no evaluator counts, such as
// call('call', …).
const maxDepth = 200

// Call calls a function by name, with a block unless that is nil. The error is
// an [UnknownError], a [RefusedError], an [ArgumentError], or an [Error] about
// what went wrong within.
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

// apply calls f, if that is allowed.
func (e *Env) apply(ctx context.Context, at frame, f *Function, args []pcore.Value, block Block) (pcore.Value, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if at.depth > maxDepth {
		return nil, &Error{Function: f.Name, Err: errors.New("too many calls within calls")}
	}
	if err := e.allow(f); err != nil {
		return nil, err
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

// ErrNotAllowed is in the chain of every refusal by policy; it is
// [fs.ErrPermission], which file systems use for theirs.
var ErrNotAllowed = fs.ErrPermission
