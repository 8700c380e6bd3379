// Package loader loads definitions from the modules of a module path, by name
// and on first use:
//
//	my::fn      a function of the language   my/functions/fn.pp
//	My::Port    a type                       my/types/port.pp
//	My          a TypeSet                    my/types/init_typeset.pp
//	my::host    a class or defined type      my/manifests/host.pp
//	my          the class of the module      my/manifests/init.pp
//
// Further segments are folders: my::a::b is in a/b.pp. A [Loader] is the
// [function.Finder] and the [typeexpr.Resolver] of an evaluator. Files and
// templates do not need loading: the functions file and epp find them through
// the same [function.Files], which also control read access.
//
//	loader.go       Loader, and the mapping of names to files
//	function.go     functions
//	types.go        types
//	parameters.go   parameters of classes and defined types
//
// In a manifest, only parameter lists are parsed; only the types in them are
// evaluated.
package loader
