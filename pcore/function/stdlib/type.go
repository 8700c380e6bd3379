package stdlib

import (
	"errors"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/convert"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

func typeFunctions() []function.Function {
	return []function.Function{
		{
			Name:             "new",
			Doc:              "Returns an instance of a type made of the other arguments. A value that is an instance already is returned as it is.",
			Effects:          function.ReadsClock,
			HandlesSensitive: true,
			Dispatches:       one("Type type, Any args*, &Callable block?", newInstance),
		},
		{
			Name:             "convert_to",
			Doc:              "Returns a value converted to a type: what new makes of it.",
			Effects:          function.ReadsClock,
			HandlesSensitive: true,
			Dispatches: one("Any value, Type type, Any args*, &Callable[1, 1] block?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				given := append([]pcore.Value{args[1], args[0]}, args[2:]...)
				v, err := c.Call("new", given...)
				if err != nil || c.Block == nil {
					return v, err
				}
				return c.Yield(v)
			}),
		},
		{
			Name:             "type",
			Doc:              "Returns the type of a value: detailed, reduced to one type for all elements, or generalized to what tells nothing of the values.",
			HandlesSensitive: true,
			Dispatches: []function.Dispatch{
				on("Any value, Enum[detailed] inference_method?", inferred(pcore.InferDetailed)),
				on("Any value, Enum[reduced] inference_method", inferred(pcore.Infer)),
				on("Any value, Enum[generalized] inference_method", inferred(func(v pcore.Value) pcore.Type { return pcore.Generalize(pcore.Infer(v)) })),
			},
		},
		{
			Name:             "assert_type",
			Doc:              "Returns a value that is of a type. For any other, it fails, or returns what the block makes of the type and the type of the value.",
			HandlesSensitive: true,
			Dispatches: []function.Dispatch{
				on("Type type, Any value, &Callable[Type, Type] block?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					return assertType(c, args[0].(pcore.Type), args[1])
				}),
				on("String type_string, Any value, &Callable[Type, Type] block?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					parse := c.ParseType
					if parse == nil {
						parse = func(text string) (pcore.Type, error) { return typeexpr.Parse(text, nil) }
					}
					t, err := parse(str(args[0]))
					if err != nil {
						return nil, err
					}
					return assertType(c, t, args[1])
				}),
			},
		},
		{
			Name:             "unwrap",
			Doc:              "Returns the secret in a Sensitive, and any other value as it is, or what the block makes of it.",
			HandlesSensitive: true,
			Dispatches: []function.Dispatch{
				on("Sensitive arg, &Callable block?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					secret := args[0].(*pcore.Sensitive).Reveal() //nolint:forbidigo // the purpose of the function
					return unwrapped(c, secret)
				}),
				on("Any arg, &Callable block?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) { return unwrapped(c, args[0]) }),
			},
		},
		{
			Name:       "defined",
			Doc:        "Reports whether a variable ('$name'), a resource type or class is known, or whether a reference is to one that is.",
			Effects:    function.ReadsVariables,
			Dispatches: one("Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] vals+", defined),
		},
	}
}

func newInstance(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	t, given := args[0].(pcore.Type), args[1:]
	_, isInit := t.(*pcore.InitType)
	if len(given) == 1 && !isInit && pcore.Contains(t, given[0]) {
		return given[0], nil
	}
	v, err := construct(c, t, given)
	if err != nil || c.Block == nil {
		return v, err
	}
	return c.Yield(v)
}

func construct(c *function.Call, t pcore.Type, args []pcore.Value) (pcore.Value, error) {
	if c.New != nil {
		return c.New(c, t, args)
	}
	converter := convert.Converter{Now: c.Time, Spend: c.Spend, Reserve: c.Hold}
	return converter.New(t, args...)
}

func inferred(infer func(pcore.Value) pcore.Type) function.Implementation {
	return func(_ *function.Call, args []pcore.Value) (pcore.Value, error) { return infer(args[0]), nil }
}

func assertType(c *function.Call, t pcore.Type, v pcore.Value) (pcore.Value, error) {
	switch {
	case pcore.Contains(t, v):
		return v, nil
	case c.Block != nil:
		return c.Yield(t, pcore.InferDetailed(v))
	default:
		return nil, pcore.Mismatch("", t, v)
	}
}

func unwrapped(c *function.Call, v pcore.Value) (pcore.Value, error) {
	if c.Block == nil {
		return v, nil
	}
	return c.Yield(v)
}

func defined(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	for _, v := range args {
		ok, err := isDefined(c, v)
		if err != nil || ok {
			return pcore.Boolean(ok), err
		}
	}
	return pcore.Boolean(false), nil
}

func isDefined(c *function.Call, v pcore.Value) (bool, error) {
	if s, ok := v.(pcore.String); ok {
		if name, ok := strings.CutPrefix(string(s), "$"); ok && name != "" {
			_, found, err := c.Variable(name)
			if errors.Is(err, function.ErrNeedsFacts) {
				return true, nil // independent of the facts
			}
			return found && err == nil, nil
		}
	}
	if c.Defined == nil {
		return isCoreDefined(v), nil
	}
	return c.Defined(v)
}

// isCoreDefined reports whether v is defined without any module: the class main
// and the built-in resource types.
func isCoreDefined(v pcore.Value) bool {
	switch v := v.(type) {
	case pcore.String:
		return v == "main" || isCoreResource(string(v))
	case *pcore.ResourceType:
		_, hasTitle := v.Title()
		return !hasTitle && isCoreResource(v.Resource())
	case *pcore.TypeType:
		return v.Elem() != nil && isCoreDefined(v.Elem())
	default:
		return false
	}
}

func isCoreResource(name string) bool {
	switch strings.ToLower(name) {
	case "component", "exec", "file", "filebucket", "group", "notify", "package", "resources",
		"schedule", "service", "stage", "tidy", "user", "whit":
		return true
	default:
		return false
	}
}
