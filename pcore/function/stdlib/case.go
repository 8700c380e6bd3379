package stdlib

import (
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func caseFunctions() []function.Function {
	return []function.Function{
		textFunction("capitalize", "Returns the text with its first character in upper case and all others in lower case.", rubytext.Capitalize),
		textFunction("camelcase", "Returns the text with the words between its underscores capitalized and joined.", camelcase),
		textFunction("chomp", "Returns the text without the end of line at its end.", rubytext.Chomp),
		textFunction("chop", "Returns the text without its last character; CR LF counts as one.", rubytext.Chop),
		textFunction("lstrip", "Returns the text without the blanks before it.", rubytext.LeftStrip),
		textFunction("rstrip", "Returns the text without the blanks after it.", rubytext.RightStrip),
		textFunction("strip", "Returns the text without the blanks around it.", rubytext.Strip),
		deepCaseFunction("downcase", "Returns the text in lower case. An array or a hash is converted in all depth, keys too.", rubytext.Downcase),
		deepCaseFunction("upcase", "Returns the text in upper case. An array or a hash is converted in all depth, keys too.", rubytext.Upcase),
	}
}

// cased is the maximum growth factor of a text in bytes when its case changes.
const cased = 3

// textFunction returns a function that applies f to a text, or to each text in
// an array. Numbers are returned unchanged.
func textFunction(name, doc string, f func(string) string) function.Function {
	each := func(c *function.Call, v pcore.Value) (pcore.Value, error) {
		if !pcore.Is[pcore.String](v) {
			return v, nil
		}
		return longer(c, v, cased, f)
	}
	return function.Function{Name: name, Doc: doc, Dispatches: []function.Dispatch{
		on("Numeric arg", same),
		on("String arg", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			return each(c, args[0])
		}),
		on("Iterable[Variant[String, Numeric]] arg", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			return mapped(c, args[0], func(v pcore.Value) (pcore.Value, error) { return each(c, v) })
		}),
	}}
}

func camelcase(s string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(s, "_") {
		b.WriteString(rubytext.Capitalize(word))
	}
	return b.String()
}

// deepCaseFunction returns a function that applies f to all texts in a value,
// including nested arrays and hashes.
func deepCaseFunction(name, doc string, f func(string) string) function.Function {
	again := func(c *function.Call, v pcore.Value) (pcore.Value, error) {
		if pcore.Is[pcore.String](v) {
			return longer(c, v, cased, f)
		}
		return c.Call(name, v)
	}
	return function.Function{Name: name, Doc: doc, Dispatches: []function.Dispatch{
		on("Numeric arg", same),
		on("String arg", func(c *function.Call, args []pcore.Value) (pcore.Value, error) { return again(c, args[0]) }),
		on("Array arg", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			return mapped(c, args[0], func(v pcore.Value) (pcore.Value, error) { return again(c, v) })
		}),
		on("Hash arg", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			if err := reserveEntries(c, lengthOf(args[0])); err != nil {
				return nil, err
			}
			var b pcore.HashBuilder
			for k, e := range args[0].(*pcore.Hash).All() {
				key, err := again(c, k)
				if err != nil {
					return nil, err
				}
				value, err := again(c, e)
				if err != nil {
					return nil, err
				}
				b.Set(key, value)
			}
			return b.Hash(), nil
		}),
	}}
}
