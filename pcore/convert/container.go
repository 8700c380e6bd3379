package convert

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
)

func arrayConstructor() constructor {
	return constructor{
		name: "new_array",
		ways: []way{by(newArray, "from", "wrap"), by(newWrappedArray, "from", "wrap")},
		refuse: func(args []pcore.Value) error {
			if len(args) == 0 || len(args) > 2 || len(args) == 2 && !pcore.Is[pcore.Boolean](args[1]) {
				return nil
			}
			return cannot(args[0], "Array")
		},
	}
}

func newWrappedArray(_ *Converter, args []pcore.Value) (pcore.Value, error) {
	if v, ok := args[0].(*pcore.Array); ok {
		return v, nil
	}
	return pcore.NewArray(args[0]), nil
}

func newArray(c *Converter, args []pcore.Value) (pcore.Value, error) {
	elems, err := c.elements(args[0])
	if err != nil {
		return nil, err
	}
	return pcore.NewArray(elems...), nil
}

// elements returns the values that iteration over v yields: elements, pairs of
// a hash, bytes of a Binary, characters of a text, the non-negative numbers
// less than an Integer, or the values that a type enumerates.
func (c *Converter) elements(v pcore.Value) ([]pcore.Value, error) {
	var elems []pcore.Value
	switch v := v.(type) {
	case *pcore.Array:
		for e := range v.Values() {
			elems = append(elems, e)
		}
	case *pcore.Hash:
		for k, e := range v.All() {
			elems = append(elems, pcore.NewArray(k, e))
		}
	case pcore.Binary:
		if err := c.spend(v.Len(), 0); err != nil {
			return nil, err
		}
		for i := range v.Len() {
			elems = append(elems, pcore.Integer(v.Raw()[i]))
		}
	case pcore.String:
		if err := c.spend(utf8.RuneCountInString(string(v)), 0); err != nil {
			return nil, err
		}
		for c := range strings.SplitSeq(string(v), "") {
			elems = append(elems, pcore.String(c))
		}
	case pcore.Integer:
		return c.numbers(0, int64(v)-1)
	case *pcore.Iterator:
		return c.collect(v)
	case pcore.Type:
		return c.listed(v)
	default:
	}
	return elems, nil
}

func (c *Converter) numbers(from, to int64) ([]pcore.Value, error) {
	if from > to {
		return nil, nil
	}
	n := uint64(to) - uint64(from) // one less than their number
	if n >= 1<<31 {
		return nil, errTooLarge
	}
	if err := c.spend(int(n)+1, 0); err != nil {
		return nil, err
	}
	elems := make([]pcore.Value, n+1)
	for i := range elems {
		elems[i] = pcore.Integer(from + int64(i))
	}
	return elems, nil
}

func (c *Converter) collect(v *pcore.Iterator) ([]pcore.Value, error) {
	var elems []pcore.Value
	for e := range v.Values() {
		if err := c.spend(1, len(elems)); err != nil {
			return nil, err
		}
		elems = append(elems, e)
	}
	return elems, nil
}

// listed returns the values that a type enumerates.
func (c *Converter) listed(t pcore.Type) ([]pcore.Value, error) {
	switch t := t.(type) {
	case *pcore.IntegerType:
		from, _ := t.From().Get()
		to, _ := t.To().Get()
		return c.numbers(from, to)
	case *pcore.EnumType:
		var elems []pcore.Value
		for _, s := range t.Values() {
			elems = append(elems, pcore.String(s))
		}
		return elems, nil
	case *pcore.TypeAliasType:
		return c.listed(t.Resolved())
	}
	return nil, fmt.Errorf("%s lists no values", t)
}

func hashConstructor() constructor {
	return constructor{
		name: "new_hash",
		ways: []way{by(newTree, "from", "build_option"), by(newHashOfPairs, "from"), by(newHash, "from")},
	}
}

// newHash creates a hash from a list of alternating keys and values.
func newHash(c *Converter, args []pcore.Value) (pcore.Value, error) {
	from := args[0]
	if h, ok := from.(*pcore.Hash); ok {
		return h, nil
	}
	if !pcore.Contains(&pcore.IterableType{}, from) {
		return nil, cannot(from, "Hash")
	}
	list, err := c.elements(from)
	if err != nil {
		return nil, err
	}
	if len(list) == 1 && pcore.Is[*pcore.Iterator](from) {
		return hashOfOne(list[0])
	}
	if len(list)%2 != 0 {
		return nil, errOdd
	}
	b := pcore.NewHashBuilder(len(list) / 2)
	for i := 0; i < len(list); i += 2 {
		b.Set(list[i], list[i+1])
	}
	return b.Hash(), nil
}

var errOdd = errors.New("odd number of arguments for Hash")

// hashOfOne creates a hash from the only element of an Iterator: a hash, or an
// array of keys with optional values.
func hashOfOne(v pcore.Value) (pcore.Value, error) {
	switch v := v.(type) {
	case *pcore.Hash:
		return v, nil
	case *pcore.Array:
		b := pcore.NewHashBuilder(v.Len())
		for e := range v.Values() {
			pair, ok := e.(*pcore.Array)
			switch {
			case !ok:
				return nil, fmt.Errorf("%s cannot be a key with its value", pcore.KindOf(e))
			case pair.Len() == 1:
				b.Set(pair.At(0), pcore.Undef{})
			case pair.Len() == 2:
				b.Set(pair.At(0), pair.At(1))
			default:
				return nil, fmt.Errorf("invalid number of elements (%d for 1..2)", pair.Len())
			}
		}
		return b.Hash(), nil
	default:
		return nil, errOdd
	}
}

// newHashOfPairs creates a hash from an array of key-value pairs.
func newHashOfPairs(_ *Converter, args []pcore.Value) (pcore.Value, error) {
	list := args[0].(*pcore.Array)
	b := pcore.NewHashBuilder(list.Len())
	for e := range list.Values() {
		pair := e.(*pcore.Array)
		b.Set(pair.At(0), pair.At(1))
	}
	return b.Hash(), nil
}
