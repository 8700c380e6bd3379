// Package eval evaluates expressions, programs and templates of the Puppet
// language, parsed by package syntax, with the results of real Puppet.
//
//	Evaluator   the environment and settings; made once, for many goroutines
//	Scope       variables; a top scope holds the state of one evaluation
//	Mode        the strictness of the language
//	Error       a failure, with its location in the source
//
// # Limits
//
// Every evaluation ends, even of a malicious program. Each step costs units of
// the Budget of the environment: each evaluated expression, each visited
// element, each produced byte of text. The nesting of expressions is limited,
// also across calls, as is the nesting of values. The Memory of the environment
// limits the size of values, and the context limits the time. Each limit has its
// own error, for [errors.Is]: [function.ErrBudget], [ErrDepth], [ErrHeight],
// [function.ErrMemory], and the cause of the context.
//
// # Secrets
//
// The message of an error contains names and types, but not values, with these
// exceptions: keys of hashes, texts that do not match an Enum or a Pattern, and
// the text that a program passes to `fail`. Values of a Sensitive are never
// included.
package eval
