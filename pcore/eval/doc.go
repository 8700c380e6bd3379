// Package eval evaluates expressions, programs and templates of the Puppet
// language, parsed by package syntax, with the results of real Puppet.
//
//	Evaluator   the environment and settings; made once, for many goroutines
//	Scope       variables; a top scope holds the state of one evaluation
//	Mode        the strictness of the language
//	Error       a failure, with its location in the source
//	Loader      functions, types and definitions of modules
//
// # Modules
//
// A [Loader] loads definitions from the modules of a module path, by name and on first
// use:
//
//	my::fn      a function of the language   my/functions/fn.pp
//	My::Port    a type                       my/types/port.pp
//	My          a TypeSet                    my/types/init_typeset.pp
//	my::host    a class or defined type      my/manifests/host.pp
//	my          the class of the module      my/manifests/init.pp
//
// Further segments are folders: my::a::b is in a/b.pp. A Loader is the
// [function.Finder] and the [typeexpr.Resolver] of an evaluator. Files and
// templates do not need loading: the functions file and epp find them through
// the same [function.Files], which also control read access. In a manifest, only
// parameter lists are parsed; only the types in them are evaluated.
//
// # Limits
//
// With a Budget in the environment, every evaluation ends, even of a malicious
// program. Each evaluated expression, each visited element and each produced byte
// of text costs units of it. The nesting of expressions is limited, also across
// calls, as is the nesting of values. The Memory of the environment limits the
// size of values, and the context limits the time. Each limit has its own error,
// for [errors.Is]: [function.ErrBudget], [ErrDepth], [function.ErrMemory], and the
// cause of the context.
//
// # Secrets
//
// Errors of this package contain names and types. They contain no values except
// keys of hashes, and texts that do not match an Enum or a Pattern. Errors of
// functions can quote other values, such as the text passed to `fail`. No error
// contains the value of a Sensitive.
package eval
