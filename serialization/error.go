package serialization

import (
	"errors"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// Errors in input or in a value to be written. An [Error] wraps one of these,
// or the error of a constructor.
var (
	ErrSyntax       = errors.New("invalid syntax")
	ErrTruncated    = errors.New("unexpected end of input")
	ErrTrailing     = errors.New("unexpected data after the end of the document")
	ErrUTF8         = errors.New("text is not valid UTF-8")
	ErrDepth        = errors.New("nested too deeply")
	ErrTooLarge     = errors.New("too large")
	ErrDuplicateKey = errors.New("duplicate key; remove one of the entries")
	ErrRange        = errors.New("number out of range")
	ErrUnknownType  = errors.New("unknown type")
	ErrValue        = errors.New("invalid value")
	ErrReference    = errors.New("invalid local reference")
	ErrSecret       = errors.New("a Sensitive value would be written as plain text")
	ErrUnsupported  = errors.New("the format cannot represent the value")
	ErrFormat       = errors.New("unknown format")
)

// displayName returns the name that messages use for a wire.
func displayName(wire string) string {
	switch wire {
	case "json":
		return "JSON"
	case "msgpack":
		return "MessagePack"
	case "yaml":
		return "YAML"
	default:
		return wire
	}
}

// Error is a failure to read or write, with the location where it happened. It
// never quotes data: what stands in a document may be a secret.
type Error struct {
	// Format is the name of the wire format: "json", "msgpack" or "yaml". It is
	// empty for conversions without one.
	Format string
	// Offset is the position in the input in bytes, from 0, or -1 if there is
	// none, as when writing.
	Offset int64
	// Line and Column count from 1 and are set by textual formats; the column
	// counts bytes. Zero means unknown.
	Line, Column int
	// Path leads from the outermost value to the one that failed.
	Path pcore.Path
	// Err is the cause.
	Err error
}

func (e *Error) Error() string {
	text := e.Err.Error()
	subject := displayName(e.Format)
	rest, ok := strings.CutPrefix(text, ErrSyntax.Error()+": ")
	if ok && subject != "" {
		text = rest
	}
	if subject != "" && (ok || errors.Is(e.Err, ErrTruncated) || errors.Is(e.Err, ErrTrailing)) {
		subject = "invalid " + subject
	}
	switch {
	case e.Line > 0:
		subject += " at line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column)
	case e.Offset >= 0:
		subject += " at byte " + strconv.FormatInt(e.Offset, 10)
	}
	parts := make([]string, 0, 3)
	if subject = strings.TrimSpace(subject); subject != "" {
		parts = append(parts, subject)
	}
	if len(e.Path) > 0 {
		parts = append(parts, shortened(e.Path))
	}
	return strings.Join(append(parts, text), ": ")
}

// shortened omits the middle of a long path.
func shortened(p pcore.Path) string {
	const most, first, last = 32, 16, 8
	if len(p) <= most {
		return p.String()
	}
	return p[:first].String() + "…" + strings.TrimPrefix(p[len(p)-last:].String(), "$")
}

// Unwrap returns the cause, for errors.Is.
func (e *Error) Unwrap() error { return e.Err }
