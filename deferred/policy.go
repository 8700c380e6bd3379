package deferred

import "github.com/pcatdev/pcat/pcore/function"

// Policy selects the functions that may be called. The zero value allows pure
// functions and the effects in [function.Harmless].
type Policy struct {
	// Effects are allowed in addition to [function.Harmless].
	Effects function.Effects
}

// Allow returns a [function.RefusedError] with the forbidden effects, or nil if
// the function is allowed.
func (p Policy) Allow(f *function.Function) error {
	refused := f.Effects &^ (p.Effects | function.Harmless)
	if refused == 0 {
		return nil
	}
	return &function.RefusedError{Function: f.Name, Effects: refused}
}
