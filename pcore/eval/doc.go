// Package eval evaluates what package syntax parsed: expressions, programs and
// templates of the Puppet language, as real Puppet does.
//
//	Evaluator   settings; made once, used by many goroutines
//	Scope       variables; the outermost one is one evaluation
//	Mode        what is an error
//	Error       what went wrong, and where in the source
//
// The constructs are spread over files by what is evaluated:
//
//	expression.go   literals, branches, assignment
//	operator.go     operators; arithmetic.go those with numbers and times
//	match.go        what matches what: =~, in, case and ?
//	access.go       brackets
//	call.go         calls; closure.go lambdas and the functions of programs
//	definition.go   function and type
//	template.go     EPP; templates.go those that were parsed
//	text.go         the text of a value in a string
//	scope.go        where variables are found
//	run.go          one evaluation; limit.go how it is kept within bounds
//
// # Limits
//
// A hostile program ends. Each step is paid from the Budget of the environment:
// an expression that is evaluated, an element that is looked at, a byte of text
// that is made. The height of expressions within each other is limited, through
// calls too, and so is that of values. The time is limited by the context. All
// of them end the evaluation by an error that [errors.Is] tells apart:
// [function.ErrBudget], [ErrDepth], [ErrHeight], and the cause of the context.
//
// # Secrets
//
// Errors tell names and types, and no values but the keys of hashes; the text
// that a program gives to `fail` is its own.
package eval
