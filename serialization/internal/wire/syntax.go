package wire

import (
	"io"

	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// Input is what a [Syntax] reads: the bytes that are in memory, and whether
// the input ends where they do.
type Input struct {
	Data  []byte
	Final bool
	// Shared tells that Data stays as it is and values may point into it.
	Shared bool
	Opts   *serialization.DecodeOptions
	// Keys are none; they are there to be used again.
	Keys *Keys
}

// Short is the error for bytes that end too early.
func (in *Input) Short() error {
	if !in.Final {
		return ErrShort
	}
	return FailAt(len(in.Data), serialization.ErrTruncated)
}

// Syntax reads the pieces of a wire. Each method reads at the beginning of its
// input and returns how many bytes it read, or [ErrShort] when the input is
// not final and too short; it is called again with more then. Other errors
// are a [*Failure].
type Syntax interface {
	// Name is what errors call the wire.
	Name() string
	// Textual reports whether errors tell line and column.
	Textual() bool
	// Start moves over what may stand before a document. It returns io.EOF
	// when nothing follows.
	Start(in Input) (n int, err error)
	// Reach moves to the next member of a level, over the separator before
	// it, or reports that the level ends here.
	Reach(in Input, l *Level) (n int, end bool, err error)
	// Token tells which value stands here.
	Token(in Input) (serialization.Token, error)
	// Enter moves behind the beginning of an array or map and returns the
	// number of its members, or -1.
	Enter(in Input) (n, count int, err error)
	// Leave moves behind the end of an array or map that Reach reported.
	Leave(in Input) (n int)
	// Key reads the key of a member and moves to its value.
	Key(in Input) (n int, key string, err error)
	// Extent moves over a value, which it validates; depth is how many
	// levels it may have.
	Extent(in Input, depth int) (n int, err error)
	// Decode reads a value into b.
	Decode(in Input, b *richdata.Builder) (n int, err error)
}

// start moves the window to the next document.
func start(w *Window, s Syntax, o *serialization.DecodeOptions) error {
	for {
		n, err := s.Start(w.input(o))
		if err == nil || err == io.EOF { //nolint:errorlint // the contract of Syntax
			w.Advance(n)
			return err
		}
		if err := w.grow(err); err != nil {
			return err
		}
	}
}

// extent returns the length of the value that comes next, and reads as much of
// the input as that takes.
func extent(w *Window, s Syntax, o *serialization.DecodeOptions, depth int) (int, error) {
	for {
		n, err := s.Extent(w.input(o), o.Depth()-depth)
		if err == nil {
			return n, nil
		}
		if err := w.grow(err); err != nil {
			return 0, err
		}
	}
}

func (w *Window) input(o *serialization.DecodeOptions) Input {
	w.keys.Reset()
	return Input{Data: w.Rest(), Final: w.final, Shared: o.ShareInput && w.r == nil, Opts: o, Keys: &w.keys}
}

// grow reads more of the input when err is ErrShort; other errors it returns.
func (w *Window) grow(err error) error {
	if err == ErrShort { //nolint:errorlint // the contract of Syntax
		return w.More()
	}
	return err
}
