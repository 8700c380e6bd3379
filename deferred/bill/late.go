package bill

import (
	"strings"

	"github.com/pcatdev/pcat/catalog"
)

// Late tells what becomes of a call when the agent does not resolve the whole
// catalog first, as Puppet 8 does by default, but each parameter when its
// resource is applied. See docs/puppet-differences.md.
type Late struct {
	// Breaks tells that the call is not made, or too late. When Always is set,
	// that is so with every agent.
	Breaks, Always bool
	// Reason says why, for a person; empty when nothing breaks.
	Reason string
}

// lateness tells what becomes of e.
func lateness(r *catalog.Resource, parameter string, e *Entry) Late {
	switch e.Position {
	case Attribute:
		return Late{true, true, "no agent looks for calls in an object"}
	case Key:
		return Late{true, true, "no agent looks for calls in the key of a hash"}
	}
	if name, ok := strings.CutPrefix(e.Function, "$"); ok && strings.TrimPrefix(name, "::") != "facts" {
		return Late{true, true, "an agent knows the variable $facts only"}
	}
	if r.Type() == "Class" || r.Kind() == "class" || r.Kind() == "defined_type" {
		return Late{} // not applied itself
	}
	switch {
	case e.Position == Nested:
		return Late{Breaks: true, Reason: "a late agent makes the call of a whole parameter, and leaves those in arrays and hashes"}
	case e.Position == Scalar && isReadEarly(r.Type(), parameter):
		return Late{Breaks: true, Reason: "the agent reads this parameter before the resource is applied"}
	}
	return Late{}
}

// isReadEarly reports whether a parameter is one that Puppet's own types read
// while the agent orders resources or makes them, when a late call was not made
// yet: the run fails.
func isReadEarly(typ, parameter string) bool {
	if parameter == "schedule" {
		return true
	}
	switch strings.ToLower(typ) {
	case "exec":
		return parameter == "command" || parameter == "unless" || parameter == "onlyif" || parameter == "path"
	case "file":
		return parameter == "path"
	case "user":
		return parameter == "name"
	}
	return false
}
