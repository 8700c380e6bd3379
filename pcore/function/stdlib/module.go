package stdlib

import (
	"slices"

	"github.com/pcatdev/pcat/pcore/function"
)

// Module returns the supported functions of the puppetlabs-stdlib module: the
// ones that templates use most. Functions that the module also defines in its
// namespace have both names.
func Module() []function.Function {
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
	for _, f := range module {
		if isNamespaced(f.Name) {
			f.Name = "stdlib::" + f.Name
			module = append(module, f)
		}
	}
	return from("puppetlabs-stdlib", module)
}

// isNamespaced reports whether the module also defines the function as
// stdlib::NAME.
func isNamespaced(name string) bool {
	switch name {
	case "batch_escape", "end_with", "extname", "fqdn_rand_string", "merge", "powershell_escape",
		"seeded_rand", "seeded_rand_string", "shell_escape", "start_with", "to_python", "to_ruby":
		return true
	default:
		return false
	}
}
