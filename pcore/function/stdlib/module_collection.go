package stdlib

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/rubytext"
)

// moduleCollectionFunctions choose and change what is in arrays and hashes.
func moduleCollectionFunctions() []function.Function {
	return []function.Function{
		{
			Name:       "pick",
			Doc:        "Returns the first argument that is neither undef nor the empty text, and fails when there is none.",
			Dispatches: one("Any values*", pick),
		},
		{
			Name:       "pick_default",
			Doc:        "Returns the first argument that is neither undef nor the empty text, and the last one when there is none.",
			Dispatches: one("Any values+", pickDefault),
		},
		{
			Name: "merge",
			Doc:  "Returns a hash of the entries of all hashes, of which the last counts for a key, or of what a block makes of each element.",
			Dispatches: []function.Dispatch{
				on("Variant[Hash[Scalar, Any], Undef, String[0, 0]] args* >> Hash[Scalar, Any]", merge),
				on("Iterable args*, &Callable[3, 3] block >> Hash", mergeBlock(indexedItems, entries)),
				on("Iterable args*, &Callable[2, 2] block >> Hash", mergeBlock(items, pairs)),
			},
		},
		{
			Name:       "deep_merge",
			Doc:        "Returns a hash of the entries of all hashes; hashes at the same key are merged in turn.",
			Dispatches: one("Any hashes+", deepMerge),
		},
		{
			Name:       "delete",
			Doc:        "Returns an array, a text or a hash without the given elements, parts or keys.",
			Dispatches: one("Variant[Array, Hash, String] collection, Any items", deleteFrom),
		},
		{
			Name:       "delete_at",
			Doc:        "Returns an array without the element at an index.",
			Dispatches: one("Array array, Variant[Integer, String] index", deleteAt),
		},
		{
			Name: "delete_values",
			Doc:  "Returns a hash without the entries that have a value.",
			Dispatches: one("Hash hash, Any value", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				var b pcore.HashBuilder
				for k, v := range args[0].(*pcore.Hash).All() {
					if !rubyEqual(args[1], v) {
						b.Set(k, v)
					}
				}
				return b.Hash(), nil
			}),
		},
		{
			Name: "delete_undef_values",
			Doc:  "Returns an array or hash without what is undef in it.",
			Dispatches: one("Variant[Array, Hash] collection", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				return withoutUndef(args[0]), nil
			}),
		},
		setFunction("intersection", "Returns the elements of an array that are in another one, too.", func(in bool) bool { return in }, true),
		setFunction("difference", "Returns the elements of an array that are not in another one.", func(in bool) bool { return !in }, false),
		{
			Name: "union",
			Doc:  "Returns the elements of all arrays, each once.",
			Dispatches: one("Array first, Array others+", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				var all []pcore.Value
				for _, a := range args {
					all = append(all, elements(a)...)
				}
				return distinct(all), c.Spend(entryCost * len(all))
			}),
		},
		{
			Name:       "member",
			Doc:        "Reports whether an array has an element, or all elements of another one.",
			Dispatches: one("Array array, Variant[String, Integer, Array] item", member),
		},
		{
			Name:       "count",
			Doc:        "Returns how many elements equal a value, or are neither undef nor the empty text.",
			Dispatches: one("Variant[Array, Hash] collection, Any item?", count),
		},
		{
			Name:       "join_keys_to_values",
			Doc:        "Returns an array with each key of a hash joined to its value, or to each of its values, by a separator.",
			Dispatches: one("Hash hash, String separator", joinKeysToValues),
		},
		{
			Name:       "prefix",
			Doc:        "Returns the texts of an array, or the keys of a hash, with a prefix.",
			Dispatches: affixDispatches(func(s, affix string) string { return affix + s }),
		},
		{
			Name:       "suffix",
			Doc:        "Returns the texts of an array, or the keys of a hash, with a suffix.",
			Dispatches: affixDispatches(func(s, affix string) string { return s + affix }),
		},
		{
			Name: "range",
			Doc:  "Returns the numbers or texts from a first one to a last one, each or by steps; also of a text such as 1..5 or a-f.",
			Dispatches: []function.Dispatch{
				on("Variant[Integer, String] first, Variant[Integer, String] last, Variant[Integer, String, Undef] step?", rangeFunction),
				on("String range", rangeText),
			},
		},
		{
			Name:       "zip",
			Doc:        "Returns an array of the pairs of elements at the same index, in one array when the third argument is true.",
			Dispatches: one("Array a, Array b, Any flatten?", zip),
		},
		{
			Name: "reverse",
			Doc:  "Returns an array or a text from its end to its beginning.",
			Dispatches: []function.Dispatch{
				on("String text", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
					chars := strings.Split(str(args[0]), "")
					slices.Reverse(chars)
					return pcore.String(strings.Join(chars, "")), nil
				}),
				on("Array array", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
					elems := elements(args[0])
					slices.Reverse(elems)
					return pcore.NewArray(elems...), nil
				}),
			},
		},
		{
			Name: "concat",
			Doc:  "Returns an array followed by the elements of other arrays, and by other values.",
			Dispatches: one("Array first, Any others+", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				all := elements(args[0])
				for _, v := range args[1:] {
					if _, ok := v.(*pcore.Array); ok {
						all = append(all, elements(v)...)
					} else {
						all = append(all, v)
					}
				}
				return pcore.NewArray(all...), c.Spend(len(all))
			}),
		},
		{
			Name:       "any2array",
			Doc:        "Returns its arguments as an array; one array as it is, and one hash as keys and values in turn.",
			Dispatches: one("Any values*", any2array),
		},
		{
			Name: "has_key",
			Doc:  "Reports whether a hash has a key.",
			Dispatches: one("Hash hash, Any key", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				_, ok := args[0].(*pcore.Hash).Get(args[1])
				return pcore.Boolean(ok), nil
			}),
		},
		{
			Name:       "stdlib::ensure",
			Doc:        "Returns what the parameter ensure of a type of resource has to be for present and absent.",
			Dispatches: one("Variant[Boolean, Enum[present, absent]] ensure, Enum[directory, link, mounted, service, file, package] resource >> String", ensure),
		},
	}
}

func isEmptyText(v pcore.Value) bool {
	return v.Kind() == pcore.KindUndef || v == pcore.Value(pcore.String(""))
}

func pick(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	i := slices.IndexFunc(args, func(v pcore.Value) bool { return !isEmptyText(v) })
	if i < 0 {
		return nil, errors.New("must receive at least one non empty value")
	}
	return args[i], nil
}

func pickDefault(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	last := len(args) - 1
	if i := slices.IndexFunc(args[:last], func(v pcore.Value) bool { return !isEmptyText(v) }); i >= 0 {
		return args[i], nil
	}
	return args[last], nil
}

func merge(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	var b pcore.HashBuilder
	for _, v := range args {
		addAll(&b, v)
	}
	return b.Hash(), nil
}

// addAll adds the entries of a hash; any other value has none.
func addAll(b *pcore.HashBuilder, v pcore.Value) {
	if h, ok := v.(*pcore.Hash); ok {
		for k, e := range h.All() {
			b.Set(k, e)
		}
	}
}

// mergeBlock gives a block what was merged so far, before its other arguments.
func mergeBlock(other, hash func(pcore.Value) (seq itemSeq, err error)) function.Implementation {
	return func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
		if len(args) != 1 {
			return nil, errors.New("with a block, one value can be merged")
		}
		of := other
		if _, ok := args[0].(*pcore.Hash); ok {
			of = hash
		}
		seq, err := of(args[0])
		if err != nil {
			return nil, err
		}
		merged := pcore.NewHash()
		for it := range seq {
			v, err := c.Yield(append([]pcore.Value{merged}, it.args...)...)
			if function.IsBreak(err) {
				break
			}
			if err != nil {
				return nil, err
			}
			var b pcore.HashBuilder
			addAll(&b, merged)
			addAll(&b, v)
			merged = b.Hash()
		}
		return merged, nil
	}
}

func deepMerge(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	if len(args) < 2 {
		return nil, fmt.Errorf("wrong number of arguments (%d; must be at least 2)", len(args))
	}
	merged := pcore.NewHash()
	for _, v := range args {
		h, ok := v.(*pcore.Hash)
		if !ok && !isEmptyText(v) {
			return nil, fmt.Errorf("unexpected argument type %s, only expects hash arguments", v.Kind())
		}
		var err error
		if merged, err = mergeDeeply(c, merged, h); err != nil {
			return nil, err
		}
	}
	return merged, nil
}

func mergeDeeply(c *function.Call, a, b *pcore.Hash) (*pcore.Hash, error) {
	var merged pcore.HashBuilder
	addAll(&merged, a)
	for k, v := range b.All() {
		if err := c.Spend(1); err != nil {
			return nil, err
		}
		old, _ := a.Get(k)
		x, okX := old.(*pcore.Hash)
		y, okY := v.(*pcore.Hash)
		if okX && okY {
			var err error
			if v, err = mergeDeeply(c, x, y); err != nil {
				return nil, err
			}
		}
		merged.Set(k, v)
	}
	return merged.Hash(), nil
}

func deleteFrom(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	given := []pcore.Value{args[1]}
	if _, ok := args[1].(*pcore.Array); ok {
		given = elements(args[1])
	}
	switch in := args[0].(type) {
	case pcore.String:
		s := string(in)
		for _, v := range given {
			part, ok := v.(pcore.String)
			if !ok {
				return nil, errors.New("what is deleted from a text must be a text, not " + v.Kind().String())
			}
			s = strings.ReplaceAll(s, string(part), "")
		}
		return pcore.String(s), nil
	case *pcore.Array:
		kept := slices.DeleteFunc(elements(in), func(e pcore.Value) bool {
			return slices.ContainsFunc(given, func(v pcore.Value) bool { return rubyEqual(v, e) })
		})
		return pcore.NewArray(kept...), c.Spend(in.Len())
	default:
		var b, gone pcore.HashBuilder
		for _, v := range given {
			gone.Set(v, v)
		}
		for k, v := range in.(*pcore.Hash).All() {
			if _, ok := gone.Get(k); !ok {
				b.Set(k, v)
			}
		}
		return b.Hash(), nil
	}
}

func deleteAt(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	elems := elements(args[0])
	var i int
	switch index := args[1].(type) {
	case pcore.Integer:
		i = int(index)
	default:
		if !areDigits(str(index)) {
			return nil, errors.New("You must provide non-negative numeric index") //nolint:staticcheck // the reference's words
		}
		i, _ = strconv.Atoi(str(index))
	}
	if i >= len(elems) {
		return nil, errors.New("Given index exceeds size of array given") //nolint:staticcheck // likewise
	}
	if i < 0 {
		i += len(elems)
	}
	if i < 0 {
		return pcore.NewArray(elems...), nil
	}
	return pcore.NewArray(slices.Delete(elems, i, i+1)...), nil
}

// setFunction keeps the elements of an array by whether they are in another.
func setFunction(name, doc string, keep func(in bool) bool, once bool) function.Function {
	return function.Function{Name: name, Doc: doc, Dispatches: one("Array first, Array second", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
		if err := c.Spend(entryCost * (len(elements(args[0])) + len(elements(args[1])))); err != nil {
			return nil, err
		}
		var other pcore.HashBuilder
		for _, v := range elements(args[1]) {
			other.Set(v, v)
		}
		var kept []pcore.Value
		for _, v := range elements(args[0]) {
			if _, in := other.Get(v); keep(in) {
				kept = append(kept, v)
			}
		}
		if once {
			return distinct(kept), nil
		}
		return pcore.NewArray(kept...), nil
	})}
}

func member(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	wanted := []pcore.Value{args[1]}
	if _, ok := args[1].(*pcore.Array); ok {
		wanted = elements(args[1])
	}
	if len(wanted) == 0 {
		return nil, errors.New("You must provide item to search for within array given") //nolint:staticcheck // the reference's words
	}
	if err := c.Spend(entryCost * (len(elements(args[0])) + len(wanted))); err != nil {
		return nil, err
	}
	var has pcore.HashBuilder
	for _, v := range elements(args[0]) {
		has.Set(v, v)
	}
	for _, v := range wanted {
		if _, ok := has.Get(v); !ok {
			return pcore.Boolean(false), nil
		}
	}
	return pcore.Boolean(true), nil
}

func count(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	seq, err := iterate(args[0])
	if err != nil {
		return nil, err
	}
	n := pcore.Integer(0)
	for v := range seq.values {
		if isTruthy(optional(args, 1)) && rubyEqual(v, args[1]) || !isTruthy(optional(args, 1)) && !isEmptyText(v) {
			n++
		}
	}
	return n, nil
}

func joinKeysToValues(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	var out []pcore.Value
	add := func(k, v pcore.Value) {
		out = append(out, pcore.String(rubytext.Text(k)+str(args[1])+rubytext.Text(v)))
	}
	for k, v := range args[0].(*pcore.Hash).All() {
		switch v := v.(type) {
		case *pcore.Array:
			for e := range v.Values() {
				add(k, e)
			}
		default:
			add(k, v)
		}
	}
	return pcore.NewArray(out...), c.Spend(len(out))
}

func affixDispatches(with func(s, affix string) string) []function.Dispatch {
	text := func(args []pcore.Value, v pcore.Value) pcore.Value {
		affix, _ := optional(args, 1).(pcore.String)
		return pcore.String(with(rubytext.Text(v), string(affix)))
	}
	return []function.Dispatch{
		on("Array array, Optional[String] affix?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			return mapped(c, args[0], func(v pcore.Value) (pcore.Value, error) { return text(args, v), nil })
		}),
		on("Hash hash, Optional[String] affix?", func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
			var b pcore.HashBuilder
			for k, v := range args[0].(*pcore.Hash).All() {
				b.Set(text(args, k), v)
			}
			return b.Hash(), nil
		}),
	}
}

var rangeNotation = lazyregexp.New(`^(\w+)(\.\.\.?|-)(\w+)$`)

func rangeText(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	m := rangeNotation.Get().FindStringSubmatch(str(args[0]))
	if m == nil {
		return nil, errors.New("Unable to compute range from the value") //nolint:staticcheck // the reference's words
	}
	return rangeOf(c, m[1], m[3], 1, m[2] == "...")
}

func rangeFunction(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	step := int64(1)
	if v := optional(args, 2); v.Kind() != pcore.KindUndef {
		n, err := leadingInteger(v)
		if err != nil || n == 0 {
			return nil, errors.New("3rd arg (step size) must be a non zero integer (e.g. 1 or -1)")
		}
		step = max(n, -n)
	}
	return rangeOf(c, rubytext.Text(args[0]), rubytext.Text(args[1]), step, false)
}

// maxRange is how many elements a range may have, as in the module.
const maxRange = 1_000_000

func rangeOf(c *function.Call, first, last string, step int64, exclusive bool) (pcore.Value, error) {
	var out []pcore.Value
	add := func(v pcore.Value) error {
		out = append(out, v)
		return c.Spend(1)
	}
	if areDigits(first) {
		from, err := strconv.ParseInt(first, 10, 64)
		to, err2 := leadingInteger(pcore.String(last))
		if err != nil || err2 != nil {
			return nil, errors.New("a bound of the range is too big")
		}
		for i := from; (i < to || i == to && !exclusive) && len(out) < maxRange; i += step {
			if err := add(pcore.Integer(i)); err != nil {
				return nil, err
			}
			if to-i < step {
				break
			}
		}
		return pcore.NewArray(out...), nil
	}
	if first > last {
		return pcore.NewArray(), nil
	}
	for i, s := int64(0), first; len(s) <= len(last) && len(out) < maxRange; i, s = i+1, successor(s) {
		if s == last && exclusive || s == "" && i > 0 {
			break
		}
		if i%step == 0 {
			if err := add(pcore.String(s)); err != nil {
				return nil, err
			}
		}
		if s == last {
			break
		}
	}
	return pcore.NewArray(out...), nil
}

// successor is Ruby's String#succ of a text of letters and digits: the last one
// is counted up, and what overflows is carried to the left.
func successor(s string) string {
	b := []byte(s)
	for i := len(b) - 1; i >= 0; i-- {
		switch c := b[i]; {
		case c == 'z', c == 'Z', c == '9':
			b[i] = map[byte]byte{'z': 'a', 'Z': 'A', '9': '0'}[c]
			if i == 0 || !isWordByte(b[i-1]) {
				carry := map[byte]byte{'z': 'a', 'Z': 'A', '9': '1'}[c]
				return string(slices.Insert(b, i, carry))
			}
		case isWordByte(c):
			b[i]++
			return string(b)
		default:
			b[i]++
			return string(b)
		}
	}
	return string(b)
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func zip(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	a, b := args[0].(*pcore.Array), args[1].(*pcore.Array)
	rows := make([]pcore.Value, a.Len())
	for i, v := range a.All() {
		var w pcore.Value = pcore.Undef{}
		if i < b.Len() {
			w = b.At(i)
		}
		rows[i] = pcore.NewArray(v, w)
	}
	if v := optional(args, 2); isTruthy(v) {
		flat, err := str2bool(v)
		if err != nil {
			return nil, err
		}
		if isTruthy(flat) {
			return pcore.CollectArray(flattened(rows)), c.Spend(len(rows))
		}
	}
	return pcore.NewArray(rows...), c.Spend(len(rows))
}

func any2array(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	if len(args) != 1 {
		return pcore.NewArray(args...), nil
	}
	switch v := args[0].(type) {
	case *pcore.Array:
		return v, nil
	case *pcore.Hash:
		var out []pcore.Value
		for k, e := range v.All() {
			out = append(out, k, e)
		}
		return pcore.NewArray(out...), nil
	default:
		if isEmptyText(v) {
			return pcore.NewArray(), nil
		}
		return pcore.NewArray(v), nil
	}
}

func ensure(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
	present := args[0] == pcore.Value(pcore.Boolean(true)) || args[0] == pcore.Value(pcore.String("present"))
	switch resource := str(args[1]); {
	case resource == "package" && present:
		return pcore.String("installed"), nil
	case resource == "service" && present:
		return pcore.String("running"), nil
	case resource == "service":
		return pcore.String("stopped"), nil
	case present:
		return pcore.String(resource), nil
	default:
		return pcore.String("absent"), nil
	}
}
