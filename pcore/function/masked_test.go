package function_test

import (
	"context"
	"errors"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// TestMaskedError checks that Withhold returns the error of a function that
// masks secrets itself, and no other.
func TestMaskedError(t *testing.T) {
	reason := errors.New("permission denied")
	var inClear bool
	fails := func(name string, err error) function.Function {
		return function.Function{Name: name, HandlesSensitive: true, Dispatches: []function.Dispatch{{
			Text: "Any args*",
			Call: func(c *function.Call, _ []pcore.Value) (pcore.Value, error) {
				inClear = c.InClear()
				return nil, err
			},
		}}}
	}
	registry := function.NewRegistry()
	if err := registry.Add(fails("masks", &function.MaskedError{Function: "masks", Err: reason}), fails("tells", reason)); err != nil {
		t.Fatal(err)
	}
	env := function.Env{Functions: registry}
	for name, want := range map[string]string{
		"masks": "masks(): permission denied",
		"tells": "tells(): " + function.ErrWithheld.Error(),
	} {
		_, err := env.Call(context.Background(), name, nil, nil)
		if !errors.Is(err, reason) || inClear {
			t.Errorf("%s: %v, in clear: %t", name, err, inClear)
		}
		if got := function.Withhold(name, err).Error(); got != want {
			t.Errorf("%s: %q is told, want %q", name, got, want)
		}
	}
	if _, err := env.Call(function.InClear(context.Background()), "masks", nil, nil); err == nil || !inClear {
		t.Errorf("the function is not told that its arguments are in clear: %v", err)
	}
}
