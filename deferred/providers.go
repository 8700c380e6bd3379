package deferred

import "github.com/pcatdev/pcat/pcore/function"

// Providers are consulted in order: the first one that has a function answers
// its calls. Providers implements [function.Finder].
type Providers []function.Finder

// Function implements [function.Finder].
func (ps Providers) Function(name string) (*function.Function, bool) {
	for _, p := range ps {
		if f, ok := p.Function(name); ok {
			return f, true
		}
	}
	return nil, false
}
