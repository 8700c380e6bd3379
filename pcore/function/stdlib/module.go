package stdlib

import (
	"slices"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func module(reference pcore.Reference) []function.Function {
	module := slices.Concat(
		moduleTextFunctions(),
		moduleCollectionFunctions(),
		moduleDataFunctions(),
		modulePathFunctions(),
		moduleShellFunctions(),
		moduleCryptFunctions(),
		moduleRandomFunctions(),
		moduleSecretFunctions(),
		moduleSelectFunctions(),
		moduleLoadFunctions(),
		moduleGlobFunctions(),
	)
	for i := range module {
		f := module[i]
		f.Name = "stdlib::" + f.Name
		switch {
		case isOnlyNamespaced(module[i].Name):
			module[i] = f
		case isNamespaced(module[i].Name):
			module = append(module, f)
		}
	}
	if reference != pcore.Puppet7 {
		module = slices.DeleteFunc(module, func(f function.Function) bool { return endsWithPuppet7(f.Name) })
	}
	return from("puppetlabs-stdlib", module)
}

// endsWithPuppet7 reports whether the versions of the module for Puppet 8 lack the function,
// or refuse to run it there.
func endsWithPuppet7(name string) bool { return name == "has_key" || name == "uriescape" }

// isOnlyNamespaced reports whether the module defines the function as stdlib::NAME
// alone.
func isOnlyNamespaced(name string) bool {
	return name == "end_with" || name == "extname" || name == "start_with"
}

// isNamespaced reports whether the module also defines the function as
// stdlib::NAME.
func isNamespaced(name string) bool {
	switch name {
	case "batch_escape", "fqdn_rand_string", "merge", "powershell_escape",
		"seeded_rand", "seeded_rand_string", "shell_escape", "to_python", "to_ruby":
		return true
	default:
		return false
	}
}
