package stdlib

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubyorder"
	"github.com/pcatdev/pcat/internal/ruby/rubyre"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// moduleSelectFunctions returns functions that select and sort elements.
func moduleSelectFunctions() []function.Function {
	return []function.Function{
		{
			Name:       "delete_regex",
			Doc:        "Returns an array without the texts that patterns match, between boundaries of words, or a hash without such keys.",
			Dispatches: one("Any collection, Any patterns", deleteRegex),
		},
		{
			Name:       "reject",
			Doc:        "Returns the elements of an array that a regular expression does not match.",
			Dispatches: one("Variant[Array, Hash] array, String pattern", reject),
		},
		{
			Name:       "grep",
			Doc:        "Returns the texts in an array that match a pattern.",
			Dispatches: one("Variant[Array, Hash] collection, String pattern", grep),
		},
		{
			Name:       "values_at",
			Doc:        "Returns the elements of an array at an index, at a range such as 0-2, or at each of several, without those that are undef.",
			Dispatches: one("Array array, Any indexes, Any ignored*", valuesAt),
		},
		{
			Name: "stdlib::nested_values",
			Doc:  "Returns the values of a hash and of all hashes that are values in it.",
			Dispatches: one("Hash hash >> Array", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				values, err := appendNested(c, nil, args[0].(*pcore.Hash))
				return pcore.NewArray(values...), err
			}),
		},
		{
			Name: "stdlib::sort_by",
			Doc:  "Returns the elements of an array, the characters of a text or the entries of a hash in the order of the results of a block.",
			Dispatches: []function.Dispatch{
				on("Array ary, &Callable[1, 1] block", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					sorted, err := sortBy(c, args[0])
					return pcore.NewArray(sorted...), err
				}),
				on("String str, &Callable[1, 1] block", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					sorted, err := sortBy(c, args[0])
					if err != nil {
						return nil, err
					}
					return concatenated(c, sorted...)
				}),
				on("Hash hsh, &Variant[Callable[1, 1], Callable[2, 2]] block", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					sorted, err := sortBy(c, args[0])
					if err != nil {
						return nil, err
					}
					b := pcore.NewHashBuilder(len(sorted))
					for _, v := range sorted {
						pair := v.(*pcore.Array)
						b.Set(pair.At(0), pair.At(1))
					}
					return b.Hash(), nil
				}),
			},
		},
	}
}

// deleteRegex returns a collection without the texts, or the keys of a hash, that one of the
// patterns matches between boundaries of words.
func deleteRegex(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	patterns := pcore.NewArray(args[1])
	switch items := args[1].(type) {
	case *pcore.Array:
		patterns = items
	case *pcore.Hash: // Ruby's Array makes pairs of it
		all, err := asPairs(c, items)
		if err != nil {
			return nil, err
		}
		patterns = all
	default:
	}
	if patterns.Len() == 0 {
		return args[0], nil
	}
	if !pcore.Is[*pcore.Array](args[0]) && !pcore.Is[*pcore.Hash](args[0]) {
		return nil, fmt.Errorf("First argument must be an Array, Hash, or String. Given an argument of class %s.", pcore.KindOf(args[0])) //nolint:staticcheck,revive // the reference's words
	}
	if lengthOf(args[0]) == 0 {
		return args[0], nil // no pattern is compiled
	}
	var expressions []*rubyre.Regexp
	for v := range patterns.Values() {
		text, err := textOf(c, v, rubytext.Text)
		if err != nil {
			return nil, err
		}
		re, err := rubyre.Compile(`\b` + text + `\b`)
		if err != nil {
			return nil, err
		}
		expressions = append(expressions, re)
	}
	matches := func(v pcore.Value) (bool, error) {
		for _, re := range expressions {
			if found, err := matchesText(c, re, v); found || err != nil {
				return found, err
			}
		}
		return false, nil
	}
	if h, ok := args[0].(*pcore.Hash); ok {
		if err := reserveEntries(c, h.Len()); err != nil {
			return nil, err
		}
		b := pcore.NewHashBuilder(h.Len())
		for k, v := range h.All() {
			found, err := matches(k)
			if err != nil {
				return nil, err
			}
			if !found {
				b.Set(k, v)
			}
		}
		return b.Hash(), nil
	}
	return selected(c, args[0].(*pcore.Array), func(v pcore.Value) (bool, error) {
		found, err := matches(v)
		return !found, err
	})
}

// matchesText reports whether an expression matches a value that is a text, or the name of
// default, which is a symbol in Ruby.
func matchesText(c *function.Call, re *rubyre.Regexp, v pcore.Value) (bool, error) {
	s, ok := v.(pcore.String)
	if pcore.Is[pcore.Default](v) {
		s, ok = "default", true
	}
	if !ok {
		return false, nil
	}
	if err := c.Spend(1 + len(s)); err != nil {
		return false, err
	}
	at, err := re.FindSubmatchIndex(string(s), 0)
	return at != nil, err
}

// selected returns the elements for which f is true.
func selected(c *function.Call, list *pcore.Array, f func(pcore.Value) (bool, error)) (pcore.Value, error) {
	if err := reserveElements(c, list.Len()); err != nil {
		return nil, err
	}
	var found []pcore.Value
	for v := range list.Values() {
		ok, err := f(v)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, v)
		}
	}
	return pcore.NewArray(found...), nil
}

// reject returns the elements that a pattern does not match.
func reject(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	re, err := compile(args[1])
	if err != nil {
		return nil, err
	}
	list, ok := args[0].(*pcore.Array)
	if !ok {
		return asPairs(c, args[0].(*pcore.Hash))
	}
	return selected(c, list, func(v pcore.Value) (bool, error) {
		found, err := matchesText(c, re, v)
		return !found, err
	})
}

// asPairs returns the entries of a hash as arrays.
func asPairs(c *function.Call, h *pcore.Hash) (*pcore.Array, error) {
	const each = 3 // the pair and its elements
	if err := reserveElements(c, each*h.Len()); err != nil {
		return nil, err
	}
	var all []pcore.Value
	for k, v := range h.All() {
		all = append(all, pcore.NewArray(k, v))
	}
	return pcore.NewArray(all...), nil
}

func grep(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	re, err := compile(args[1])
	if err != nil {
		return nil, err
	}
	list, ok := args[0].(*pcore.Array)
	if !ok {
		return pcore.NewArray(), nil // the elements of a hash are pairs
	}
	return selected(c, list, func(v pcore.Value) (bool, error) { return matchesText(c, re, v) })
}

var (
	indexRange = lazyregexp.New(`(?m)^(\d+)(\.\.\.?|-)(\d+)$`)
	indexText  = lazyregexp.New(`(?m)^\d+$`)
)

func valuesAt(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	array := args[0].(*pcore.Array)
	var found []pcore.Value
	given := false
	for v := range flattened(args[1:2]) {
		given = true
		from, to, err := indexes(rubytext.Text(v), array.Len())
		if err != nil {
			return nil, err
		}
		if err := reserveElements(c, 1+to-from); err != nil {
			return nil, err
		}
		for e := range array.Slice(from, to).Values() {
			if !pcore.Is[pcore.Undef](e) {
				found = append(found, e)
			}
		}
	}
	if !given {
		return nil, errors.New("You must provide at least one positive index to collect") //nolint:staticcheck // the reference's words
	}
	return pcore.NewArray(found...), nil
}

// indexes returns the range that an index or a range selects in n elements.
func indexes(text string, n int) (from, to int, err error) {
	first, last, exclusive := text, text, false
	if m := indexRange.Get().FindStringSubmatch(text); m != nil {
		first, last, exclusive = m[1], m[3], m[2] == "..."
	} else if !indexText.Get().MatchString(text) {
		return 0, 0, errors.New("Unknown format of given index") //nolint:staticcheck // the reference's words
	}
	start, errStart := leadingInteger(pcore.String(first))
	stop, errStop := leadingInteger(pcore.String(last))
	switch {
	case errStart != nil || errStop != nil || stop >= int64(n):
		return 0, 0, errors.New("Given index exceeds array size") //nolint:staticcheck // likewise
	case start > stop:
		return 0, 0, errors.New("Stop index in given indices range is smaller than the start index") //nolint:staticcheck // likewise
	case exclusive:
		return int(start), int(stop), nil
	default:
		return int(start), int(stop) + 1, nil
	}
}

func appendNested(c *function.Call, values []pcore.Value, h *pcore.Hash) ([]pcore.Value, error) {
	if err := reserveElements(c, h.Len()); err != nil {
		return nil, err
	}
	for _, v := range h.All() {
		inner, ok := v.(*pcore.Hash)
		if !ok {
			values = append(values, v)
			continue
		}
		var err error
		if values, err = appendNested(c, values, inner); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// sortBy returns the elements of v in the order of the results of the block.
// Equal ones keep their order.
func sortBy(c *function.Call, v pcore.Value) ([]pcore.Value, error) {
	s, err := iterate(v)
	if err != nil {
		return nil, err
	}
	type element struct{ value, key pcore.Value }
	var all []element
	for v := range s.values {
		if err := reserveElements(c, 2); err != nil {
			return nil, err
		}
		key, err := c.Yield(v)
		if err != nil {
			return nil, err
		}
		all = append(all, element{v, key})
	}
	if err := rubyorder.Sort(all, func(a, b element) (int, error) {
		n, ok := rubyorder.Compare(a.key, b.key)
		if !ok {
			return 0, rubyorder.Error(a.key, b.key)
		}
		return n, nil
	}); err != nil {
		return nil, err
	}
	sorted := make([]pcore.Value, len(all))
	for i, e := range all {
		sorted[i] = e.value
	}
	return sorted, nil
}
