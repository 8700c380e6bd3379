package stdlib

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/psych"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/internal/ruby/toml"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// moduleDataFunctions returns functions that parse and format values. As in the
// module, the ones in its namespace unwrap the Sensitive inside a value and return
// a Sensitive; the old ones write redactions.
func moduleDataFunctions() []function.Function {
	return slices.Concat(writers("", asGiven), writers("stdlib::", rewrapped), []function.Function{
		{
			Name: "to_python",
			Doc:  "Returns a value as an expression of Python.",
			Dispatches: one("Any object", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return python.text(c, args[0])
			}),
		},
		{
			Name: "to_ruby",
			Doc:  "Returns a value as an expression of Ruby.",
			Dispatches: one("Any object", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return ruby.text(c, args[0])
			}),
		},
		parser("parsejson", "JSON", readJSON),
		parser("parseyaml", "YAML", readYAML),
	})
}

// writers returns the functions that write values in a notation. open calls write
// with the value to be written.
func writers(prefix string, open func(c *function.Call, v pcore.Value, write transform) (pcore.Value, error)) []function.Function {
	functions := []function.Function{
		{
			Name: "to_json",
			Doc:  "Returns a value as JSON on one line.",
			Dispatches: one("Any data", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return open(c, args[0], func(v pcore.Value) (pcore.Value, error) { return jsonOf(c, v, plainJSON, "") })
			}),
		},
		{
			Name: "to_json_pretty",
			Doc:  "Returns an array or hash as JSON with an element on each line, without the elements that are undef when the second argument is true. The third argument contains the options of Ruby's JSON generator.",
			Dispatches: one("Variant[Hash, Array] data, Optional[Boolean] skip_undef?, "+jsonOptions+" opts?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				v := args[0]
				if isTruthy(optional(args, 1)) {
					var err error
					if v, err = withoutUndef(c, v); err != nil {
						return nil, err
					}
				}
				options, _ := optional(args, 2).(*pcore.Hash)
				return open(c, v, func(v pcore.Value) (pcore.Value, error) { return jsonOf(c, v, prettyJSON.with(options), "\n") })
			}),
		},
		{
			Name: "to_yaml",
			Doc:  "Returns a value as a YAML document. The options are indentation, line_width, canonical, header and version.",
			Dispatches: one("Any data, Hash options?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return open(c, args[0], func(v pcore.Value) (pcore.Value, error) {
					text := newResult(c)
					if err := psych.Write(text, v, yamlOptions(args)); err != nil {
						return nil, err
					}
					return text.Value()
				})
			}),
		},
		{
			Name: "to_toml",
			Doc:  "Returns a hash as a TOML document.",
			Dispatches: one("Hash data >> Variant[String, Sensitive[String]]", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return open(c, args[0], func(v pcore.Value) (pcore.Value, error) {
					text := newResult(c)
					if err := toml.Write(text, v.(*pcore.Hash)); err != nil {
						return nil, err
					}
					return text.Value()
				})
			}),
		},
	}
	for i := range functions {
		f := &functions[i]
		f.Name = prefix + f.Name
		f.HandlesSensitive = prefix != ""
	}
	return functions
}

const jsonOptions = "Struct[{indent => Optional[String], space => Optional[String], space_before => Optional[String], " +
	"object_nl => Optional[String], array_nl => Optional[String], allow_nan => Optional[Boolean], " +
	"max_nesting => Optional[Integer[-1, default]]}]"

// parser returns a function that parses a text. It returns the default if the
// text is invalid or its value is not truthy.
func parser(name, notation string, read func(string) (pcore.Value, error)) function.Function {
	return function.Function{
		Name: name,
		Doc:  "Returns the value that a text of " + notation + " holds, or the default when it cannot be read.",
		Dispatches: one("Any text, Any default?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			def := optional(args, 1)
			text, ok := args[0].(pcore.String)
			if !ok && isTruthy(def) {
				return def, nil
			}
			if !ok {
				return nil, errors.New("'" + name + "' parameter 'text' expects a String value, got " + pcore.KindOf(args[0]).String())
			}
			if err := payParsing(c, string(text)); err != nil {
				return nil, err
			}
			v, err := read(string(text))
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

// payParsing pays for parsing a text.
func payParsing(c *function.Call, text string) error {
	const tree = 8 // the parsed value is larger than its text
	if err := c.Spend(tree * len(text)); err != nil {
		return err
	}
	return c.Hold(function.TreeSize(text))
}

func readYAML(text string) (pcore.Value, error) {
	v, _, err := psych.Load(text)
	return v, err
}

// withoutUndef returns an array or hash without its direct undef elements.
func withoutUndef(c *function.Call, v pcore.Value) (pcore.Value, error) {
	switch v := v.(type) {
	case *pcore.Array:
		if err := reserveElements(c, v.Len()); err != nil {
			return nil, err
		}
		var kept []pcore.Value
		for e := range v.Values() {
			if !pcore.Is[pcore.Undef](e) {
				kept = append(kept, e)
			}
		}
		return pcore.NewArray(kept...), nil
	case *pcore.Hash:
		if err := reserveEntries(c, v.Len()); err != nil {
			return nil, err
		}
		var b pcore.HashBuilder
		for k, e := range v.All() {
			if !pcore.Is[pcore.Undef](e) {
				b.Set(k, e)
			}
		}
		return b.Hash(), nil
	default:
		return v, nil
	}
}

func yamlOptions(args []pcore.Value) psych.Options {
	given, _ := optional(args, 1).(*pcore.Hash)
	number := func(name string) int {
		v, _ := given.GetString(name)
		n, _ := v.(pcore.Integer)
		return int(n)
	}
	canonical, _ := given.GetString("canonical")
	return psych.Options{
		Indent: number("indentation"), Width: number("line_width"),
		Canonical: canonical == pcore.Value(pcore.Boolean(true)), Version: yamlVersion(given),
	}
}

// yamlVersion returns the version that a document declares by the options header and
// version, of which the latter decides.
func yamlVersion(given *pcore.Hash) [2]int {
	version, ok := given.GetString("version")
	header, hasHeader := given.GetString("header")
	switch v := version.(type) {
	case pcore.String:
		major, minor, _ := strings.Cut(string(v), ".")
		a, _ := strconv.Atoi(major)
		b, _ := strconv.Atoi(minor)
		return [2]int{a, b}
	case *pcore.Array:
		if v.Len() != len([2]int{}) {
			return [2]int{}
		}
		a, _ := v.At(0).(pcore.Integer)
		b, _ := v.At(1).(pcore.Integer)
		return [2]int{int(a), int(b)}
	default: // any other value means the default
	}
	if ok || hasHeader && isTruthy(header) {
		return [2]int{1, 1}
	}
	return [2]int{}
}

// notation is the literal syntax of a programming language.
type notation struct{ yes, no, none, arrow string }

var (
	python = notation{yes: "True", no: "False", none: "None", arrow: ": "}
	ruby   = notation{yes: "true", no: "false", none: "nil", arrow: " => "}
)

// text returns v in this notation. Values other than plain data are written as
// their text.
func (n notation) text(c *function.Call, v pcore.Value) (pcore.Value, error) {
	t := newResult(c)
	if err := n.write(c, t, v); err != nil {
		return nil, err
	}
	return t.Value()
}

func (n notation) write(c *function.Call, t *result, v pcore.Value) error {
	var s string
	switch v := v.(type) {
	case pcore.Undef:
		s = n.none
	case pcore.Boolean:
		if s = n.no; v {
			s = n.yes
		}
	case pcore.Integer, pcore.BigInteger, pcore.Float:
		s = v.String()
	case *pcore.Array:
		return n.list(t, "[", "]", v.Len(), func(i int) error { return n.write(c, t, v.At(i)) })
	case *pcore.Hash:
		if !isData(v) {
			return n.pairs(c, t, v)
		}
		return n.list(t, "{", "}", v.Len(), func(i int) error {
			if err := n.write(c, t, v.At(i).Key); err != nil {
				return err
			}
			if _, err := t.WriteString(n.arrow); err != nil {
				return err
			}
			return n.write(c, t, v.At(i).Value)
		})
	default:
		text, err := textOf(c, v, rubytext.Text)
		if err != nil {
			return err
		}
		const longer = 6 // times, when each byte is escaped
		if err := c.Hold(longer * int64(len(text))); err != nil {
			return err
		}
		s = rubytext.Quote(text)
	}
	_, err := t.WriteString(s)
	return err
}

// isData reports whether rich data, too, has the hash as it is: its keys are texts, none of
// which is reserved.
func isData(v *pcore.Hash) bool {
	for k := range v.Keys() {
		if s, ok := k.(pcore.String); !ok || s == "__ptype" {
			return false
		}
	}
	return true
}

// pairs writes a hash as rich data has it: as a list of its keys and values.
func (n notation) pairs(c *function.Call, t *result, v *pcore.Hash) error {
	if _, err := t.WriteString(`{"__ptype"` + n.arrow + `"Hash", "__pvalue"` + n.arrow); err != nil {
		return err
	}
	err := n.list(t, "[", "]", 2*v.Len(), func(i int) error {
		entry := v.At(i / 2)
		if i%2 == 0 {
			return n.write(c, t, entry.Key)
		}
		return n.write(c, t, entry.Value)
	})
	if err != nil {
		return err
	}
	_, err = t.WriteString("}")
	return err
}

// list writes n elements between brackets.
func (notation) list(t *result, begin, end string, n int, write func(i int) error) error {
	if _, err := t.WriteString(begin); err != nil {
		return err
	}
	for i := range n {
		if i > 0 {
			if _, err := t.WriteString(", "); err != nil {
				return err
			}
		}
		if err := write(i); err != nil {
			return err
		}
	}
	_, err := t.WriteString(end)
	return err
}
