package convert

import (
	"errors"
	"fmt"
	"time"

	"github.com/pcatdev/pcat/pcore"
)

// Converter makes values as `T.new(...)` does in the language. What some
// constructors need from outside stands in its fields; the zero value has the
// clock of this machine. It is safe for concurrent use when what stands in its
// fields is, and must not be changed while it is used.
type Converter struct {
	// Now is the clock behind Timestamp.new(). The location of what it
	// returns is the time zone called "current". Nil is [time.Now].
	Now func() time.Time
	// Spend is asked before n elements or characters are made of a value
	// that stands for more than it holds, as the Integer does in
	// Array.new(1000000), and refuses by an error. Nil allows
	// [MaxElements] for each value.
	Spend func(n int) error
}

// MaxElements is how many elements one value may become when there is no
// [Converter.Spend] to ask.
const MaxElements = 1 << 20

// New makes a value as T.new(args...) does, with the zero [Converter].
func New(t pcore.Type, args ...pcore.Value) (pcore.Value, error) {
	return new(Converter).New(t, args...)
}

// New returns what T.new(args...) makes of args, for t as T: args itself when
// it is one instance of t and t is no Init, and otherwise what the constructor
// of t returns, when that is an instance of t.
//
// Errors are *[Error]. They wrap [pcore.ErrNotCreatable] when t has no
// constructor, and else an *[ArgumentError] for arguments of the wrong types, a
// *[pcore.MismatchError] when what was made is no instance of t, or what was
// wrong with the arguments, such as a *timefmt.ParseError. Their texts quote
// Strings among the arguments, but nothing that is in a Sensitive.
//
// See the section on the function new and those on the types of the
// specification.
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
	return nil, k.reject(args)
}

func (c *Converter) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

var errTooLarge error = &limitError{"it would have more than %d elements", MaxElements}

// limitError is the error of what goes beyond a limit. It makes its words when
// they are asked for, not when a program starts.
type limitError struct {
	format string
	limit  int
}

func (e *limitError) Error() string { return fmt.Sprintf(e.format, e.limit) }

// spend takes n elements, of which made have been made for the same value.
func (c *Converter) spend(n, made int) error {
	if c.Spend != nil {
		return c.Spend(n)
	}
	if n > MaxElements-made {
		return errTooLarge
	}
	return nil
}

// Error is the failure of making an instance of a type.
type Error struct {
	Type pcore.Type
	Err  error
}

// Error returns the text of what went wrong.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns what went wrong.
func (e *Error) Unwrap() error { return e.Err }

// within returns err as that of t, unless it is of a type inside of t already.
func within(t pcore.Type, err error) error {
	var inner *Error
	if errors.As(err, &inner) {
		return err
	}
	return &Error{Type: t, Err: err}
}

// ArgumentError is the error of arguments that no constructor of a type takes.
type ArgumentError struct{ text string }

func (e *ArgumentError) Error() string { return e.text }

// cannot is the error for a value that is nothing that the type called name
// can be made of.
func cannot(v pcore.Value, name string) error {
	if s, ok := v.(pcore.String); ok {
		return &ArgumentError{fmt.Sprintf("The string '%s' cannot be converted to %s", string(s), name)}
	}
	t := pcore.DescribeType(pcore.Generalize(pcore.Infer(v)))
	return &ArgumentError{fmt.Sprintf("Value of type %s cannot be converted to %s", t, name)}
}
