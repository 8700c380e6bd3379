package eval_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
)

// FuzzEvaluate checks that programs and templates never panic, and return either
// a value or an error, in strict and lax mode.
func FuzzEvaluate(f *testing.F) {
	for i, c := range cases(f, filepath.Join("testdata", "programs.jsonl")) {
		if code, ok := c.Text("code"); ok && i%5 == 0 {
			f.Add(code, i%2 == 0, false)
		}
	}
	f.Add("<%- |$a = 1| -%>\n<% [1].each |$x| { %><%= $x %><% } -%>", false, true)
	functions := registry(f)
	f.Fuzz(func(t *testing.T, src string, lax, template bool) {
		mode := eval.Mode{}
		if lax {
			mode = eval.Lax()
		}
		e := eval.New(function.Env{Functions: functions, ParseType: parseType, Budget: function.NewBudget(20_000)}, nil, mode)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		s := e.Scope(ctx)
		var v pcore.Value
		var err error
		if template {
			v, err = e.Call(s, "inline_epp", pcore.String(src))
		} else {
			v, err = e.Text(s, "", src)
		}
		if (v == nil) == (err == nil) {
			t.Errorf("value %v and error %v", v, err)
		}
		if err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
	})
}
