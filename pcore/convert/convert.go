package convert

import (
	"errors"
	"fmt"
	"time"

	"github.com/pcatdev/pcat/pcore"
)

// Converter creates values as `T.new(...)` does in the language. Its fields
// provide the external inputs of some constructors; the zero value uses the
// clock of this machine. It is safe for concurrent use if the functions in its
// fields are, and must not be changed while in use.
type Converter struct {
	// Now is the clock for Timestamp.new(). The location of its result is the
	// time zone "current". Nil means [time.Now].
	Now func() time.Time
	// Spend is called before n elements or characters are created from a value
	// that represents more than it contains, such as the Integer in
	// Array.new(1000000). An error stops the conversion. Nil allows
	// 1,048,576 for each value.
	Spend func(n int) error
	// Reserve is called before n bytes of memory are allocated for elements or
	// text. An error stops the conversion. Nil allows any amount.
	Reserve func(n int64) error
}

// elementSize is about how many bytes an element takes.
const elementSize = 32

// maxElements is the maximum number of elements created from one value if
// [Converter.Spend] is nil.
const maxElements = 1 << 20

// New creates a value as T.new(args...) does, with the zero [Converter].
func New(t pcore.Type, args ...pcore.Value) (pcore.Value, error) {
	return new(Converter).New(t, args...)
}

// New returns the result of T.new(args...), for t as T: the only argument
// itself if it is an instance of t and t is not an Init type, otherwise the
// result of the constructor of t, which must be an instance of t.
//
// Errors are *[Error]. They wrap [pcore.ErrNotCreatable] if t has no
// constructor, an *argumentError for arguments of the wrong types, a
// *[pcore.MismatchError] if the result is not an instance of t, or an error
// about the arguments, such as a *timefmt.ParseError. Their texts quote Strings
// among the arguments, but never the contents of a Sensitive.
//
// See the sections on the function new and on the types in the specification.
func (c *Converter) New(t pcore.Type, args ...pcore.Value) (pcore.Value, error) {
	if _, isInit := t.(*pcore.InitType); !isInit && len(args) == 1 && pcore.Contains(t, args[0]) {
		return args[0], nil
	}
	v, err := c.construct(t, args)
	if err != nil {
		return nil, within(t, err)
	}
	if err := pcore.Mismatch("Converted value from "+t.String()+".new() has wrong type,", t, v); err != nil {
		return nil, within(t, err)
	}
	return v, nil
}

func (c *Converter) construct(t pcore.Type, args []pcore.Value) (pcore.Value, error) {
	k, err := constructorOf(t)
	if err != nil {
		return nil, err
	}
	given := pcore.NewArray(args...)
	for _, w := range k.ways {
		if pcore.Contains(w.accepts, given) {
			return w.make(c, args)
		}
	}
	return nil, k.reject(t, args)
}

func (c *Converter) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

var errTooLarge error = &limitError{"it would have more than %d elements", maxElements}

// limitError reports that a limit is exceeded. It formats its text on demand,
// not at program start.
type limitError struct {
	format string
	limit  int
}

func (e *limitError) Error() string { return fmt.Sprintf(e.format, e.limit) }

// spend requests n more elements; made is the number of elements created from
// the same value so far.
func (c *Converter) spend(n, made int) error {
	if err := c.reserve(elementSize * int64(n)); err != nil {
		return err
	}
	if c.Spend != nil {
		return c.Spend(n)
	}
	if n > maxElements-made {
		return errTooLarge
	}
	return nil
}

// reserve requests n bytes of memory.
func (c *Converter) reserve(n int64) error {
	if c.Reserve == nil {
		return nil
	}
	return c.Reserve(n)
}

// Error reports that an instance of a type could not be created.
type Error struct {
	Type pcore.Type
	Err  error
	// Constructor is the name of Puppet's function that refuses the argument, such as
	// new_array; empty for other failures. Puppet puts it before some of its messages.
	Constructor string
}

// Error returns the text of e.Err.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// within wraps err as the error of t, unless it already is the error of a
// nested type.
func within(t pcore.Type, err error) error {
	var inner *Error
	if errors.As(err, &inner) {
		return err
	}
	return &Error{Type: t, Err: err}
}

// argumentError reports arguments that no constructor of a type accepts.
type argumentError struct{ text string }

func (e *argumentError) Error() string { return e.text }

// cannot returns the error for a value from which an instance of the named type
// cannot be created.
func cannot(v pcore.Value, name string) error {
	if s, ok := v.(pcore.String); ok {
		return &argumentError{fmt.Sprintf("The string '%s' cannot be converted to %s", string(s), name)}
	}
	t := pcore.DescribeType(pcore.Generalize(pcore.Infer(v)))
	return &argumentError{fmt.Sprintf("Value of type %s cannot be converted to %s", t, name)}
}
