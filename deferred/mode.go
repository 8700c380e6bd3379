package deferred

import (
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
)

// Mode selects when an agent makes the calls. The zero value is Eager.
type Mode uint8

const (
	// Eager makes all calls before the catalog is applied, as Puppet 6 and 7
	// and OpenVox do.
	Eager Mode = iota
	// Lazy makes a call when its parameter is applied, as Puppet 8 does. A
	// Sensitive result is then unwrapped, also as the argument of another
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

// Agent is a supported agent: its mode and the default strictness of its
// language, for the fields of a [Resolver].
type Agent struct {
	Name     string
	Mode     Mode
	Language eval.Mode
}

// Agents returns the supported agents, the default first: Puppet 7, Puppet 8,
// and OpenVox, which is as strict as Puppet 8 and as eager as Puppet 7.
func Agents() []Agent {
	return []Agent{
		{"puppet7", Eager, eval.Lax()},
		{"puppet8", Lazy, eval.Mode{}},
		{"openvox", Eager, eval.Mode{}},
	}
}

// looksSecret reports whether v contains a Sensitive or the type Sensitive, at
// any depth. Puppet 8 uses this to predict that a call may return a secret.
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
