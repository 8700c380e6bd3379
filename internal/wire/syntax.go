package wire

import (
	"io"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/serialization"
)

// Input is the input of a [Syntax]: the bytes in memory.
type Input struct {
	Data  []byte
	Final bool
	// Shared indicates that Data will not be modified and values may refer to
	// it.
	Shared bool
	Opts   *serialization.DecodeOptions
	// Keys is empty; it is passed to be reused.
	Keys *Keys
	// Repeated collects the members that Extent finds repeated with an equal value. If it
	// is nil, which is faster, Extent fails for them.
	Repeated *Edits
}

// Short returns the error for truncated bytes.
func (in *Input) Short() error {
	if !in.Final {
		return ErrShort
	}
	return FailAt(len(in.Data), serialization.ErrTruncated)
}

// Syntax parses the elements of a wire format. Each method reads at the
// beginning of its input and returns the number of bytes read, or [ErrShort] if
// the input is too short and not final; it is then called again with more
// input. Other errors are a [*Failure].
type Syntax interface {
	// Name returns the name of the wire format in errors.
	Name() string
	// Textual reports whether errors have a line and a column.
	Textual() bool
	// Start skips the bytes before a document. It returns io.EOF if nothing
	// follows.
	Start(in Input) (n int, err error)
	// Reach moves to the next member of a level, past the separator, or reports
	// the end of the level.
	Reach(in Input, l *Level) (n int, end bool, err error)
	// Token returns the kind of the next value.
	Token(in Input) (serialization.Token, error)
	// Enter moves past the beginning of an array or map and returns the number
	// of its members, or -1 if unknown.
	Enter(in Input) (n, count int, err error)
	// Leave moves past the end of an array or map that Reach reported.
	Leave(in Input) (n int)
	// Key reads the key of a member and moves to its value.
	Key(in Input) (n int, key string, err error)
	// Extent validates a value and returns its length. depth is the maximum
	// number of levels in it.
	Extent(in Input, depth int) (n int, err error)
	// Decode reads a value into b.
	Decode(in Input, b *dataconv.Builder) (n int, err error)
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

// extent returns the length of the next value, and reads the input up to its
// end. repeated is that of [Input].
func extent(w *Window, s Syntax, o *serialization.DecodeOptions, depth int, repeated *Edits) (int, error) {
	for {
		in := w.input(o)
		if in.Repeated = repeated; repeated != nil {
			*repeated = nil
		}
		n, err := s.Extent(in, codec.Depth(o)-depth)
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

// grow reads more input if err is ErrShort. It returns other errors unchanged.
func (w *Window) grow(err error) error {
	if err == ErrShort { //nolint:errorlint // the contract of Syntax
		return w.More()
	}
	return err
}
