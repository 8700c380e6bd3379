package puppet

import (
	"slices"
	"strings"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// When says in which runs a resource acts that describes an action and no state.
type When uint8

// The answers.
const (
	NoRun     When = iota // it describes a state
	Always                // in each run
	IfAllowed             // if its conditions allow it
	OnRefresh             // only if it is refreshed
)

// Run is the action of a resource. The zero value is none.
type Run struct {
	When When
	// Conditions are the names of the parameters that can forbid it, sorted.
	Conditions []string
	// IsCommand reports that a command runs.
	IsCommand bool
	// action has the parameters of the command, and rule the conditions.
	action, rule []pcore.Value
}

var (
	runConditions = []string{"creates", "onlyif", "unless"}
	runActions    = []string{"command", "message", "environment", "user", "group", "cwd", "path", "umask", "provider"}
)

// IsRun reports whether resources of a type describe actions: an Exec and a Notify.
func IsRun(typ string) bool {
	t := TypeOf(typ)
	return t != nil && t.Runs
}

// RunOf returns the action of a resource.
func RunOf(r *catalog.Resource) Run {
	t := TypeOf(r.Type())
	if t == nil || !t.Runs {
		return Run{}
	}
	of := ValuesOf(r)
	run := Run{When: Always, IsCommand: t.Name == "Exec"}
	for _, name := range runActions {
		v := of(name)
		if v == nil && name == t.titled {
			v = pcore.String(r.Title())
		}
		run.action = append(run.action, v)
	}
	for _, name := range runConditions {
		v := of(name)
		run.rule = append(run.rule, v)
		if v != nil {
			run.When = IfAllowed
			run.Conditions = append(run.Conditions, name)
		}
	}
	if isTrue(of.text("refreshonly")) {
		run.When = OnRefresh
	}
	return run
}

// DoesSame reports whether two runs do the same, whenever they do it.
func (r Run) DoesSame(other Run) bool { return slices.EqualFunc(r.action, other.action, alike) }

// IsAllowedAs reports whether two runs have the same conditions.
func (r Run) IsAllowedAs(other Run) bool {
	return r.When == other.When && slices.EqualFunc(r.rule, other.rule, alike)
}

// alike reports whether two values, which can be nil, are the same text or list.
func alike(a, b pcore.Value) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if pcore.Identical(bare(a), bare(b)) {
		return true
	}
	x, ok := scalars(a)
	y, also := scalars(b)
	return ok && also && slices.Equal(x, y)
}

// Unless names the conditions that can forbid a run: "its unless", "its creates and its onlyif".
func (r Run) Unless() string { return "its " + strings.Join(r.Conditions, " and its ") }

// IgnoresRefresh reports whether a resource does nothing if it is refreshed, and why.
func IgnoresRefresh(r *catalog.Resource) (reason string, ok bool) {
	t := TypeOf(r.Type())
	if t == nil || !t.Refreshes {
		return "its type does nothing", true
	}
	s := stateOf(r)
	ensure := s.ensure()
	if p := s.find("ensure"); p != nil {
		ensure = p.reading.munge(ensure)
	}
	switch {
	case t.Name == "Service" && ensure == "stopped":
		return "it is stopped", true
	case t.Name == "Package" && (!isTrue(s.text("reinstall_on_refresh")) || IsGone(ensure)):
		return "it is not reinstalled", true
	case t.Name == "Mount" && ensure != "" && ensure != "mounted":
		return "it is not mounted", true
	default:
		return "", false
	}
}

// RefreshesItself reports whether a change of a resource also refreshes it: that of a mount.
func RefreshesItself(r *catalog.Resource) bool {
	if TypeName(r.Type()) != "Mount" {
		return false
	}
	_, ignores := IgnoresRefresh(r)
	return !ignores
}

// Starts reports whether a change of a property makes a later refresh of the resource in the
// same run unnecessary: a service that is started is not restarted.
func (c Change) Starts(typ string) bool {
	return TypeName(typ) == "Service" && c.Property == "ensure" && (c.To == "running" || c.To == "true")
}

// RefreshCommand returns the text with which a service says how it is restarted, or "".
func RefreshCommand(r *catalog.Resource) string {
	if TypeName(r.Type()) != "Service" {
		return ""
	}
	v, ok, err := r.Parameter("restart")
	if err != nil || !ok || v.Kind() != pcore.KindString { // a secret
		return ""
	}
	return text(v)
}
