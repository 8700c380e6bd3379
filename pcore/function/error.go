package function

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/jump"
)

// ErrNeedsFacts is the error of [Variables] for `$facts` when no facts are
// given. [Withhold] does not suppress it.
var ErrNeedsFacts = errors.New("needs facts")

// Error is the failure of a call for any reason other than its argument types.
type Error struct {
	Function string
	Err      error
}

func (e *Error) Error() string { return e.Function + "(): " + e.Err.Error() }

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// UnknownError is the error of calling a function that does not exist.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("Unknown function '%s'", e.Name) }

// RefusedError is the error of calling a function whose effects are not allowed.
// It matches [fs.ErrPermission].
type RefusedError struct {
	Function string
	Effects  Effects // the effects for which it was refused
	// Path is the absolute path of the file that an argument names. It is empty if there is none, and
	// for calls with secrets among their arguments.
	Path string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s is not allowed: it %s", e.Function, e.Effects)
}

// Is reports whether target is [fs.ErrPermission].
func (e *RefusedError) Is(target error) bool { return target == fs.ErrPermission }

// FileRefusedError is the error of reading a file that a [Tree] does not allow. It
// matches [fs.ErrPermission].
type FileRefusedError struct {
	Path string // absolute

	link bool // the path has a link that leads out of the allowed folder
}

func (e *FileRefusedError) Error() string {
	text := fmt.Sprintf("reading %s is not allowed", e.Path)
	if e.link {
		text += ": a link leads out of the allowed folder"
	}
	return text
}

// Is reports whether target is [fs.ErrPermission].
func (e *FileRefusedError) Is(target error) bool { return target == fs.ErrPermission }

// ArgumentError is the error of a call whose arguments no dispatch accepts. Its
// message contains types rather than values, except for texts that do not match
// a Pattern or an Enum, and the keys of hashes. It never contains the value of a
// Sensitive.
type ArgumentError struct {
	Function string
	Message  string
}

func (e *ArgumentError) Error() string { return e.Message }

// MaskedError is the failure of a function that removes the secrets in its
// arguments from its own messages. Err contains none of them, so [Withhold] does
// not suppress it.
type MaskedError struct {
	Function string
	Err      error
}

func (e *MaskedError) Error() string { return e.Function + "(): " + e.Err.Error() }

// Unwrap returns e.Err.
func (e *MaskedError) Unwrap() error { return e.Err }

// DataError is an error that can be passed to a block as a value of the
// language, as the function get does.
type DataError struct {
	Message   string
	Kind      string
	IssueCode string
	Details   *pcore.Hash
}

func (e *DataError) Error() string { return e.Message }

// Value returns the error as an instance of the type Error.
func (e *DataError) Value() pcore.Value {
	return pcore.NewObject(pcore.ErrorType(), pcore.NewHash(
		pcore.Entry{Key: pcore.String("msg"), Value: pcore.String(e.Message)},
		pcore.Entry{Key: pcore.String("kind"), Value: pcore.String(e.Kind)},
		pcore.Entry{Key: pcore.String("details"), Value: e.Details},
		pcore.Entry{Key: pcore.String("issue_code"), Value: pcore.String(e.IssueCode)},
	))
}

// wrap adds the function's name to an error of its implementation. Jumps, and
// errors that already name a function, are returned unchanged.
func (f *Function) wrap(err error) error {
	var (
		left     *jump.Jump
		inner    *Error
		unknown  *UnknownError
		refused  *RefusedError
		argument *ArgumentError
		masked   *MaskedError
	)
	if errors.As(err, &left) || errors.As(err, &inner) || errors.As(err, &unknown) ||
		errors.As(err, &refused) || errors.As(err, &argument) || errors.As(err, &masked) {
		return err
	}
	return &Error{Function: f.Name, Err: err}
}

// IsBreak reports whether err is a break in a [Block], which ends the iteration
// that called the block.
func IsBreak(err error) bool {
	j, ok := errors.AsType[*jump.Jump](err)
	return ok && j.Kind == jump.Break
}
