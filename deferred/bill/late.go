package bill

import (
	"strings"

	"github.com/pcatdev/pcat/catalog"
)

// Late is the effect on a call of an agent that resolves each parameter when its
// resource is applied, as Puppet 8 does by default, rather than the whole
// catalog in advance. See docs/puppet-differences.md.
type Late struct {
	// Breaks reports that the call is not made, or is made too late. Always
	// reports that this applies to every agent.
	Breaks, Always bool
	// Reason explains the problem, or is empty if there is none.
	Reason string
}

// lateness returns the effect of late resolution on e.
func lateness(r *catalog.Resource, parameter string, e *Entry) Late {
	switch e.Position {
	case Attribute:
		return Late{true, true, "agents do not resolve calls in objects"}
	case Key:
		return Late{true, true, "agents do not resolve calls in hash keys"}
	}
	if name, ok := strings.CutPrefix(e.Function, "$"); ok && strings.TrimPrefix(name, "::") != "facts" {
		return Late{true, true, "agents define only the variable $facts"}
	}
	if r.Type() == "Class" || r.Kind() == "class" || r.Kind() == "defined_type" {
		return Late{} // not applied itself
	}
	switch {
	case e.Position == Nested:
		return Late{Breaks: true, Reason: "agents that resolve late resolve only whole parameters, not calls in arrays and hashes"}
	case e.Position == Scalar && isReadEarly(r.Type(), parameter):
		return Late{Breaks: true, Reason: "the agent reads this parameter before it applies the resource"}
	}
	return Late{}
}

// isReadEarly reports whether a type of Puppet reads the parameter while the
// agent orders or creates resources. A late call has not been made by then, and
// the run fails.
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
