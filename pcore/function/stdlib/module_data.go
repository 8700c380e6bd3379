package stdlib

import (
	"errors"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib/psych"
	"github.com/pcatdev/pcat/pcore/function/stdlib/toml"
	"github.com/pcatdev/pcat/pcore/rubytext"
)

// moduleDataFunctions read and write values in other notations.
func moduleDataFunctions() []function.Function {
	return []function.Function{
		{
			Name: "to_json",
			Doc:  "Returns a value as JSON on one line.",
			Dispatches: one("Any data", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				s, err := jsonOf(args[0], false)
				return pcore.String(s), errors.Join(err, c.Spend(len(s)))
			}),
		},
		{
			Name: "to_json_pretty",
			Doc:  "Returns an array or hash as JSON with an element on each line, without the elements that are undef when the second argument is true.",
			Dispatches: one("Variant[Hash, Array] data, Optional[Boolean] skip_undef?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				v := args[0]
				if isTruthy(optional(args, 1)) {
					v = withoutUndef(v)
				}
				s, err := jsonOf(v, true)
				return pcore.String(s + "\n"), errors.Join(err, c.Spend(len(s)))
			}),
		},
		{
			Name: "to_yaml",
			Doc:  "Returns a value as a YAML document. The options are indentation and line_width.",
			Dispatches: one("Any data, Hash options?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				s := psych.Dump(args[0], yamlOptions(args))
				return pcore.String(s), c.Spend(len(s))
			}),
		},
		{
			Name: "to_toml",
			Doc:  "Returns a hash as a TOML document.",
			Dispatches: one("Hash data >> String", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				s, err := toml.Dump(args[0].(*pcore.Hash))
				return pcore.String(s), errors.Join(err, c.Spend(len(s)))
			}),
		},
		{
			Name: "to_python",
			Doc:  "Returns a value as an expression of Python.",
			Dispatches: one("Any object", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				s := python.text(args[0])
				return pcore.String(s), c.Spend(len(s))
			}),
		},
		{
			Name: "to_ruby",
			Doc:  "Returns a value as an expression of Ruby.",
			Dispatches: one("Any object", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				s := ruby.text(args[0])
				return pcore.String(s), c.Spend(len(s))
			}),
		},
		parser("parsejson", "JSON", readJSON),
		parser("parseyaml", "YAML", func(s string) (pcore.Value, error) {
			v, _, err := psych.Load(s)
			return v, err
		}),
		parser("parsetoml", "TOML", func(s string) (pcore.Value, error) { return toml.Load(s) }),
	}
}

// parser is a function that reads a text, and returns the default for one that
// cannot be read, or that says nothing.
func parser(name, notation string, read func(string) (pcore.Value, error)) function.Function {
	return function.Function{
		Name: name,
		Doc:  "Returns the value that a text of " + notation + " holds, or the default when it cannot be read.",
		Dispatches: one("String text, Any default?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			const tree = 8 // what is read is larger than its text
			if err := c.Spend(tree * len(str(args[0]))); err != nil {
				return nil, err
			}
			v, err := read(str(args[0]))
			def := optional(args, 1)
			if err != nil && isTruthy(def) {
				return def, nil
			}
			if err == nil && !isTruthy(v) && len(args) > 1 {
				return def, nil
			}
			return v, err
		}),
	}
}

// withoutUndef returns an array or hash without what is undef directly in it.
func withoutUndef(v pcore.Value) pcore.Value {
	switch v := v.(type) {
	case *pcore.Array:
		var kept []pcore.Value
		for e := range v.Values() {
			if e.Kind() != pcore.KindUndef {
				kept = append(kept, e)
			}
		}
		return pcore.NewArray(kept...)
	case *pcore.Hash:
		var b pcore.HashBuilder
		for k, e := range v.All() {
			if e.Kind() != pcore.KindUndef {
				b.Set(k, e)
			}
		}
		return b.Hash()
	default:
		return v
	}
}

func yamlOptions(args []pcore.Value) psych.Options {
	given, _ := optional(args, 1).(*pcore.Hash)
	number := func(name string) int {
		v, _ := given.GetString(name)
		n, _ := v.(pcore.Integer)
		return int(n)
	}
	return psych.Options{Indent: number("indentation"), Width: number("line_width")}
}

// notation is how a programming language writes values.
type notation struct{ yes, no, none, arrow string }

var (
	python = notation{yes: "True", no: "False", none: "None", arrow: ": "}
	ruby   = notation{yes: "true", no: "false", none: "nil", arrow: " => "}
)

// text writes a value. What is no plain data is written as its text.
func (n notation) text(v pcore.Value) string {
	switch v := v.(type) {
	case pcore.Undef:
		return n.none
	case pcore.Boolean:
		if v {
			return n.yes
		}
		return n.no
	case pcore.Integer, pcore.BigInteger, pcore.Float:
		return v.String()
	case *pcore.Array:
		parts := make([]string, v.Len())
		for i, e := range v.All() {
			parts[i] = n.text(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *pcore.Hash:
		var parts []string
		for k, e := range v.All() {
			parts = append(parts, n.text(k)+n.arrow+n.text(e))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	default:
		return rubytext.Quote(rubytext.Text(v))
	}
}
