package function

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
)

// ErrNeedsFacts is the error of [Variables] for `$facts` when no facts are
// given. It is not withheld from a call with secrets.
var ErrNeedsFacts = errors.New("needs facts")

// Error is the failure of a call, for whatever reason but its arguments' types.
type Error struct {
	Function string
	Err      error
}

func (e *Error) Error() string { return e.Function + "(): " + e.Err.Error() }

// Unwrap returns what went wrong.
func (e *Error) Unwrap() error { return e.Err }

// UnknownError is the error of calling a function that nobody knows.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("Unknown function '%s'", e.Name) }

// RefusedError is the error of calling a function that may not be called. It
// is [ErrNotAllowed].
type RefusedError struct {
	Function string
	Effects  Effects // for which it was refused
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s is not allowed: it %s", e.Function, e.Effects)
}

// Is reports whether target is [ErrNotAllowed].
func (e *RefusedError) Is(target error) bool { return target == ErrNotAllowed }

// ArgumentError is the error of a call whose arguments no dispatch accepts. It
// tells types, but for texts that do not match a Pattern or an Enum, and the
// keys of hashes; of a Sensitive it never tells the value.
type ArgumentError struct {
	Function string
	Message  string
}

func (e *ArgumentError) Error() string { return e.Message }

// MaskedError is the failure of a call to a function that takes the secrets
// among its arguments out of what it says: Err quotes none of them, so that
// [Withhold] lets it pass.
type MaskedError struct {
	Function string
	Err      error
}

func (e *MaskedError) Error() string { return e.Function + "(): " + e.Err.Error() }

// Unwrap returns what went wrong.
func (e *MaskedError) Unwrap() error { return e.Err }

// DataError is an error that carries a value of the language about it, which a
// block can be given, as the function get does.
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

// wrap names the function in an error of its implementation. Jumps, ends of
// the context, and errors that name a function already, are left as they are.
func (f *Function) wrap(err error) error {
	var (
		jump     *Jump
		inner    *Error
		unknown  *UnknownError
		refused  *RefusedError
		argument *ArgumentError
		masked   *MaskedError
	)
	if errors.As(err, &jump) || errors.As(err, &inner) || errors.As(err, &unknown) ||
		errors.As(err, &refused) || errors.As(err, &argument) || errors.As(err, &masked) {
		return err
	}
	return &Error{Function: f.Name, Err: err}
}
