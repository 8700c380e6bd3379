package function

import "strings"

// Effects is the set of side effects and hidden inputs of a function.
// [Env.Allow] can use it to decide which calls are permitted. The zero value is
// a pure function: equal arguments give equal results, on any machine and at any
// time.
type Effects uint8

// The effects that a function may have.
const (
	ReadsFiles       Effects = 1 << iota // reads files of this machine
	ReadsEnvironment                     // reads the environment of the process
	RunsCommands                         // starts programs
	UsesNetwork                          // connects to other machines
	Random                               // returns a different result each time
	ReadsVariables                       // reads variables of the caller, such as facts
	ReadsClock                           // depends on the current time
	Logs                                 // writes to the log
)

var effectNames = [...]struct {
	effect Effects
	name   string
}{
	{ReadsFiles, "reads files"},
	{ReadsEnvironment, "reads the environment"},
	{RunsCommands, "runs commands"},
	{UsesNetwork, "uses the network"},
	{Random, "is random"},
	{ReadsVariables, "reads variables"},
	{ReadsClock, "reads the clock"},
	{Logs, "logs"},
}

// Harmless is the set of effects that are allowed by default: they only read
// values that the caller provides, or write to the caller's log.
const Harmless = ReadsVariables | ReadsClock | Logs

// Has reports whether e has any of the effects of other.
func (e Effects) Has(other Effects) bool { return e&other != 0 }

// String returns a readable list of the effects, such as "reads files, uses the
// network", or "pure" if there are none.
func (e Effects) String() string {
	if e == 0 {
		return "pure"
	}
	var names []string
	for _, n := range effectNames {
		if e.Has(n.effect) {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, ", ")
}
