package stdlib

import (
	"errors"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/rubytext"
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
					d, ok := args[0].(*pcore.Deferred)
					if !ok || c.Resolve == nil {
						return nil, errors.New("a Deferred cannot be resolved here")
					}
					return c.Resolve(c, d)
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
			Dispatches: one("", jump(function.Break)),
		},
		{
			Name:             "next",
			Doc:              "Ends the block that it is called in, with a value as its result.",
			HandlesSensitive: true,
			Dispatches:       one("Any value?", jump(function.Next)),
		},
		{
			Name:             "return",
			Doc:              "Ends the function that it is called in, with a value as its result.",
			HandlesSensitive: true,
			Dispatches:       one("Any value?", jump(function.Return)),
		},
		{
			Name:             "fail",
			Doc:              "Fails with its arguments as the message.",
			HandlesSensitive: true,
			Dispatches:       one("Any values*", fail),
		},
	}
}

func jump(kind function.JumpKind) function.Implementation {
	return func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
		return nil, &function.Jump{Kind: kind, Value: optional(args, 0)}
	}
}

func fail(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	texts := make([]string, len(args))
	for i, v := range plainArguments(args) {
		texts[i] = rubytext.Text(v)
	}
	return nil, errors.New(strings.Join(texts, " "))
}
