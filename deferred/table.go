package deferred

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// Answer is a prepared result of a [Table].
type Answer struct {
	// Function is the name of the function.
	Function string
	// Arguments are the required arguments of the call; nil means any.
	Arguments *pcore.Array
	// Value is the result.
	Value pcore.Value
}

// Table answers calls with prepared results, so that a catalog can be resolved
// without the services behind its functions. It is a [function.Finder] and
// passes other calls to the next one.
type Table struct {
	answers map[string][]Answer
	next    function.Finder
}

// NewTable returns a Table of answers. The first answer that fits a call is
// used. next, which may be nil, answers all other calls.
func NewTable(answers []Answer, next function.Finder) *Table {
	t := &Table{make(map[string][]Answer, len(answers)), next}
	for _, a := range answers {
		name := function.CanonicalName(a.Function)
		t.answers[name] = append(t.answers[name], a)
	}
	return t
}

// ParseAnswers parses answers from an array of hashes, each with the keys
// `function`, optionally `arguments`, and `value`. Values can be rich data, such
// as a Sensitive.
func ParseAnswers(data pcore.Value) ([]Answer, error) {
	list, ok := data.(*pcore.Array)
	if !ok {
		return nil, errors.New("a table of answers must be a list")
	}
	answers := make([]Answer, list.Len())
	for i, e := range list.All() {
		var err error
		if answers[i], err = parseAnswer(e); err != nil {
			return nil, fmt.Errorf("answer %d: %w", i+1, err)
		}
	}
	return answers, nil
}

func parseAnswer(v pcore.Value) (Answer, error) {
	entry, ok := v.(*pcore.Hash)
	if !ok {
		return Answer{}, errors.New("expected a hash with the keys function, arguments and value")
	}
	var a Answer
	for k, e := range entry.All() {
		switch k {
		case pcore.Value(pcore.String("function")):
			name, ok := e.(pcore.String)
			if !ok {
				return Answer{}, errors.New("the function name must be a string")
			}
			a.Function = string(name)
		case pcore.Value(pcore.String("arguments")):
			if a.Arguments, ok = e.(*pcore.Array); !ok {
				return Answer{}, errors.New("the arguments must be a list")
			}
		case pcore.Value(pcore.String("value")):
			a.Value = e
		default:
			return Answer{}, fmt.Errorf("unknown key %s; use function, arguments and value", k)
		}
	}
	if a.Function == "" || a.Value == nil {
		return Answer{}, errors.New("missing key: function and value are required")
	}
	return a, nil
}

// Function implements [function.Finder].
func (t *Table) Function(name string) (*function.Function, bool) {
	var next *function.Function
	if t.next != nil {
		next, _ = t.next.Function(name)
	}
	answers := t.answers[name]
	if len(answers) == 0 {
		return next, next != nil
	}
	return &function.Function{
		Name:             name,
		Doc:              "Returns the answer from a table.",
		Source:           "table",
		HandlesSensitive: true,
		Dispatches: []function.Dispatch{{
			Signature: &function.Signature{Params: []function.Param{{Name: "arguments", Type: pcore.AnyType{}, Optional: true, Repeated: true}}},
			Call: func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				for _, a := range answers {
					if a.fits(args) {
						return a.Value, nil
					}
				}
				if next != nil {
					return c.Forward(next, args)
				}
				return nil, fmt.Errorf("%w for these arguments", errNoAnswer)
			},
		}},
	}, true
}

// errNoAnswer means that a [Table] has answers for a function, but not for the
// arguments of the call, and the next [function.Finder] does not have the
// function.
var errNoAnswer = errors.New("the table has no answer")

// fits reports whether the answer applies to a call with these arguments. It
// treats a Sensitive like its content.
func (a Answer) fits(args []pcore.Value) bool {
	if a.Arguments == nil {
		return true
	}
	return pcore.Identical(inClear(a.Arguments), inClear(pcore.NewArray(args...)))
}

// inClear returns a value with all secrets unwrapped, for comparison.
func inClear(v pcore.Value) pcore.Value {
	open, err := pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) {
		if s, ok := c.Value().(*pcore.Sensitive); ok {
			return s.Reveal(), nil //nolint:forbidigo // compared, never shown
		}
		return c.Value(), nil
	})
	if err != nil {
		return v // unreachable: the function returns no error
	}
	return open
}
