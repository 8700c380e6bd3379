package stdlib

import (
	"slices"

	"github.com/pcatdev/pcat/pcore/function"
)

// Module returns the functions of the puppetlabs-stdlib module, as far as they
// are here: those that templates use most. Those that the module has in its
// namespace as well are there under both names.
func Module() []function.Function {
	module := slices.Concat(
		moduleTextFunctions(),
		moduleCollectionFunctions(),
		moduleDataFunctions(),
		modulePathFunctions(),
		moduleShellFunctions(),
		moduleCryptFunctions(),
	)
	for _, f := range module {
		if isNamespaced(f.Name) {
			f.Name = "stdlib::" + f.Name
			module = append(module, f)
		}
	}
	for i := range module {
		module[i].Source = "puppetlabs-stdlib"
	}
	return module
}

// isNamespaced reports whether the module has a function as stdlib::NAME too.
func isNamespaced(name string) bool {
	switch name {
	case "batch_escape", "end_with", "extname", "merge", "shell_escape", "start_with",
		"to_json", "to_json_pretty", "to_python", "to_ruby", "to_toml", "to_yaml":
		return true
	default:
		return false
	}
}
