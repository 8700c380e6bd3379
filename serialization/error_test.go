package serialization_test

import (
	"errors"
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
