// Package condition evaluates the conditions on resources that users write.
//
//	Evaluators  evaluators for one condition each
//	Rules       the custom rules of an audit, in the format of their files
//
// Reading and compiling conditions belongs here; the files that have them belong to their
// commands.
package condition

import (
	"context"

	"github.com/pcatdev/pcat/audit"
	"github.com/pcatdev/pcat/deferred"
	"github.com/pcatdev/pcat/internal/auditconfig"
	"github.com/pcatdev/pcat/internal/query"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// work bounds one evaluation of a condition.
const work = 100_000

// Evaluators returns a function that returns an evaluator for one evaluation of a
// condition. It has no files, commands, network and log, and a limit of work of its own, so
// that the answer does not depend on the others. Unless it is strict, it accepts undef in
// operators. The function is safe for concurrent use.
func Evaluators(strict bool) (func() *eval.Evaluator, error) {
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		return nil, err
	}
	types := typeexpr.Like(pcore.OpenVox8, nil)
	env := function.Env{
		Files:     function.Tree{},
		ParseType: func(text string) (pcore.Type, error) { return typeexpr.Parse(text, types) },
		Functions: functions,
		Allow:     deferred.Policy{}.Allow,
		Log:       func(function.Level, string) {},
	}
	return func() *eval.Evaluator {
		own := env
		own.Budget = function.NewBudget(work)
		return eval.New(own, nil, eval.Mode{LaxUndef: !strict})
	}, nil
}

// compiler compiles the conditions of an audit.
func compiler(strict bool) (auditconfig.Compiler, error) {
	evaluators, err := Evaluators(strict)
	if err != nil {
		return nil, err
	}
	return func(name, text string) (auditconfig.Expression, error) {
		q, err := query.New(evaluators(), name, text)
		if err != nil {
			return nil, err
		}
		return &expression{evaluators, q}, nil
	}, nil
}

// expression is a condition of an audit.
type expression struct {
	evaluators func() *eval.Evaluator
	query      *query.Query
}

// Holds implements [auditconfig.Expression].
func (e *expression) Holds(r *audit.Resource) (bool, error) {
	return eval.Condition(e.query.Subject(context.Background(), e.evaluators(), &query.Subject{ // its limit of work ends it
		Type: r.Type, Title: r.Title, Parameters: r.Parameters, Sensitive: r.Sensitive, Tags: r.Tags,
		File: r.File, Line: r.Line, Exported: r.Exported,
	}))
}
