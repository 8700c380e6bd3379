package deferred

import (
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Event is the call of one Deferred. It tells types in place of values, so that
// it can be shown to anybody.
type Event struct {
	At       catalog.Location
	Function string
	// Arguments are the types of the arguments, after they were resolved.
	Arguments []string
	Duration  time.Duration
	// Result is the type of the result; empty when there is an error.
	Result string
	// Err is why there is no result; it quotes no secret.
	Err error
}

// String returns the call on one line: place, call, result and duration.
func (e Event) String() string {
	result := e.Result
	if e.Err != nil {
		result = "error: " + e.Err.Error()
	}
	return e.At.String() + ": " + e.Function + "(" + strings.Join(e.Arguments, ", ") + ") -> " + result +
		" in " + e.Duration.Round(time.Microsecond).String()
}

// typesOf returns the types of values, without anything that tells of their
// content, not even its length.
func typesOf(values []pcore.Value) []string {
	types := make([]string, len(values))
	for i, v := range values {
		types[i] = typeOf(v)
	}
	return types
}

func typeOf(v pcore.Value) string {
	switch v := v.(type) {
	case *pcore.Array:
		elems := typesOf(slices.Collect(v.Values()))
		slices.Sort(elems)
		return "Array[" + strings.Join(slices.Compact(elems), "|") + "]"
	case *pcore.Object:
		return v.TypeName()
	default:
		return v.Kind().String()
	}
}
