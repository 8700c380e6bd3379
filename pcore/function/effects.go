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
	ReadsEnvironment                     // depends on variables of the caller, or on the process's environment
	RunsCommands                         // starts programs
	UsesNetwork                          // talks to other machines
	ReadsClock                           // depends on the time of day
	Random                               // gives another result each time
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
	{ReadsClock, "reads the clock"},
	{Random, "is random"},
	{Logs, "logs"},
}

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
