package eval

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

// TestTemplatesAreKept checks that a cached text is parsed only once, and that
// the cache is bounded.
func TestTemplatesAreKept(t *testing.T) {
	e := New(function.Env{}, nil, Mode{})
	parse := func(file, text string) *syntax.EPP {
		epp, err := e.parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		return epp
	}
	first := parse("a.epp", "<%= 1 %>")
	if parse("a.epp", "<%= 1 %>") != first {
		t.Error("the template was parsed again")
	}
	if parse("b.epp", "<%= 1 %>") == first || parse("a.epp", "<%= 2 %>") == first {
		t.Error("another template was taken for it")
	}
	for i := range 3 {
		parse("", strings.Repeat("x", keptBytes+i-1))
	}
	for i := range 1000 {
		parse("", fmt.Sprint(i, strings.Repeat("x", keptBytes/100)))
	}
	if len(e.templates.known) > 100 || e.templates.bytes > keptBytes {
		t.Errorf("%d templates of %d bytes are kept", len(e.templates.known), e.templates.bytes)
	}
}

// TestTemplatesTogether evaluates one template in several goroutines.
func TestTemplatesTogether(t *testing.T) {
	e := New(function.Env{}, nil, Mode{})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			epp, err := e.parse("", "<%= $x =~ /(.)0/ %><%= $1 %>")
			if err != nil {
				t.Error(err)
				return
			}
			s := e.Scope(t.Context())
			v, err := e.Template(s, &Template{epp}, pcore.NewHash(pcore.Entry{Key: pcore.String("x"), Value: pcore.String(fmt.Sprint(i, "0"))}))
			if want := fmt.Sprint("true", i); err != nil || v != pcore.Value(pcore.String(want)) {
				t.Errorf("got %v, %v, want %s", v, err, want)
			}
		})
	}
	all.Wait()
}
