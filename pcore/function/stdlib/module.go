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

// isNamespaced reports whether the module also defines the function as
// stdlib::NAME.
func isNamespaced(name string) bool {
	switch name {
	case "batch_escape", "end_with", "extname", "merge", "shell_escape", "start_with",
		"to_json", "to_json_pretty", "to_python", "to_ruby", "to_toml", "to_yaml":
		return true
	default:
		return false
	}
}
