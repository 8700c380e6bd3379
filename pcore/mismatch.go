package pcore

import "fmt"

// assertInstance returns the error for a v that is not an instance of t.
func assertInstance(subject string, t Type, v Value) error {
	if Contains(t, v) {
		return nil
	}
	return fmt.Errorf("%s has wrong type, expects a value of type %s, got %s", subject, t, InferDetailed(v))
}
