package deferred

import "github.com/pcatdev/pcat/pcore"

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
