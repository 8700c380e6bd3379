package codec_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Within adds the outer location to an error.
func TestWithin(t *testing.T) {
	inner := fmt.Errorf("resource: %w", &serialization.Error{Format: "json", Offset: 5, Line: 1, Column: 6, Path: pcore.Path{}.Key("b"), Err: serialization.ErrUTF8})
	err := codec.Within(inner, 100, pcore.Path{}.Key("a").Index(3))
	var e *serialization.Error
	if !errors.As(err, &e) || !errors.Is(err, serialization.ErrUTF8) {
		t.Fatalf("got %v", err)
	}
	if e.Format != "json" || e.Offset != 105 || e.Line != 0 || e.Path.String() != "$['a'][3]['b']" {
		t.Errorf("got %+v", e)
	}
	err = codec.Within(io.ErrUnexpectedEOF, -1, pcore.Path{}.Index(0))
	if !errors.As(err, &e) || !errors.Is(err, io.ErrUnexpectedEOF) || e.Offset != -1 || e.Path.String() != "$[0]" {
		t.Errorf("got %v", err)
	}
	if codec.Within(nil, 0, nil) != nil || codec.InFormat("json", nil) != nil {
		t.Error("no error became one")
	}
}
