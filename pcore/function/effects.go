package function

import "strings"

// Effects tells what a call of a function does beyond computing its result
// from its arguments. Whoever calls decides by it what is allowed. The zero
// value is a pure function: equal arguments give equal results, anywhere and
// at any time.
type Effects uint8

// The effects that a function may have.
const (
	ReadsFiles       Effects = 1 << iota // reads files of this machine
	ReadsEnvironment                     // reads the environment of the process
	RunsCommands                         // starts programs
	UsesNetwork                          // talks to other machines
	Random                               // gives another result each time
	ReadsVariables                       // reads variables of the caller, such as facts
	ReadsClock                           // depends on the time of day
	Logs                                 // says something to the log
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

// Harmless are the effects of functions that neither reach beyond what they are
// given nor change anything.
const Harmless = ReadsVariables | ReadsClock | Logs

// Has reports whether e has any of the effects of other.
func (e Effects) Has(other Effects) bool { return e&other != 0 }

// String lists the effects for people: "reads files, uses the network", and
// "pure" when there are none.
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
