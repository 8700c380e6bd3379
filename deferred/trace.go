package deferred

import (
	"slices"
	"strings"
	"time"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
)

// Event describes the call of one Deferred. It contains types instead of values,
// so it can be published.
type Event struct {
	At       catalog.Location
	Function string
	// Arguments are the types of the resolved arguments.
	Arguments []string
	Duration  time.Duration
	// Result is the type of the result, empty on failure.
	Result string
	// Outcome is that of [Resolver.Handler].
	Outcome Outcome
	// Err is the reason of the failure, without secrets.
	Err error
}

// String returns the event on one line: location, call, result and duration.
func (e Event) String() string {
	result := e.Result
	if e.Err != nil {
		result = "error: " + e.Err.Error()
	}
	text := e.At.String() + ": " + e.Function + "(" + strings.Join(e.Arguments, ", ") + ") -> " + result +
		" in " + e.Duration.Round(time.Microsecond).String()
	if outcome := e.Outcome.String(); outcome != "" {
		text += " (" + outcome + ")"
	}
	return text
}

// typesOf returns the types of values without revealing content or length.
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
		return pcore.KindOf(v).String()
	}
}
