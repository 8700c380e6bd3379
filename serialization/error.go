package serialization

import (
	"errors"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// What can be wrong with input or with a value that is to be written. An
// [Error] wraps one of these, or the error of a constructor.
var (
	ErrSyntax       = errors.New("not well-formed")
	ErrTruncated    = errors.New("the input ends in the middle of a value")
	ErrTrailing     = errors.New("more data follows after the end of the document")
	ErrUTF8         = errors.New("the text is not valid UTF-8")
	ErrDepth        = errors.New("nested too deep")
	ErrTooLarge     = errors.New("larger than the limit")
	ErrDuplicateKey = errors.New("the key occurs twice")
	ErrRange        = errors.New("the number is out of range")
	ErrUnknownType  = errors.New("the type is not known")
	ErrValue        = errors.New("the value does not fit its type")
	ErrReference    = errors.New("the local reference cannot be followed")
	ErrSecret       = errors.New("a Sensitive value would be written in clear")
	ErrUnsupported  = errors.New("the form cannot hold the value")
	ErrFormat       = errors.New("the format is not known")
)

// Error is a failure to read or write, with the place where it happened. It
// never quotes data: what stands in a document may be a secret.
type Error struct {
	// Format is the name of the wire: "json", "msgpack", "yaml"; empty when
	// values are converted without one.
	Format string
	// Offset is the position in the input in bytes, from 0; -1 when there
	// is none, as in writing.
	Offset int64
	// Line and Column, from 1, are told by textual forms; the column counts
	// bytes. Zero means that they are not known.
	Line, Column int
	// Path leads from the outermost value to the one that failed.
	Path pcore.Path
	// Err says what is wrong.
	Err error
}

func (e *Error) Error() string {
	b := make([]byte, 0, 80)
	if e.Format != "" {
		b = append(b, e.Format...)
		b = append(b, ": "...)
	}
	switch {
	case e.Line > 0:
		b = append(b, "line "...)
		b = strconv.AppendInt(b, int64(e.Line), 10)
		b = append(b, ", column "...)
		b = strconv.AppendInt(b, int64(e.Column), 10)
		b = append(b, ": "...)
	case e.Offset >= 0:
		b = append(b, "offset "...)
		b = strconv.AppendInt(b, e.Offset, 10)
		b = append(b, ": "...)
	}
	if len(e.Path) > 0 {
		b = append(b, shortened(e.Path)...)
		b = append(b, ": "...)
	}
	return string(append(b, e.Err.Error()...))
}

// shortened leaves out the middle of a path that nobody would read.
func shortened(p pcore.Path) string {
	const most, first, last = 32, 16, 8
	if len(p) <= most {
		return p.String()
	}
	return p[:first].String() + "…" + strings.TrimPrefix(p[len(p)-last:].String(), "$")
}

// Unwrap returns what is wrong, so that errors.Is finds it.
func (e *Error) Unwrap() error { return e.Err }

// Within returns err as an *[Error] seen from outside: offset is where in the
// whole input the part begins that err tells about, -1 when that is not known,
// and path leads to it. Both are joined with what err tells already. Nil stays
// nil.
func Within(err error, offset int64, path pcore.Path) error {
	if err == nil {
		return nil
	}
	var inner *Error
	if !errors.As(err, &inner) {
		return &Error{Offset: offset, Path: path, Err: err}
	}
	outer := *inner
	switch {
	case offset > 0 && inner.Offset >= 0:
		outer.Offset += offset
		outer.Line, outer.Column = 0, 0
	case inner.Offset < 0:
		outer.Offset = offset
	}
	outer.Path = append(append(pcore.Path(nil), path...), inner.Path...)
	return &outer
}

// InFormat returns err as an *[Error] of the wire called format. Nil stays nil.
func InFormat(format string, err error) error {
	if err == nil {
		return nil
	}
	var inner *Error
	if !errors.As(err, &inner) {
		return &Error{Format: format, Offset: -1, Err: err}
	}
	outer := *inner
	outer.Format = format
	return &outer
}
