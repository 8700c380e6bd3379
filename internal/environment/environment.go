// Package environment divides the paths of manifests.
//
// The layout of an environment on disk belongs here; its manifests and types are read by
// package loader.
package environment

import "strings"

// Cut returns the part of the path of a manifest below the folder of its environment,
// which may differ for each branch, and the name of the environment. A path without
// one is returned as it is, with no name. Of several folders named environments, the
// first one counts: a module may have one, too.
func Cut(path string) (below, name string) {
	rest, first := strings.CutPrefix(path, "environments/")
	if !first {
		_, rest, _ = strings.Cut(path, "/environments/")
	}
	name, below, _ = strings.Cut(rest, "/")
	if name == "" || below == "" {
		return path, ""
	}
	return below, name
}

// InModule returns the part of the path of a manifest that begins with the name of its
// module: `profile/manifests/db.pp`. It returns "" for a manifest outside of modules.
func InModule(path string) string {
	below, _ := Cut(path)
	i := strings.LastIndex(below, "/manifests/")
	if i < 0 || !strings.HasSuffix(below, ".pp") {
		return ""
	}
	return below[strings.LastIndexByte(below[:i], '/')+1:]
}

// OfClass returns the path from which Puppet loads a class, as [InModule] returns it.
func OfClass(class string) string {
	module, rest, nested := strings.Cut(strings.ToLower(strings.TrimPrefix(class, "::")), "::")
	if !nested {
		rest = "init"
	}
	return module + "/manifests/" + strings.ReplaceAll(rest, "::", "/") + ".pp"
}
