package stdlib

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// moduleCheckFunctions returns functions that ask or check the type of a value.
func moduleCheckFunctions() []function.Function {
	typeOf := function.Function{
		Name:             "type_of",
		Doc:              "Returns the detailed type of a value.",
		HandlesSensitive: true,
		Dispatches:       one("Any value", inferred(pcore.InferDetailed)),
	}
	return []function.Function{
		typeOf,
		{
			Name:             "is_a",
			Doc:              "Reports whether a value is an instance of a type.",
			HandlesSensitive: true,
			Dispatches: one("Any value, Type type", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				return pcore.Boolean(pcore.Contains(args[1].(pcore.Type), args[0])), nil
			}),
		},
		{
			Name:             "validate_legacy",
			Doc:              "Fails if a value is not an instance of a type. The name of an older function, and its arguments, are ignored.",
			HandlesSensitive: true,
			Dispatches: []function.Dispatch{
				on("Type target_type, String function_name, Any value, Any args*", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					return validateLegacy(c, args[0].(pcore.Type), args[2])
				}),
				on("String type_string, String function_name, Any value, Any args*", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					t, err := typeOfText(c, str(args[0]))
					if err != nil {
						return nil, err
					}
					return validateLegacy(c, t, args[2])
				}),
			},
		},
		{
			Name: "has_function",
			Doc:  "Reports whether there is a function with a name.",
			Dispatches: one("String[1] function_name >> Boolean", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				if c.Functions == nil {
					return pcore.Boolean(false), nil
				}
				_, ok := c.Functions.Function(str(args[0]))
				return pcore.Boolean(ok), nil
			}),
		},
		validateAll("validate_domain_name", "Fails if a text is not the name of a node or a zone of DNS.",
			`Variant[Pattern[/\A(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9\-]*[A-Za-z0-9])\z/], Pattern[/\A((([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])\.)+|\.)\z/]]`),
		validateAll("validate_email_address", "Fails if a text is not an address of e-mail.",
			`Pattern[/\A[a-zA-Z0-9.!#$%&'*+\/=?^_`+"`"+`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\z/]`),
	}
}

// validateAll returns a function that fails unless all arguments have a type.
func validateAll(name, doc, typ string) function.Function {
	return function.Function{Name: name, Doc: doc, Dispatches: one(typ+" values*", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
		if len(args) == 0 {
			return nil, errors.New("Wrong number of arguments need at least one") //nolint:staticcheck // the reference's words
		}
		return pcore.Undef{}, nil
	})}
}

// typeOfText returns the type in a text.
func typeOfText(c *function.Call, text string) (pcore.Type, error) {
	if c.ParseType != nil {
		return c.ParseType(text)
	}
	return typeexpr.Parse(text, nil)
}

func validateLegacy(c *function.Call, t pcore.Type, v pcore.Value) (pcore.Value, error) {
	const deprecation = "This method is deprecated, please use Puppet data types to validate parameters"
	if c.Strict {
		return nil, errors.New("deprecation. validate_legacy. " + deprecation)
	}
	deprecated(c, deprecation)
	if !pcore.Contains(t, v) {
		return nil, pcore.Mismatch(fmt.Sprintf("validate_legacy(%s, ...)", t), t, v)
	}
	return pcore.Undef{}, nil
}
