package deferred

import (
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
)

// Mode is when an agent makes the calls. The zero value is Eager.
type Mode uint8

const (
	// Eager makes all calls before the catalog is applied, as Puppet 6 and 7
	// and OpenVox do.
	Eager Mode = iota
	// Lazy makes a call when its parameter is applied, as Puppet 8 does. The
	// secret that a call returns is taken out of its Sensitive then, also
	// when it is an argument of another call; the parameter is marked
	// sensitive beforehand, when anything among the arguments is a secret
	// or the type Sensitive.
	Lazy
)

// String returns "eager" or "lazy".
func (m Mode) String() string {
	if m == Lazy {
		return "lazy"
	}
	return "eager"
}

// Agent is an agent that can be followed: when it makes calls, and how strict its
// language is by default. These are the fields of a [Resolver].
type Agent struct {
	Name     string
	Mode     Mode
	Language eval.Mode
}

// Agents returns the agents that are known, the one that is followed by default
// first: Puppet 7, Puppet 8, and OpenVox, which is as strict as Puppet 8 and makes
// calls when Puppet 7 does.
func Agents() []Agent {
	return []Agent{
		{"puppet7", Eager, eval.Lax()},
		{"puppet8", Lazy, eval.Mode{}},
		{"openvox", Eager, eval.Mode{}},
	}
}

// looksSecret is how Puppet 8 tells beforehand that a call may give a secret:
// a Sensitive, or the type, stands among its arguments, however deep.
func looksSecret(v pcore.Value) bool {
	switch v := v.(type) {
	case *pcore.Deferred:
		return looksSecret(v.Arguments())
	case *pcore.Array:
		for e := range v.Values() {
			if looksSecret(e) {
				return true
			}
		}
		return false
	case *pcore.Hash:
		for k, e := range v.All() {
			if looksSecret(k) || looksSecret(e) {
				return true
			}
		}
		return false
	case *pcore.Sensitive, *pcore.SensitiveType:
		return true
	default:
		return false
	}
}
