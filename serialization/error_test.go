package serialization_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

func TestErrorText(t *testing.T) {
	long := pcore.Path{}
	for i := range 100 {
		long = long.Index(i)
	}
	for want, e := range map[string]*serialization.Error{
		"boom":                                   {Offset: -1, Err: errors.New("boom")},
		"JSON at line 2, column 7: $['a']: boom": {Format: "json", Offset: 20, Line: 2, Column: 7, Path: pcore.Path{}.Key("a"), Err: errors.New("boom")},
		"MessagePack at byte 20: boom":           {Format: "msgpack", Offset: 20, Err: errors.New("boom")},
		"MessagePack: $[1]: boom":                {Format: "msgpack", Offset: -1, Path: pcore.Path{}.Index(1), Err: errors.New("boom")},
	} {
		if got := e.Error(); got != want {
			t.Errorf("want %q, got %q", want, got)
		}
	}
	text := (&serialization.Error{Offset: -1, Path: long, Err: io.EOF}).Error()
	if !strings.HasPrefix(text, "$[0][1]") || !strings.Contains(text, "…") || !strings.HasSuffix(text, "[98][99]: EOF") || len(text) > 200 {
		t.Errorf("a long path is not shortened: %s", text)
	}
}

// Within adds the outer location to an error.
func TestWithin(t *testing.T) {
	inner := fmt.Errorf("resource: %w", &serialization.Error{Format: "json", Offset: 5, Line: 1, Column: 6, Path: pcore.Path{}.Key("b"), Err: serialization.ErrUTF8})
	err := serialization.Within(inner, 100, pcore.Path{}.Key("a").Index(3))
	var e *serialization.Error
	if !errors.As(err, &e) || !errors.Is(err, serialization.ErrUTF8) {
		t.Fatalf("got %v", err)
	}
	if e.Format != "json" || e.Offset != 105 || e.Line != 0 || e.Path.String() != "$['a'][3]['b']" {
		t.Errorf("got %+v", e)
	}
	err = serialization.Within(io.ErrUnexpectedEOF, -1, pcore.Path{}.Index(0))
	if !errors.As(err, &e) || !errors.Is(err, io.ErrUnexpectedEOF) || e.Offset != -1 || e.Path.String() != "$[0]" {
		t.Errorf("got %v", err)
	}
	if serialization.Within(nil, 0, nil) != nil || serialization.InFormat("json", nil) != nil {
		t.Error("no error became one")
	}
}
