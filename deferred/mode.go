package deferred

import "github.com/pcatdev/pcat/pcore"

// Mode selects when an agent makes the calls. The zero value is Eager.
type Mode uint8

const (
	// Eager makes all calls before the catalog is applied, as Puppet 6 and 7
	// and OpenVox 9 do.
	Eager Mode = iota
	// Lazy makes a call when its parameter is applied, as Puppet 8 and OpenVox 8
	// do. A Sensitive result is then unwrapped, also as the argument of another
	// call. The parameter is marked as sensitive in advance if the arguments
	// contain a Sensitive or the type Sensitive.
	Lazy
)

// String returns "eager" or "lazy".
func (m Mode) String() string {
	if m == Lazy {
		return "lazy"
	}
	return "eager"
}

// Like returns the default mode of the agents of a reference: Lazy for Puppet 8
// and OpenVox 8.
func Like(r pcore.Reference) Mode {
	if r == pcore.Puppet8 || r == pcore.OpenVox8 {
		return Lazy
	}
	return Eager
}
