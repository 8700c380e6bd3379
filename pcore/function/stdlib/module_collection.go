package stdlib

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// moduleCollectionFunctions returns functions on the elements of arrays and
// hashes.
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
			Dispatches: one("Hash hash, Any value", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				if err := reserveEntries(c, lengthOf(args[0])); err != nil {
					return nil, err
				}
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
			Dispatches: one("Variant[Array, Hash] collection", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				return withoutUndef(c, args[0])
			}),
		},
		setFunction("intersection", "Returns the elements of an array that are in another one, too.", func(in bool) bool { return in }, true),
		setFunction("difference", "Returns the elements of an array that are not in another one.", func(in bool) bool { return !in }, false),
		{
			Name: "union",
			Doc:  "Returns the elements of all arrays, each once.",
			Dispatches: one("Array first, Array others+", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
				n := 0
				for _, a := range args {
					n += lengthOf(a)
				}
				if err := index(c, n); err != nil {
					return nil, err
				}
				all := make([]pcore.Value, 0, n)
				for _, a := range args {
					all = slices.AppendSeq(all, a.(*pcore.Array).Values())
				}
				return distinct(all), nil
			}),
		},
		{
			Name:       "member",
			Doc:        "Reports whether an array has an element, or all elements of another one.",
			Dispatches: one("Array array, Variant[String, Integer, Array] item", member),
		},
		{
			Name:       "count",
			Doc:        "Returns how many elements equal a value, or are neither undef nor the empty text; or how many characters of a text are in a set such as a-z or ^x.",
			Dispatches: one("Variant[Array, Hash, String] collection, Any item?", count),
		},
		{
			Name:       "join_keys_to_values",
			Doc:        "Returns an array with each key of a hash joined to its value, or to each of its values, by a separator.",
			Dispatches: one("Hash hash, String separator", joinKeysToValues),
		},
		{
			Name:       "prefix",
			Doc:        "Returns the texts of an array, or the keys of a hash, with a prefix.",
			Dispatches: affixDispatches(false),
		},
		{
			Name:       "suffix",
			Doc:        "Returns the texts of an array, or the keys of a hash, with a suffix.",
			Dispatches: affixDispatches(true),
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
			Dispatches: one("Array a, Array b, Any flatten?, Any ignored*", zip),
		},
		{
			Name: "reverse",
			Doc:  "Returns an array or a text from its end to its beginning.",
			Dispatches: []function.Dispatch{
				on("String text", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					return longer(c, args[0], 1, reversed)
				}),
				on("Array array", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
					if err := reserveElements(c, lengthOf(args[0])); err != nil {
						return nil, err
					}
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
				n := 0
				for _, v := range args {
					n++
					if a, ok := v.(*pcore.Array); ok {
						n += a.Len() - 1
					}
				}
				if err := reserveElements(c, n); err != nil {
					return nil, err
				}
				all := make([]pcore.Value, 0, n)
				for _, v := range args {
					if a, ok := v.(*pcore.Array); ok {
						all = slices.AppendSeq(all, a.Values())
					} else {
						all = append(all, v)
					}
				}
				return pcore.NewArray(all...), nil
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
			Doc:        "Returns what the parameter ensure of a type of resource has to be for present and absent; of no type, these.",
			Dispatches: one("Variant[Boolean, Enum[present, absent]] ensure, Optional[Enum[directory, link, mounted, service, file, package]] resource? >> String", ensure),
		},
	}
}

func isEmptyText(v pcore.Value) bool {
	return pcore.Is[pcore.Undef](v) || v == pcore.Value(pcore.String(""))
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

func merge(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	var b pcore.HashBuilder
	for _, v := range args {
		if h, ok := v.(*pcore.Hash); ok {
			if err := reserveEntries(c, h.Len()); err != nil {
				return nil, err
			}
		}
		addAll(&b, v)
	}
	return b.Hash(), nil
}

// addAll adds the entries of a hash, and nothing for other values.
func addAll(b *pcore.HashBuilder, v pcore.Value) {
	if h, ok := v.(*pcore.Hash); ok {
		for k, e := range h.All() {
			b.Set(k, e)
		}
	}
}

// mergeBlock passes the merged hash so far to the block as its first argument.
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
			more, _ := v.(*pcore.Hash)
			if err := reserveEntries(c, merged.Len()+more.Len()); err != nil {
				return nil, err
			}
			var b pcore.HashBuilder
			addAll(&b, merged)
			addAll(&b, more)
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
			return nil, fmt.Errorf("unexpected argument type %s, only expects hash arguments", pcore.KindOf(v))
		}
		var err error
		if merged, err = mergeDeeply(c, merged, h); err != nil {
			return nil, err
		}
	}
	return merged, nil
}

func mergeDeeply(c *function.Call, a, b *pcore.Hash) (*pcore.Hash, error) {
	if err := reserveEntries(c, a.Len()); err != nil { // and one for each of b
		return nil, err
	}
	var merged pcore.HashBuilder
	addAll(&merged, a)
	for k, v := range b.All() {
		if err := reserveEntries(c, 1); err != nil {
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

// comparisons is the number of compared values per unit of the budget.
const comparisons = 16

// index pays for adding n values to an index.
func index(c *function.Call, n int) error {
	if err := reserveEntries(c, n); err != nil {
		return err
	}
	return c.Spend((entryCost - 1) * n)
}

func deleteFrom(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	given := []pcore.Value{args[1]}
	switch items := args[1].(type) {
	case *pcore.Array:
		given = elements(items)
	case *pcore.Hash: // Ruby's Array makes pairs of it
		all, err := asPairs(c, items)
		if err != nil {
			return nil, err
		}
		given = elements(all)
	default:
	}
	switch in := args[0].(type) {
	case pcore.String:
		s := string(in)
		for _, v := range given {
			part, ok := v.(pcore.String)
			if !ok {
				return nil, errors.New("what is deleted from a text must be a text, not " + pcore.KindOf(v).String())
			}
			if err := c.Reserve(len(s)); err != nil {
				return nil, err
			}
			s = strings.ReplaceAll(s, string(part), "")
		}
		return pcore.String(s), nil
	case *pcore.Array:
		if err := reserveElements(c, in.Len()); err != nil {
			return nil, err
		}
		var kept []pcore.Value
		for e := range in.Values() {
			if err := c.Spend(1 + len(given)/comparisons); err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(given, func(v pcore.Value) bool { return rubyEqual(v, e) }) {
				kept = append(kept, e)
			}
		}
		return pcore.NewArray(kept...), nil
	default:
		if err := index(c, lengthOf(in)+len(given)); err != nil {
			return nil, err
		}
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

func deleteAt(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	if err := reserveElements(c, lengthOf(args[0])); err != nil {
		return nil, err
	}
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

// setFunction returns a function that keeps the elements of the first array
// depending on whether the second array contains them.
func setFunction(name, doc string, keep func(in bool) bool, once bool) function.Function {
	return function.Function{Name: name, Doc: doc, Dispatches: one("Array first, Array second", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
		if err := index(c, lengthOf(args[0])+lengthOf(args[1])); err != nil {
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
	if err := index(c, lengthOf(args[0])+len(wanted)); err != nil {
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

func count(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	if text, ok := args[0].(pcore.String); ok {
		set, ok := optional(args, 1).(pcore.String)
		if !ok {
			return nil, errors.New("the characters to count in a text must be given as a text")
		}
		return countCharacters(c, string(text), string(set))
	}
	seq, err := iterate(args[0])
	if err != nil {
		return nil, err
	}
	n := pcore.Integer(0)
	for v := range seq.values {
		if err := c.Spend(1); err != nil {
			return nil, err
		}
		if isTruthy(optional(args, 1)) && rubyEqual(v, args[1]) || !isTruthy(optional(args, 1)) && !isEmptyText(v) {
			n++
		}
	}
	return n, nil
}

// countCharacters returns the number of characters of s in a set, as Ruby's
// String#count.
func countCharacters(c *function.Call, s, set string) (pcore.Value, error) {
	if err := c.Spend(len(set) + len(s)*(1+len(set)/comparisons)); err != nil {
		return nil, err
	}
	in, err := characterSet([]rune(set))
	if err != nil {
		return nil, err
	}
	n := pcore.Integer(0)
	for _, r := range s {
		if in(r) {
			n++
		}
	}
	return n, nil
}

// characterSet returns the set that Ruby's String#count and String#tr describe:
// characters and ranges, all others after a first ^, and \ before a literal one.
func characterSet(set []rune) (func(rune) bool, error) {
	negated := len(set) > 1 && set[0] == '^'
	if negated {
		set = set[1:]
	}
	literal := func(i int) int { // the index of the character that begins at i
		if set[i] == '\\' && i+1 < len(set) {
			return i + 1
		}
		return i
	}
	var ranges [][2]rune
	for i := 0; i < len(set); i++ {
		i = literal(i)
		from, to := set[i], set[i]
		if i+2 < len(set) && set[i+1] == '-' {
			i = literal(i + 2)
			to = set[i]
		}
		if from > to {
			return nil, fmt.Errorf("invalid range \"%c-%c\" in string transliteration", from, to)
		}
		ranges = append(ranges, [2]rune{from, to})
	}
	return func(r rune) bool {
		in := slices.ContainsFunc(ranges, func(x [2]rune) bool { return x[0] <= r && r <= x[1] })
		return in != negated
	}, nil
}

func joinKeysToValues(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	var out []pcore.Value
	add := func(k, v pcore.Value) error {
		if err := reserveElements(c, 1); err != nil {
			return err
		}
		joined, err := concatenated(c, k, args[1], v)
		out = append(out, joined)
		return err
	}
	for k, v := range args[0].(*pcore.Hash).All() {
		list, ok := v.(*pcore.Array)
		if !ok {
			list = pcore.NewArray(v)
		}
		for e := range list.Values() {
			if err := add(k, e); err != nil {
				return nil, err
			}
		}
	}
	return pcore.NewArray(out...), nil
}

// concatenated returns the concatenated texts of values of the 3.x API.
func concatenated(c *function.Call, values ...pcore.Value) (pcore.Value, error) {
	texts := make([]string, len(values))
	n := 0
	for i, v := range values {
		s, err := textOf(c, withReference(v), rubytext.Text)
		if err != nil {
			return nil, err
		}
		texts[i] = s
		n += len(s)
	}
	if err := c.Reserve(n); err != nil {
		return nil, err
	}
	return pcore.String(strings.Join(texts, "")), nil
}

// affixDispatches returns the dispatches of suffix if atEnd, and otherwise of
// prefix.
func affixDispatches(atEnd bool) []function.Dispatch {
	text := func(c *function.Call, args []pcore.Value, v pcore.Value) (pcore.Value, error) {
		affix, _ := optional(args, 1).(pcore.String)
		if atEnd {
			return concatenated(c, v, affix)
		}
		return concatenated(c, affix, v)
	}
	return []function.Dispatch{
		on("Array array, Optional[String] affix?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			return mapped(c, args[0], func(v pcore.Value) (pcore.Value, error) { return text(c, args, v) })
		}),
		on("Hash hash, Optional[String] affix?", func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			h := args[0].(*pcore.Hash)
			if err := reserveEntries(c, h.Len()); err != nil {
				return nil, err
			}
			var b pcore.HashBuilder
			for k, v := range h.All() {
				key, err := text(c, args, k)
				if err != nil {
					return nil, err
				}
				b.Set(key, v)
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
	if v := optional(args, 2); !pcore.Is[pcore.Undef](v) {
		n, err := leadingInteger(v)
		if err != nil || n == 0 {
			return nil, errors.New("3rd arg (step size) must be a non zero integer (e.g. 1 or -1)")
		}
		step = max(n, -n)
	}
	return rangeOf(c, rubytext.Text(args[0]), rubytext.Text(args[1]), step, false)
}

// maxRange is the maximum number of elements of a range, as in the module.
const maxRange = 1_000_000

func rangeOf(c *function.Call, first, last string, step int64, exclusive bool) (pcore.Value, error) {
	var out []pcore.Value
	add := func(v pcore.Value) error {
		out = append(out, v)
		return reserveElements(c, 1)
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
	next := successor
	if len(first) == 1 && len(last) == 1 {
		next = func(s string) string { return string(s[0] + 1) }
	}
	for i, s := int64(0), first; (len(s) <= len(last) || i == 0) && len(out) < maxRange; i, s = i+1, next(s) {
		if s == last && exclusive || s == "" && i > 0 {
			break
		}
		if err := c.Spend(1 + len(s)); err != nil { // for its successor
			return nil, err
		}
		if i%step == 0 {
			if err := c.Reserve(len(s)); err != nil {
				return nil, err
			}
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

// successor implements Ruby's String#succ: it increments the last letter or digit and carries to the left, also past
// other characters, but not between letters and digits there: 1.9 is followed by 2.0, and a-9 by b-0 but 1-z by 1-aa.
// Without letters and digits, it increments the last character.
func successor(s string) string {
	b := []rune(s)
	wrapped, skipped := -1, false
	for i := len(b) - 1; i >= 0; i-- {
		c := b[i]
		switch {
		case wrapped >= 0 && skipped && (unicode.IsLetter(b[wrapped]) && unicode.IsDigit(c) || unicode.IsDigit(b[wrapped]) && unicode.IsLetter(c)):
			return carried(b, wrapped)
		case c == 'z', c == 'Z', c == '9':
			b[i] = map[rune]rune{'z': 'a', 'Z': 'A', '9': '0'}[c]
			wrapped, skipped = i, false
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			b[i]++
			return string(b)
		default:
			skipped = true
		}
	}
	if wrapped >= 0 {
		return carried(b, wrapped)
	}
	if len(b) > 0 {
		b[len(b)-1]++
	}
	return string(b)
}

// carried inserts a character before the first one that began anew.
func carried(b []rune, i int) string {
	first := b[i]
	if first == '0' {
		first = '1'
	}
	return string(slices.Insert(b, i, first))
}

func zip(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	a, b := args[0].(*pcore.Array), args[1].(*pcore.Array)
	const row = 3 // elements, since a row is an array of two
	if err := reserveElements(c, row*a.Len()); err != nil {
		return nil, err
	}
	rows := make([]pcore.Value, a.Len())
	for i, v := range a.All() {
		var w pcore.Value = pcore.Undef{}
		if i < b.Len() {
			w = b.At(i)
		}
		rows[i] = pcore.NewArray(v, w)
	}
	if v := optional(args, 2); isTruthy(v) {
		if !pcore.Is[pcore.String](v) && !pcore.Is[pcore.Boolean](v) {
			return nil, errors.New("Requires string to work with") //nolint:staticcheck // the reference's words
		}
		flat, err := str2bool(v)
		if err != nil {
			return nil, err
		}
		if isTruthy(flat) {
			return flatArray(c, rows)
		}
	}
	return pcore.NewArray(rows...), nil
}

func any2array(c *function.Call, args []pcore.Value) (pcore.Value, error) {
	if len(args) != 1 {
		return pcore.NewArray(args...), nil
	}
	switch v := args[0].(type) {
	case *pcore.Array:
		return v, nil
	case *pcore.Hash:
		if err := reserveElements(c, 2*v.Len()); err != nil {
			return nil, err
		}
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
	resource, named := optional(args, 1).(pcore.String)
	switch {
	case resource == "package" && present:
		return pcore.String("installed"), nil
	case resource == "service" && present:
		return pcore.String("running"), nil
	case resource == "service":
		return pcore.String("stopped"), nil
	case present && named:
		return resource, nil
	case present:
		return pcore.String("present"), nil
	default:
		return pcore.String("absent"), nil
	}
}
