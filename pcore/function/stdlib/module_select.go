package stdlib

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// moduleSelectFunctions returns functions that select and sort elements.
func moduleSelectFunctions() []function.Function {
	return []function.Function{
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

func grep(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	re, err := compile(args[1])
	if err != nil {
		return nil, err
	}
	list, ok := args[0].(*pcore.Array)
	if !ok {
		return pcore.NewArray(), nil // the elements of a hash are pairs
	}
	if err := c.ReserveElements(list.Len()); err != nil {
		return nil, err
	}
	var found []pcore.Value
	for v := range list.Values() {
		s, ok := v.(pcore.String)
		if !ok {
			continue
		}
		if err := c.Spend(len(s)); err != nil {
			return nil, err
		}
		at, err := re.FindSubmatchIndex(string(s), 0)
		if err != nil {
			return nil, err
		}
		if at != nil {
			found = append(found, v)
		}
	}
	return pcore.NewArray(found...), nil
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
		if err := c.ReserveElements(1 + to - from); err != nil {
			return nil, err
		}
		for e := range array.Slice(from, to).Values() {
			if e.Kind() != pcore.KindUndef {
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
	if err := c.ReserveElements(h.Len()); err != nil {
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
		if err := c.ReserveElements(2); err != nil {
			return nil, err
		}
		key, err := c.Yield(v)
		if err != nil {
			return nil, err
		}
		all = append(all, element{v, key})
	}
	slices.SortStableFunc(all, func(a, b element) int {
		n, ok := rubyOrder(a.key, b.key)
		if !ok && err == nil {
			err = fmt.Errorf("comparison of %s with %s failed", a.key.Kind(), b.key.Kind())
		}
		return n
	})
	if err != nil {
		return nil, err
	}
	sorted := make([]pcore.Value, len(all))
	for i, e := range all {
		sorted[i] = e.value
	}
	return sorted, nil
}
