package stdlib

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/pcatdev/pcat/internal/ruby/rubyorder"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

func iterateFunctions() []function.Function {
	return []function.Function{
		{
			Name:       "each",
			Doc:        "Calls a block for each element of what can be iterated, and returns that.",
			Dispatches: iterating(each),
		},
		{
			Name:       "map",
			Doc:        "Returns the array of what a block makes of each element.",
			Dispatches: iterating(mapItems),
		},
		{
			Name:       "filter",
			Doc:        "Returns the array of the elements, or the hash of the entries, for which a block is true.",
			Dispatches: iterating(filter),
		},
		{
			Name: "any",
			Doc:  "Reports whether a block is true for any element.",
			Dispatches: iterating(func(c *function.Call, in pcore.Value, items itemSeq) (pcore.Value, error) {
				return isFound(c, in, items, true)
			}),
		},
		{
			Name: "all",
			Doc:  "Reports whether a block is true for all elements.",
			Dispatches: iterating(func(c *function.Call, in pcore.Value, items itemSeq) (pcore.Value, error) {
				return isFound(c, in, items, false)
			}),
		},
		{
			Name:       "index",
			Doc:        "Returns the index or key of the first element for which a block is true, or which equals a value, or the index at which a text has a text or pattern.",
			Dispatches: indexDispatches(),
		},
		{
			Name: "reduce",
			Doc:  "Returns what a block makes of a first value and the first element, then of that result and the next element, and so on. Without a first value the first element is it.",
			Dispatches: []function.Dispatch{
				on("Iterable enumerable, &Callable[2, 2] block", reduce),
				on("Iterable enumerable, Any memo, &Callable[2, 2] block", reduce),
			},
		},
		{
			Name:       "partition",
			Doc:        "Returns two arrays: the elements for which a block is true, and the others.",
			Dispatches: dividing("Tuple[Array, Array]", partition),
		},
		{
			Name:       "group_by",
			Doc:        "Returns a hash from each result of a block to the array of the elements that gave it.",
			Dispatches: dividing("Hash", groupBy),
		},
		{
			Name: "slice",
			Doc:  "Returns the array of arrays of so many elements each, or calls a block with them.",
			Dispatches: []function.Dispatch{
				on("Hash[Any, Any] hash, Integer[1, default] slice_size, &Callable block?", slice),
				on("Iterable enumerable, Integer[1, default] slice_size, &Callable block?", slice),
			},
		},
	}
}

// item is one step of an iteration: the value, which is an element or the pair
// of an entry, and the arguments for the block.
type item struct {
	value pcore.Value
	args  []pcore.Value
	entry *pcore.Entry // of a hash
}

// itemSeq is a sequence of iteration steps.
type itemSeq = iter.Seq[item]

// iterating returns the dispatches of a function that iterates over a value. A
// block with two parameters receives key and value, or index and element.
func iterating(f func(c *function.Call, in pcore.Value, items itemSeq) (pcore.Value, error)) []function.Dispatch {
	with := func(items func(v pcore.Value) (itemSeq, error)) function.Implementation {
		return func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			seq, err := items(args[0])
			if err != nil {
				return nil, err
			}
			return f(c, args[0], seq)
		}
	}
	return []function.Dispatch{
		on("Hash[Any, Any] hash, &Callable[2, 2] block", with(entries)),
		on("Hash[Any, Any] hash, &Callable[1, 1] block", with(pairs)),
		on("Iterable enumerable, &Callable[2, 2] block", with(indexedItems)),
		on("Iterable enumerable, &Callable[1, 1] block", with(items)),
	}
}

func entries(v pcore.Value) (itemSeq, error) {
	return func(yield func(item) bool) {
		for k, e := range v.(*pcore.Hash).All() {
			entry := pcore.Entry{Key: k, Value: e}
			if !yield(item{value: pairOf(entry), args: []pcore.Value{k, e}, entry: &entry}) {
				return
			}
		}
	}, nil
}

func pairs(v pcore.Value) (itemSeq, error) {
	return func(yield func(item) bool) {
		for k, e := range v.(*pcore.Hash).All() {
			entry := pcore.Entry{Key: k, Value: e}
			pair := pairOf(entry)
			if !yield(item{value: pair, args: []pcore.Value{pair}, entry: &entry}) {
				return
			}
		}
	}, nil
}

func items(v pcore.Value) (itemSeq, error) {
	s, err := iterate(v)
	return func(yield func(item) bool) {
		for e := range s.values {
			if !yield(item{value: e, args: []pcore.Value{e}}) {
				return
			}
		}
	}, err
}

func indexedItems(v pcore.Value) (itemSeq, error) {
	s, err := iterate(v)
	return func(yield func(item) bool) {
		i := pcore.Integer(0)
		for e := range s.values {
			if !yield(item{value: e, args: []pcore.Value{i, e}}) {
				return
			}
			i++
		}
	}, err
}

func each(c *function.Call, in pcore.Value, items itemSeq) (pcore.Value, error) {
	for it := range items {
		if _, err := c.Yield(it.args...); function.IsBreak(err) {
			break
		} else if err != nil {
			return nil, err
		}
	}
	return in, nil
}

func mapItems(c *function.Call, _ pcore.Value, items itemSeq) (pcore.Value, error) {
	var out []pcore.Value
	for it := range items {
		v, err := c.Yield(it.args...)
		if function.IsBreak(err) {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := c.Hold(elementSize); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return pcore.NewArray(out...), nil
}

func filter(c *function.Call, in pcore.Value, items itemSeq) (pcore.Value, error) {
	_, isHash := in.(*pcore.Hash)
	var kept []pcore.Value
	var hash pcore.HashBuilder
	for it := range items {
		v, err := c.Yield(it.args...)
		if function.IsBreak(err) && !isHash {
			break
		}
		if err == nil {
			err = c.Hold(entrySize)
		}
		if err != nil {
			return nil, err
		}
		switch {
		case !isTruthy(v):
		case isHash:
			hash.Set(it.entry.Key, it.entry.Value)
		default:
			kept = append(kept, it.value)
		}
	}
	if isHash {
		return hash.Hash(), nil
	}
	return pcore.NewArray(kept...), nil
}

// isFound returns want if the block's result is want for any item, and !want
// otherwise.
func isFound(c *function.Call, in pcore.Value, items itemSeq, want bool) (pcore.Value, error) {
	for it := range items {
		v, err := c.Yield(it.args...)
		if function.IsBreak(err) && isRange(in) {
			break
		}
		if err != nil {
			return nil, err
		}
		if isTruthy(v) == want {
			return pcore.Boolean(want), nil
		}
	}
	return pcore.Boolean(!want), nil
}

func indexDispatches() []function.Dispatch {
	return append(
		[]function.Dispatch{
			on("Hash[Any, Any] hash, &Callable[2, 2] block", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return indexInHash(args[0], func(k, e pcore.Value) (bool, error) { return yieldsTrue(c, k, e) })
			}),
			on("Hash[Any, Any] hash, &Callable[1, 1] block", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return indexInHash(args[0], func(_, e pcore.Value) (bool, error) { return yieldsTrue(c, e) })
			}),
		},
		on("Iterable enumerable, &Callable[2, 2] block", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			return indexIn(args[0], func(i pcore.Integer, e pcore.Value) (bool, error) { return yieldsTrue(c, i, e) })
		}),
		on("Iterable enumerable, &Callable[1, 1] block", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			return indexIn(args[0], func(_ pcore.Integer, e pcore.Value) (bool, error) { return yieldsTrue(c, e) })
		}),
		on("String str, Variant[String, Regexp] match", indexInText),
		on("Iterable enumerable, Any match", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			if _, ok := args[0].(*pcore.Hash); ok {
				return indexInHash(args[0], func(_, e pcore.Value) (bool, error) { return rubyEqual(e, args[1]), c.Spend(1) })
			}
			return indexIn(args[0], func(_ pcore.Integer, e pcore.Value) (bool, error) { return rubyEqual(e, args[1]), c.Spend(1) })
		}),
	)
}

func yieldsTrue(c *function.Call, args ...pcore.Value) (bool, error) {
	v, err := c.Yield(args...)
	return err == nil && isTruthy(v), err
}

func indexInHash(v pcore.Value, found func(k, e pcore.Value) (bool, error)) (pcore.Value, error) {
	for k, e := range v.(*pcore.Hash).All() {
		if ok, err := found(k, e); err != nil {
			return nil, err
		} else if ok {
			return k, nil
		}
	}
	return pcore.Undef{}, nil
}

func indexIn(v pcore.Value, found func(i pcore.Integer, e pcore.Value) (bool, error)) (pcore.Value, error) {
	s, err := iterate(v)
	if err != nil {
		return nil, err
	}
	i := pcore.Integer(0)
	for e := range s.values {
		ok, err := found(i, e)
		switch {
		case function.IsBreak(err) && s.numbers != nil:
			return pcore.Undef{}, nil
		case err != nil:
			return nil, err
		case ok:
			return i, nil
		}
		i++
	}
	return pcore.Undef{}, nil
}

// isRange reports whether v is iterated as a range of numbers. In the reference, a break
// ends such an iteration in every function; of other values, only in some.
func isRange(v pcore.Value) bool {
	s, err := iterate(v)
	return err == nil && s.numbers != nil
}

// rubyEqual implements Ruby's ==, which is case-sensitive and compares integers
// and floats by value.
func rubyEqual(a, b pcore.Value) bool {
	if isTime(a) || isTime(b) { // an equal number of seconds, too
		return pcore.Equal(a, b)
	}
	if n, ok := rubyorder.Numbers(a, b); ok {
		return n == 0
	}
	return pcore.Identical(a, b)
}

func isTime(v pcore.Value) bool {
	return pcore.Is[pcore.Timespan](v) || pcore.Is[pcore.Timestamp](v)
}

func reduce(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	s, err := iterate(args[0])
	if err != nil {
		return nil, err
	}
	var memo pcore.Value
	if len(args) > 1 {
		memo = args[1]
	}
	for e := range s.values {
		if memo == nil {
			memo = e
			continue
		}
		v, err := c.Yield(memo, e)
		if function.IsBreak(err) {
			return memo, nil
		}
		if err != nil {
			return nil, err
		}
		memo = v
	}
	return memo, nil
}

// dividing returns the dispatches of a function that groups the elements of a
// value.
func dividing(result string, f func(c *function.Call, items itemSeq) (pcore.Value, error)) []function.Dispatch {
	with := func(hash, other func(v pcore.Value) (itemSeq, error)) function.Implementation {
		return func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			of := other
			if _, ok := args[0].(*pcore.Hash); ok {
				of = hash
			}
			seq, err := of(args[0])
			if err != nil {
				return nil, err
			}
			return f(c, seq)
		}
	}
	return []function.Dispatch{
		on("Collection collection, &Callable[1, 1] block >> "+result, with(pairs, items)),
		on("Array array, &Callable[2, 2] block >> "+result, with(nil, indexedItems)),
		on("Collection collection, &Callable[2, 2] block >> "+result, with(entries, indexedItems)),
	}
}

func partition(c *function.Call, items itemSeq) (pcore.Value, error) {
	var yes, no []pcore.Value
	for it := range items {
		ok, err := yieldsTrue(c, it.args...)
		if err == nil {
			err = c.Hold(elementSize)
		}
		if err != nil {
			return nil, err
		}
		if ok {
			yes = append(yes, it.value)
		} else {
			no = append(no, it.value)
		}
	}
	return pcore.NewArray(pcore.NewArray(yes...), pcore.NewArray(no...)), nil
}

func groupBy(c *function.Call, items itemSeq) (pcore.Value, error) {
	var index pcore.HashBuilder
	var keys []pcore.Value
	var groups [][]pcore.Value
	for it := range items {
		key, err := c.Yield(it.args...)
		if err == nil {
			err = c.Hold(2 * entrySize)
		}
		if err != nil {
			return nil, err
		}
		i, ok := index.Get(key)
		if !ok {
			i = pcore.Integer(len(groups))
			index.Set(key, i)
			keys = append(keys, key)
			groups = append(groups, nil)
		}
		at := i.(pcore.Integer)
		groups[at] = append(groups[at], it.value)
	}
	b := pcore.NewHashBuilder(len(keys))
	for i, key := range keys {
		b.Set(key, pcore.NewArray(groups[i]...))
	}
	return b.Hash(), nil
}

func slice(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	s, err := iterate(args[0])
	if err != nil {
		return nil, err
	}
	size := int64(args[1].(pcore.Integer))
	if c.Block == nil {
		var out []pcore.Value
		for portion := range portions(s.values, size) {
			if err := reserveElements(c, 4*len(portion)); err != nil { // they are kept
				return nil, err
			}
			out = append(out, pcore.NewArray(portion...))
		}
		return pcore.NewArray(out...), nil
	}
	whole, err := takesWhole(c.Block.Signature(), size)
	if err != nil {
		return nil, err
	}
	for portion := range portions(s.values, size) {
		if whole {
			portion = []pcore.Value{pcore.NewArray(portion...)}
		} else {
			missing := min(size-int64(len(portion)), math.MaxInt32)
			if err := reserveElements(c, int(missing)); err != nil {
				return nil, err
			}
			portion = filled(portion, args[0], size)
		}
		if _, err := c.Yield(portion...); function.IsBreak(err) {
			break
		} else if err != nil {
			return nil, err
		}
	}
	return args[0], nil
}

// portions yields the values in slices of length size; the last may be shorter.
func portions(values iter.Seq[pcore.Value], size int64) iter.Seq[[]pcore.Value] {
	return func(yield func([]pcore.Value) bool) {
		var portion []pcore.Value
		for v := range values {
			if portion = append(portion, v); int64(len(portion)) == size {
				if !yield(portion) {
					return
				}
				portion = nil
			}
		}
		if len(portion) > 0 {
			yield(portion)
		}
	}
}

// takesWhole reports whether the block receives a slice as one array, rather
// than its elements as separate arguments.
func takesWhole(block *function.Signature, size int64) (bool, error) {
	least, most := block.Arity()
	if least != most {
		return size == 1, nil
	}
	switch {
	case most == 0:
		return false, errors.New("block must define at least one parameter. Block has 0")
	case most == 1:
		return true, nil
	case int64(most) == size:
		return false, nil
	default:
		return false, fmt.Errorf("block must define one parameter, or the same number of parameters as the given size of the slice (%d). Block has %d", size, most)
	}
}

// filled pads a slice to the full size: with empty pairs for a hash, otherwise
// with undef.
func filled(portion []pcore.Value, in pcore.Value, size int64) []pcore.Value {
	var filler pcore.Value = pcore.Undef{}
	if _, ok := in.(*pcore.Hash); ok {
		filler = pcore.NewArray()
	}
	for int64(len(portion)) < size {
		portion = append(portion, filler)
	}
	return portion
}
