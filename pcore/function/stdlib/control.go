package stdlib

import (
	"errors"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/jump"
)

func controlFunctions() []function.Function {
	return []function.Function{
		{
			Name:             "call",
			Doc:              "Calls the function of a name with the other arguments and the block, or makes the call that a Deferred is.",
			HandlesSensitive: true,
			Dispatches: []function.Dispatch{
				on("String function_name, Any arguments*, &Callable block?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					return c.CallWith(c.Block, str(args[0]), args[1:]...)
				}),
				on("Deferred deferred", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					return resolve(c, args[0])
				}),
			},
		},
		{
			Name:             "with",
			Doc:              "Calls a block with its arguments, and returns what the block returns.",
			HandlesSensitive: true,
			Dispatches: one("Any arg*, &Callable block", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return c.Yield(args...)
			}),
		},
		{
			Name:             "then",
			Doc:              "Calls a block with a value that is not undef, and returns what the block returns.",
			HandlesSensitive: true,
			Dispatches: one("Any arg, &Callable[1, 1] block", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				if args[0] == pcore.Value(pcore.Undef{}) {
					return args[0], nil
				}
				return c.Yield(args[0])
			}),
		},
		{
			Name:             "lest",
			Doc:              "Returns a value, and in place of undef what a block returns.",
			HandlesSensitive: true,
			Dispatches: one("Any arg, &Callable[0, 0] block", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				if args[0] != pcore.Value(pcore.Undef{}) {
					return args[0], nil
				}
				return c.Yield()
			}),
		},
		{
			Name:       "break",
			Doc:        "Ends the iteration whose block it is called in.",
			Dispatches: one("", leave(jump.Break)),
		},
		{
			Name:             "next",
			Doc:              "Ends the block that it is called in, with a value as its result.",
			HandlesSensitive: true,
			Dispatches:       one("Any value?", leave(jump.Next)),
		},
		{
			Name:             "return",
			Doc:              "Ends the function that it is called in, with a value as its result.",
			HandlesSensitive: true,
			Dispatches:       one("Any value?", leave(jump.Return)),
		},
		{
			Name:             "fail",
			Doc:              "Fails with its arguments as the message.",
			HandlesSensitive: true,
			Dispatches:       one("Any values*", fail),
		},
	}
}

// resolve makes the calls of all Deferred values in v, innermost first. It skips
// keys of hashes and Objects, as the reference does.
func resolve(c *function.Call, v pcore.Value) (pcore.Value, error) {
	if err := c.Spend(1); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *pcore.Deferred:
		if c.Resolve != nil {
			return c.Resolve(c, v)
		}
		return resolveCall(c, v)
	case *pcore.Array:
		return mapped(c, v, func(e pcore.Value) (pcore.Value, error) { return resolve(c, e) })
	case *pcore.Hash:
		if err := reserveEntries(c, v.Len()); err != nil {
			return nil, err
		}
		b := pcore.NewHashBuilder(v.Len())
		for k, e := range v.All() {
			to, err := resolve(c, e)
			if err != nil {
				return nil, err
			}
			b.Set(k, to)
		}
		return b.Hash(), nil
	case *pcore.Sensitive:
		to, err := resolve(c, v.Reveal()) //nolint:forbidigo // put back into a Sensitive
		if err != nil {
			return nil, err
		}
		return pcore.NewSensitive(to), nil
	default:
		return v, nil
	}
}

func resolveCall(c *function.Call, d *pcore.Deferred) (pcore.Value, error) {
	var args []pcore.Value
	for e := range d.Arguments().Values() {
		arg, err := resolve(c, e)
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	name, isVariable := strings.CutPrefix(d.Name(), "$")
	if !isVariable {
		return c.Call(name, args...)
	}
	v, ok, err := c.Variable(name)
	if err != nil {
		return nil, err
	}
	if !ok {
		unknown := "Undefined variable '" + name + "'"
		if !c.LaxVariables {
			return nil, errors.New(unknown)
		}
		c.Say(function.Warning, unknown)
		v = pcore.Undef{}
	}
	return c.Call("dig", append([]pcore.Value{v}, args...)...)
}

func leave(kind jump.Kind) function.Implementation {
	return func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
		return nil, &jump.Jump{Kind: kind, Value: optional(args, 0)}
	}
}

func fail(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	message := newResult(c)
	for i, v := range args {
		if i > 0 {
			if _, err := message.WriteString(" "); err != nil {
				return nil, err
			}
		}
		if err := write(c, message, withReference(v)); err != nil {
			return nil, err
		}
	}
	text, err := message.Value()
	if err != nil {
		return nil, err
	}
	return nil, errors.New(str(text))
}
