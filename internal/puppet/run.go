package puppet

import (
	"cmp"
	pathpkg "path"
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
	command   pcore.Value
	path      []string        // in which commands are found
	action    []pcore.Value   // the other parameters of the command
	rules     [][]pcore.Value // the values of each condition
}

var (
	runConditions = []string{"creates", "onlyif", "unless"}
	runActions    = []string{"message", "environment", "user", "group", "cwd", "umask", "provider"}
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
	run := Run{When: Always, IsCommand: t.Name == "Exec", path: searchPath(of("path"))}
	value := func(name string) pcore.Value {
		if v := of(name); v != nil || name != t.titled {
			return v
		}
		return pcore.String(r.Title())
	}
	run.command = value("command")
	for _, name := range runActions {
		run.action = append(run.action, value(name))
	}
	for _, name := range runConditions {
		v := of(name)
		run.rules = append(run.rules, conditions(v))
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
func (r Run) DoesSame(other Run) bool {
	return r.HasSameCommand(other) && slices.EqualFunc(r.action, other.action, alike)
}

// HasSameCommand reports whether two runs have the same command.
func (r Run) HasSameCommand(other Run) bool {
	return alike(r.command, other.command) && slices.Equal(r.path, other.path) || r.isCommand(r.command, other, other.command)
}

// Forbids reports whether a run is forbidden wherever another one, with its conditions, is: all of these
// have to allow it.
func (r Run) Forbids(other Run) bool {
	if r.When != other.When {
		return false
	}
	for i, values := range other.rules {
		for _, v := range values {
			if !slices.ContainsFunc(r.rules[i], func(own pcore.Value) bool {
				return alike(own, v) || runConditions[i] != "creates" && r.isCommand(own, other, v)
			}) {
				return false
			}
		}
	}
	return true
}

// isCommand reports whether two commands of two runs are the same, if the path of one run finds the program
// that the other one names in full.
func (r Run) isCommand(own pcore.Value, other Run, v pcore.Value) bool {
	a, ok := scalar(own)
	b, also := scalar(v)
	return ok && also && (isFound(a, r.path, b) || isFound(b, other.path, a))
}

// isFound reports whether the first word of a command is the program of another one, in a folder of the path.
func isFound(command string, path []string, full string) bool {
	program, arguments, _ := strings.Cut(full, " ")
	folder, name := pathpkg.Split(program)
	word, rest, _ := strings.Cut(command, " ")
	return folder != "" && word == name && rest == arguments && slices.Contains(path, pathpkg.Clean(folder))
}

// Removes returns the files that a command deletes, if it does nothing else.
func (r Run) Removes() []string {
	if !r.IsCommand {
		return nil
	}
	words, ok := scalars(r.command)
	if len(words) == 1 {
		words = strings.Fields(words[0])
	}
	if !ok || len(words) == 0 || pathpkg.Base(words[0]) != "rm" || slices.ContainsFunc(words, func(w string) bool { return strings.ContainsAny(w, "*?[{$`'\"\\;&|<>()") }) {
		return nil
	}
	return slices.DeleteFunc(words[1:], func(w string) bool { return strings.HasPrefix(w, "-") })
}

// conditions returns the values of onlyif, unless or creates: one or several. A list in a list is a command.
func conditions(v pcore.Value) []pcore.Value {
	if v == nil {
		return nil
	}
	list, ok := bare(v).(*pcore.Array)
	if !ok {
		return []pcore.Value{v}
	}
	return slices.Collect(list.Values())
}

// searchPath returns the folders of a path: a list, or texts with colons.
func searchPath(v pcore.Value) []string {
	if v == nil {
		return nil
	}
	texts, _ := scalars(v)
	return strings.Split(strings.Join(texts, ":"), ":")
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

// IgnoresRefresh reports whether a resource does nothing if it is refreshed. old is its old version,
// whose state the node keeps where the new one asks for none, or nil.
func IgnoresRefresh(r, old *catalog.Resource) bool {
	t := TypeOf(r.Type())
	if t == nil || !t.Refreshes {
		return true
	}
	s := stateOf(r)
	is, was := s.readEnsure(), ""
	if old != nil {
		was = stateOf(old).readEnsure()
	}
	switch t.Name {
	case "Service":
		return cmp.Or(is, was) == "stopped"
	case "Package":
		return !isTrue(s.text("reinstall_on_refresh")) || IsGone(is)
	case "Mount":
		stays := is == "" || is == "defined" && was == "mounted"
		return s.text("fstype") == "swap" || !stays && is != "mounted"
	default:
		return false
	}
}

// readEnsure returns the state of the resource as Puppet reads it.
func (s state) readEnsure() string {
	if p := s.find("ensure"); p != nil {
		return p.reading.munge(s.ensure())
	}
	return s.ensure()
}

// RefreshesItself reports whether a change of a resource also refreshes it: that of a mount.
func RefreshesItself(r, old *catalog.Resource) bool {
	return TypeName(r.Type()) == "Mount" && !IgnoresRefresh(r, old)
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
	if err != nil || !ok || !pcore.Is[pcore.String](v) { // a secret
		return ""
	}
	return text(v)
}
