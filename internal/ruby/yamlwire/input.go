package yamlwire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Errors in a document.
var (
	ErrSyntax   = errors.New("invalid YAML")
	ErrEncoding = errors.New("text is not valid UTF-8")
)

// Error is an error with its position. It never quotes the document.
type Error struct {
	// Offset is the position in the input in bytes, from 0.
	Offset int64
	// Line and Column count from 1; the column counts bytes.
	Line, Column int
	// Problem describes the error.
	Problem string
	// Kind is [ErrSyntax] or [ErrEncoding].
	Kind error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%v at line %d, column %d: %s", e.Kind, e.Line, e.Column, e.Problem)
}

// Unwrap returns the kind of the error.
func (e *Error) Unwrap() error { return e.Kind }

// input is the text of a stream, of which it holds at least one document.
type input struct {
	r    io.Reader // further text, or nil
	text []byte
	// base and line are the offset and the line, from 0, at which text begins.
	base     int64
	line     int
	searched int // no document marker to stop at begins before this offset
	valid    int // the characters before this offset are allowed
	texts    texts
}

// texts makes strings that share chunks of memory.
type texts struct{ chunk strings.Builder }

const (
	// ownText is the length in bytes above which a text is allocated separately.
	ownText = 256
	// firstChunk and maxChunk are the sizes in bytes of the first and the largest
	// chunk.
	firstChunk, maxChunk = ownText, 8 << 10
)

func (t *texts) string(text []byte) string {
	if len(text) > ownText {
		return string(text)
	}
	start := t.chunk.Len()
	if t.chunk.Cap()-start < len(text) {
		size := min(max(2*t.chunk.Cap(), firstChunk), maxChunk)
		t.chunk, start = strings.Builder{}, 0
		t.chunk.Grow(size)
	}
	t.chunk.Write(text)
	return t.chunk.String()[start:]
}

// at returns the byte at offset i, or 0 at the end of the input. A document has no
// zero byte.
func (in *input) at(i int) byte {
	if i < len(in.text) {
		return in.text[i]
	}
	return 0
}

// fail returns an error at offset i.
func (in *input) fail(i int, problem string) error {
	return in.failure(i, ErrSyntax, problem)
}

func (in *input) failure(i int, kind error, problem string) error {
	line, column := in.position(i)
	return &Error{Offset: in.base + int64(i), Line: line, Column: column, Problem: problem, Kind: kind}
}

// position returns the line and column of offset i, from 1.
func (in *input) position(i int) (line, column int) {
	line, start := in.line+1, 0
	for j := 0; j < min(i, len(in.text)); {
		n := in.breakAt(j)
		if n == 0 {
			j++
			continue
		}
		j += n
		line, start = line+1, j
	}
	return line, i - start + 1
}

// breakAt returns the length of the line break at offset i, or 0 if there is none.
func (in *input) breakAt(i int) int {
	switch in.at(i) {
	case '\n':
		return 1
	case '\r':
		if in.at(i+1) == '\n' {
			return 2
		}
		return 1
	case 0xc2:
		if in.at(i+1) == 0x85 {
			return 2
		}
	case 0xe2:
		if in.at(i+1) == 0x80 && in.at(i+2)|1 == 0xa9 {
			return 3
		}
	}
	return 0
}

// isBlankAt reports whether there is a space or a tab at offset i.
func (in *input) isBlankAt(i int) bool { c := in.at(i); return c == ' ' || c == '\t' }

// endsWordAt reports whether there is a space, a tab, a line break or the end of the
// input at offset i.
func (in *input) endsWordAt(i int) bool {
	switch c := in.at(i); c {
	case ' ', '\t', '\n', '\r':
		return true
	case 0:
		return i >= len(in.text)
	case 0xc2, 0xe2:
		return in.breakAt(i) > 0
	default:
		return false
	}
}

// isMarkerAt reports whether the three bytes at offset i, the beginning of a line,
// mark the start or the end of a document.
func (in *input) isMarkerAt(i int) bool {
	c := in.at(i)
	return (c == '-' || c == '.') && in.at(i+1) == c && in.at(i+2) == c && in.endsWordAt(i+3)
}

// load forgets the text before offset i, and reads until the text contains the next
// document marker or the end of the input.
func (in *input) load(i int) error {
	if in.r == nil {
		return in.validate()
	}
	line, _ := in.position(i)
	in.line, in.base = line-1, in.base+int64(i)
	in.text = in.text[:copy(in.text, in.text[i:])]
	in.searched, in.valid = max(in.searched-i, 0), max(in.valid-i, 0)
	for in.r != nil && !in.hasMarker() {
		from := len(in.text)
		if from == cap(in.text) {
			in.text = append(in.text, make([]byte, max(from/2, 16<<10))...)
		}
		n, err := in.r.Read(in.text[from:cap(in.text)])
		in.text = in.text[:from+n]
		switch {
		case errors.Is(err, io.EOF):
			in.r = nil
		case err != nil:
			return err
		}
	}
	return in.validate()
}

// validate returns an error if the text that has been read contains a character that
// YAML does not allow.
func (in *input) validate() error {
	if in.base == 0 && (bytes.HasPrefix(in.text, []byte("\xff\xfe")) || bytes.HasPrefix(in.text, []byte("\xfe\xff"))) {
		return in.failure(0, ErrEncoding, "the text is UTF-16; convert it to UTF-8")
	}
	for in.valid < len(in.text) {
		c := in.text[in.valid]
		if ' ' <= c && c <= '~' || c == '\n' || c == '\t' || c == '\r' {
			in.valid++
			continue
		}
		if in.r != nil && !utf8.FullRune(in.text[in.valid:]) {
			return nil // the rest of the character has not been read
		}
		r, n := utf8.DecodeRune(in.text[in.valid:])
		switch {
		case r == utf8.RuneError && n == 1:
			return in.failure(in.valid, ErrEncoding, "not a character")
		case r < 0xa0 && r != 0x85, r == 0xfffe, r == 0xffff:
			return in.fail(in.valid, "control characters are not allowed")
		}
		in.valid += n
	}
	return nil
}

// hasMarker reports whether a document marker follows at the beginning of a line.
func (in *input) hasMarker() bool {
	for {
		i := bytes.IndexByte(in.text[in.searched:], '\n')
		if i < 0 {
			in.searched = len(in.text)
			return false
		}
		i += in.searched
		if last := i + len("\n---"); last >= len(in.text) || in.text[last] >= utf8.RuneSelf && !utf8.FullRune(in.text[last:]) {
			in.searched = i
			return false
		}
		in.searched = i + 1
		if in.isMarkerAt(i + 1) {
			return true
		}
	}
}
