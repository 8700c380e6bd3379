package eval

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Condition returns the value of a condition, which is a Boolean, or undef for false. It takes the
// results of an evaluation. The error contains none of the data that err may quote.
func Condition(v pcore.Value, err error) (bool, error) {
	if err != nil {
		return false, withoutData(err)
	}
	truth, ok := v.(pcore.Boolean)
	if _, undef := v.(pcore.Undef); !ok && !undef {
		return false, errors.New("the result is neither true nor false")
	}
	return bool(truth), nil
}

// withoutData returns the reason why an expression failed.
func withoutData(err error) error {
	why := "the value has the wrong type for this operation"
	switch {
	case errors.Is(err, function.ErrBudget):
		why = function.ErrBudget.Error()
	case errors.Is(err, ErrUnknownVariable):
		why = ErrUnknownVariable.Error()
	}
	if at := (*Error)(nil); errors.As(err, &at) {
		return fmt.Errorf("line %d, column %d: %s", at.Line, at.Column, why)
	}
	return errors.New(why)
}
