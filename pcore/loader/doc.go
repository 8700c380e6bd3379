// Package loader finds what the modules of a module path define, when it is
// first asked for by name:
//
//	my::fn      a function of the language   my/functions/fn.pp
//	My::Port    a type                       my/types/port.pp
//	My          a TypeSet                    my/types/init_typeset.pp
//	my::host    a class or defined type      my/manifests/host.pp
//	my          the class of the module      my/manifests/init.pp
//
// Further names nest folders: my::a::b stands in a/b.pp. A [Loader] is the
// [function.Finder] and the [typeexpr.Resolver] of an evaluator. Files and
// templates need no loading: the functions file and epp find them by the same
// [function.Files], which also decide what may be read.
//
//	loader.go       Loader, and how a name becomes a file
//	function.go     functions
//	types.go        types
//	parameters.go   what classes and defined types take
//
// Of a manifest only the lists of parameters are read; nothing is evaluated but
// the types in them.
package loader
