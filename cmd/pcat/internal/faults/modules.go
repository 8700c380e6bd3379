package faults

import (
	"os"
	"path/filepath"
	"strings"
)

// ModuleTypes returns an [Options.HasType] for the modules in directories: a type
// is known if a module has it as lib/puppet/type/NAME.rb. It reads the
// directories when it is called first for a type; a directory that cannot be read
// has none.
func ModuleTypes(dirs ...string) func(name string) bool {
	known := make(map[string]bool)
	return func(name string) bool {
		name = strings.ToLower(name)
		found, ok := known[name]
		if !ok {
			found = hasType(dirs, strings.ReplaceAll(name, "::", "/"))
			known[name] = found
		}
		return found
	}
}

func hasType(dirs []string, name string) bool {
	if strings.ContainsAny(name, `*?[\`) || strings.Contains(name, "..") {
		return false
	}
	for _, dir := range dirs {
		modules, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, m := range modules {
			if _, err := os.Stat(filepath.Join(dir, m.Name(), "lib", "puppet", "type", filepath.FromSlash(name)+".rb")); err == nil {
				return true
			}
		}
	}
	return false
}
