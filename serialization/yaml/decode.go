package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// name is the name of the wire format in errors.
const name = "yaml"

// Decode decodes a whole document. Errors are *[serialization.Error].
func Decode(data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
	d := newDecoder(bytes.NewReader(data), o)
	v, err := d.Decode()
	if err == io.EOF { //nolint:errorlint // the contract of Decoder
		return nil, fail(nil, nil, fmt.Errorf("%w: the input is empty", serialization.ErrTruncated))
	}
	if err != nil {
		return nil, err
	}
	switch node, err := d.node(); {
	case err == nil:
		return nil, fail(node, nil, serialization.ErrTrailing)
	case err != io.EOF: //nolint:errorlint // the contract of node
		return nil, err
	}
	return v, nil
}

// decoder reads a stream of documents.
type decoder struct {
	parser *yaml.Decoder
	input  *limited
	opts   serialization.DecodeOptions
	err    error
}

// NewDecoder returns a Decoder for the stream of documents in r. It reads
// ahead.
func NewDecoder(r io.Reader, o serialization.DecodeOptions) serialization.Decoder {
	return newDecoder(r, o)
}

func newDecoder(r io.Reader, o serialization.DecodeOptions) *decoder {
	input := &limited{r: r, left: o.ByteLimit()}
	return &decoder{parser: yaml.NewDecoder(input), input: input, opts: o}
}

// Decode implements [serialization.Decoder].
func (d *decoder) Decode() (pcore.Value, error) {
	node, err := d.node()
	if err != nil {
		return nil, err
	}
	b := richdata.NewBuilder(d.opts)
	if err := walk(node, toBuilder{b}, &d.opts, 0); err != nil {
		d.err = err
		return nil, err
	}
	return b.Value(), nil
}

// node returns the root of the next document, or io.EOF if there are no more.
func (d *decoder) node() (*yaml.Node, error) {
	if d.err != nil {
		return nil, d.err
	}
	var doc yaml.Node
	err := d.parser.Decode(&doc)
	switch {
	case d.input.err != nil:
		err = fail(nil, nil, d.input.err)
	case err != nil && err != io.EOF: //nolint:errorlint // the contract of yaml.Decoder
		err = parseError(err)
	}
	if err != nil {
		d.err = err
		return nil, err
	}
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		return doc.Content[0], nil
	}
	return &doc, nil
}

// limited reads at most left bytes. It keeps the error for further input,
// because the parser does not wrap errors.
type limited struct {
	r    io.Reader
	left int64
	err  error
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	l.left -= int64(n)
	switch {
	case l.left < 0:
		l.err = fmt.Errorf("%w: the input exceeds the maximum size", serialization.ErrTooLarge)
		return 0, l.err
	case err != nil && err != io.EOF:
		l.err = err
	}
	return n, err
}

var lineOfError = lazyregexp.New(`^yaml: (?:line (\d+): )?(.*)$`)

// parseError converts an error of the parser to an *[serialization.Error]. Some
// parser errors quote an anchor, which may be an unquoted secret.
func parseError(err error) error {
	out := &serialization.Error{Format: name, Offset: -1}
	text := err.Error()
	if m := lineOfError.Get().FindStringSubmatch(text); m != nil {
		text = m[2]
		if line, err := strconv.Atoi(m[1]); err == nil {
			out.Line, out.Column = line, 1
		}
	}
	kind := serialization.ErrSyntax
	switch {
	case strings.Contains(text, "anchor"):
		text = "an alias refers to an unknown anchor"
	case strings.Contains(text, "UTF-8"), strings.Contains(text, "UTF-16"):
		kind = serialization.ErrUTF8
	case strings.Contains(text, "max depth"):
		kind = serialization.ErrDepth
	case strings.ContainsAny(text, "`\"\n") || strings.Contains(text, "unmarshal"):
		text = "cannot be parsed" // it may quote the document
	}
	out.Err = fmt.Errorf("%w: %s", kind, text)
	return out
}

// fail returns err with the position of node, which may be nil.
func fail(node *yaml.Node, path pcore.Path, err error) error {
	out := &serialization.Error{Format: name, Offset: -1, Path: path, Err: err}
	var inner *serialization.Error
	if errors.As(err, &inner) {
		out.Path, out.Err = append(append(pcore.Path(nil), path...), inner.Path...), inner.Err
	}
	if node != nil {
		out.Line, out.Column = node.Line, node.Column
	}
	return out
}
