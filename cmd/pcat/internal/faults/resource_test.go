package faults

import "testing"

// Each parameter has a name of its own, which is not that of the kind.
func TestParametersHaveNames(t *testing.T) {
	if n := len(parametersByName()); n != len(parameterNames) || parameter(n) != numParameters {
		t.Errorf("%d names for %d parameters", n, numParameters)
	}
	if _, ok := parametersByName()[kindOf]; ok {
		t.Error("a parameter has no name")
	}
}
