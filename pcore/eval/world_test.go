package eval_test

import (
	"context"
	"testing"
	"time"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// budget is the budget of a test program.
const budget = 500_000

func parseType(text string) (pcore.Type, error) { return typeexpr.Parse(text, nil) }

func registry(tb testing.TB) *function.Registry {
	tb.Helper()
	r, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// message is a log level and a text.
type message [2]string

// world is an evaluator that records its log.
type world struct {
	*eval.Evaluator
	logs []message
}

func newWorld(functions function.Finder, mode eval.Mode) *world {
	return newWorldOf(functions, mode, budget)
}

func newWorldOf(functions function.Finder, mode eval.Mode, budget int64) *world {
	w := &world{}
	w.Evaluator = eval.New(function.Env{
		Functions: functions,
		ParseType: parseType,
		Log:       func(level function.Level, text string) { w.logs = append(w.logs, message{string(level), text}) },
		Budget:    function.NewBudget(budget),
	}, nil, mode)
	return w
}

// run evaluates a program, with a timeout.
func (w *world) run(ctx context.Context, src string) (pcore.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	return w.Text(w.Scope(ctx), "", src)
}
