package deferred

import "github.com/pcatdev/pcat/pcore/function"

// Policy tells which functions may be called. The zero value allows those that
// neither reach beyond their arguments and the facts nor change anything.
type Policy struct {
	// Effects are the effects that are allowed besides [function.Harmless].
	Effects function.Effects
}

// Allow refuses a function by a [function.RefusedError], which names the
// effects that are not allowed.
func (p Policy) Allow(f *function.Function) error {
	refused := f.Effects &^ (p.Effects | function.Harmless)
	if refused == 0 {
		return nil
	}
	return &function.RefusedError{Function: f.Name, Effects: refused}
}
