package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/yamlwire"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// name is the name of the wire format in errors.
const name = "yaml"

// Decode decodes a whole document. Errors are *[serialization.Error].
func Decode(data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
	d := decoder{events: newEvents(bytes.NewReader(data), o)}
	if int64(len(data)) <= o.ByteLimit() {
		d.events.parser = yamlwire.NewBytes(data)
	}
	v, err := d.Decode()
	if err == io.EOF { //nolint:errorlint // the contract of Decoder
		return nil, d.events.fail(nil, nil, fmt.Errorf("%w: the input is empty", serialization.ErrTruncated))
	}
	if err != nil {
		return nil, err
	}
	switch e, err := d.events.begin(); {
	case err == nil:
		return nil, d.events.fail(&e, nil, serialization.ErrTrailing)
	case err != io.EOF: //nolint:errorlint // the contract of begin
		return nil, err
	}
	return v, nil
}

// decoder reads a stream of documents.
type decoder struct{ events *events }

// NewDecoder returns a Decoder for the stream of documents in r. It reads
// ahead.
func NewDecoder(r io.Reader, o serialization.DecodeOptions) serialization.Decoder {
	return &decoder{newEvents(r, o)}
}

// Decode implements [serialization.Decoder].
func (d *decoder) Decode() (pcore.Value, error) {
	e, err := d.events.begin()
	if err != nil {
		return nil, err
	}
	b := dataconv.NewBuilder(d.events.opts)
	if err := d.events.walk(e, toBuilder{b}, 0); err != nil {
		return nil, d.events.stop(err)
	}
	if err := d.events.end(); err != nil {
		return nil, err
	}
	return b.Value(), nil
}

// limited reads at most left bytes.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	l.left -= int64(n)
	if l.left < 0 {
		return 0, fmt.Errorf("%w: the input exceeds the maximum size", serialization.ErrTooLarge)
	}
	return n, err
}

// parseError converts an error of the parser to an *[serialization.Error].
func parseError(err error) error {
	out := &serialization.Error{Format: name, Offset: -1, Err: err}
	var syntax *yamlwire.Error
	if errors.As(err, &syntax) {
		kind := serialization.ErrSyntax
		if errors.Is(err, yamlwire.ErrEncoding) {
			kind = serialization.ErrUTF8
		}
		out.Line, out.Column, out.Err = syntax.Line, syntax.Column, fmt.Errorf("%w: %s", kind, syntax.Problem)
	}
	return out
}
