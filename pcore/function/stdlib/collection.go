package stdlib

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/ruby/rubyorder"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func collectionFunctions() []function.Function {
	return []function.Function{
		{
			Name: "length",
			Doc:  "Returns the number of elements of an array or hash, of characters of a text, or of bytes of a Binary.",
			Dispatches: []function.Dispatch{
				on("Collection arg", length),
				on("String arg", length),
				on("Binary arg", length),
			},
		},
		{
			Name:       "size",
			Doc:        "Returns what length returns.",
			Dispatches: one("Variant[Collection, String, Binary] arg", length),
		},
		{
			Name:             "empty",
			Doc:              "Reports whether a text, Binary, array or hash has nothing in it. Undef is empty, a number never is.",
			HandlesSensitive: true,
			Dispatches: []function.Dispatch{
				on("Collection coll", isEmpty),
				on("Sensitive[String] str", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					s := args[0].(*pcore.Sensitive).Reveal() //nolint:forbidigo // only checked for emptiness
					return isEmpty(c, []pcore.Value{s})
				}),
				on("String str", isEmpty),
				on("Numeric num", func(c *function.Call, _ []pcore.Value) (pcore.Value, error) {
					deprecatedOnLine(c, "Calling function empty() with Numeric value is deprecated.")
					return pcore.Boolean(false), nil
				}),
				on("Binary bin", isEmpty),
				on("Undef x", func(*function.Call, []pcore.Value) (pcore.Value, error) { return pcore.Boolean(true), nil }),
			},
		},
		{
			Name:    "keys",
			Doc:     "Returns the keys of a hash.",
			OwnText: true,
			Dispatches: one("Hash hsh", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				h := args[0].(*pcore.Hash)
				if err := c.Hold(elementSize * int64(h.Len())); err != nil {
					return nil, err
				}
				return pcore.NewArray(slices.Collect(h.Keys())...), nil
			}),
		},
		{
			Name: "values",
			Doc:  "Returns the values of a hash.",
			Dispatches: one("Hash hsh", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				h := args[0].(*pcore.Hash)
				if err := c.Hold(elementSize * int64(h.Len())); err != nil {
					return nil, err
				}
				return pcore.NewArray(slices.Collect(h.Values())...), nil
			}),
		},
		{
			Name: "flatten",
			Doc:  "Returns its arguments as one array in which no array stands inside another.",
			Dispatches: one("Any args*", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return flatArray(c, args)
			}),
		},
		{
			Name: "unique",
			Doc:  "Returns a text, an array or what an iterator gives with each value once, or each result of the block once. Of a hash, it returns the keys that have the same value, and that value.",
			Dispatches: []function.Dispatch{
				on("String string, &Callable[String] block?", uniqueText),
				on("Hash hash, &Callable[Any] block?", uniqueHash),
				on("Array array, &Callable[Any] block?", uniqueValues),
				on("Iterable iterable, &Callable[Any] block?", uniqueValues),
			},
		},
		{
			Name: "sort",
			Doc:  "Returns an array, or the characters of a text, in order: that of the values, or that which the block tells by a negative number, 0 or a positive one.",
			Dispatches: []function.Dispatch{
				on("String string_value, &Callable[2, 2] block?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					if err := c.Hold(2 * elementSize * int64(len(str(args[0])))); err != nil {
						return nil, err
					}
					sorted, err := sortValues(c, elements(stringArray(strings.Split(str(args[0]), ""))))
					return joined(sorted), err
				}),
				on("Array array_value, &Callable[2, 2] block?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					if err := c.Hold(elementSize * int64(lengthOf(args[0]))); err != nil {
						return nil, err
					}
					sorted, err := sortValues(c, elements(args[0]))
					return pcore.NewArray(sorted...), err
				}),
			},
		},
	}
}

func length(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	return pcore.Integer(lengthOf(args[0])), nil
}

func lengthOf(v pcore.Value) int {
	switch v := v.(type) {
	case *pcore.Array:
		return v.Len()
	case *pcore.Hash:
		return v.Len()
	case pcore.Binary:
		return v.Len()
	default:
		return utf8.RuneCountInString(str(v))
	}
}

func isEmpty(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	return pcore.Boolean(lengthOf(args[0]) == 0), nil
}

// elements returns a copy of the elements of an array.
func elements(v pcore.Value) []pcore.Value { return slices.Collect(v.(*pcore.Array).Values()) }

// flatArray returns the values as one array, with nested arrays flattened.
func flatArray(c *function.Call, values []pcore.Value) (pcore.Value, error) {
	var flat []pcore.Value
	for v := range flattened(values) {
		if err := reserveElements(c, 1); err != nil {
			return nil, err
		}
		flat = append(flat, v)
	}
	return pcore.NewArray(flat...), nil
}

// flattened yields the values, with nested arrays flattened.
func flattened(values []pcore.Value) iter.Seq[pcore.Value] {
	return func(yield func(pcore.Value) bool) { flatten(slices.Values(values), yield) }
}

func flatten(values iter.Seq[pcore.Value], yield func(pcore.Value) bool) bool {
	for v := range values {
		if a, ok := v.(*pcore.Array); ok {
			if !flatten(a.Values(), yield) {
				return false
			}
		} else if !yield(v) {
			return false
		}
	}
	return true
}

// joined concatenates texts.
func joined(texts []pcore.Value) pcore.String {
	var b strings.Builder
	for _, s := range texts {
		b.WriteString(str(s))
	}
	return pcore.String(b.String())
}

func uniqueText(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	kept, err := unique(c, args[0])
	return joined(kept), err
}

func uniqueValues(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	kept, err := unique(c, args[0])
	return pcore.NewArray(kept...), err
}

// unique returns the elements of v with distinct keys. The key is the element
// itself, or the result of the block.
func unique(c *function.Call, v pcore.Value) ([]pcore.Value, error) {
	s, err := iterate(v)
	if err != nil {
		return nil, err
	}
	if a, ok := v.(*pcore.Array); ok && a.Len() == 1 {
		return []pcore.Value{a.At(0)}, nil // Ruby does not call the block
	}
	if s, ok := v.(pcore.String); ok && utf8.RuneCountInString(string(s)) == 1 {
		return []pcore.Value{s}, nil
	}
	var seen pcore.HashBuilder
	var kept []pcore.Value
	for e := range s.values {
		key, err := keyOf(c, e)
		if function.IsBreak(err) && s.numbers != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		if !seen.Set(key, pcore.Undef{}) {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// entryCost is the budget for adding a value to an index.
const entryCost = 8

func keyOf(c *function.Call, v pcore.Value) (pcore.Value, error) {
	if c.Block == nil {
		return v, index(c, 1)
	}
	if err := c.Hold(entrySize); err != nil {
		return nil, err
	}
	return c.Yield(v)
}

func uniqueHash(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	type group struct{ keys, values []pcore.Value }
	var index pcore.HashBuilder
	var groups []*group
	for k, v := range args[0].(*pcore.Hash).All() {
		key, err := keyOf(c, v)
		if err != nil {
			return nil, err
		}
		i, ok := index.Get(key)
		if !ok {
			i = pcore.Integer(len(groups))
			index.Set(key, i)
			groups = append(groups, new(group))
		}
		g := groups[i.(pcore.Integer)]
		g.keys = append(g.keys, k)
		g.values = append(g.values, v)
	}
	var b pcore.HashBuilder
	for _, g := range groups {
		b.Set(pcore.NewArray(g.keys...), distinct(g.values))
	}
	return b.Hash(), nil
}

// distinct returns the values without duplicates, in order.
func distinct(values []pcore.Value) *pcore.Array {
	var seen pcore.HashBuilder
	for _, v := range values {
		seen.Set(v, v)
	}
	return pcore.NewArray(slices.Collect(seen.Hash().Keys())...)
}

func sortValues(c *function.Call, values []pcore.Value) ([]pcore.Value, error) {
	compared := 0
	if err := rubyorder.Sort(values, func(a, b pcore.Value) (int, error) {
		if compared++; compared%comparisons == 0 {
			if err := c.Spend(1); err != nil {
				return 0, err
			}
		}
		return sortOrder(c, a, b)
	}); err != nil {
		return nil, err
	}
	return values, c.Spend(len(values))
}

func sortOrder(c *function.Call, a, b pcore.Value) (int, error) {
	if c.Block == nil {
		n, ok := rubyorder.Compare(a, b)
		if !ok {
			return 0, rubyorder.Error(a, b)
		}
		return n, nil
	}
	v, err := c.Yield(a, b)
	if err != nil {
		return 0, err
	}
	return signOf(v, a, b)
}
