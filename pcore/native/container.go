package native

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// pointerPlan converts a pointer, whose nil is undef.
type pointerPlan struct {
	goType reflect.Type
	elem   plan
}

func (p *pointerPlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	if v.IsNil() {
		return pcore.Undef{}, nil
	}
	if err := e.enter(); err != nil {
		return nil, err
	}
	value, err := p.elem.marshal(e, v.Elem())
	e.leave()
	return value, err
}

func (p *pointerPlan) unmarshal(d *decoder, v pcore.Value, dst reflect.Value) error {
	if _, ok := v.(pcore.Undef); ok {
		dst.SetZero()
		return nil
	}
	if dst.IsNil() {
		dst.Set(reflect.New(p.goType.Elem()))
	}
	return p.elem.unmarshal(d, v, dst.Elem())
}

func (p *pointerPlan) describe(t *typer) (pcore.Type, error) {
	elem, err := t.of(p.goType.Elem(), p.elem)
	if err != nil {
		return nil, err
	}
	return optional(elem), nil
}

func optional(t pcore.Type) pcore.Type {
	switch t.(type) {
	case pcore.AnyType, *pcore.OptionalType:
		return t
	}
	return pcore.NewOptionalType(t)
}

// slicePlan converts a slice to an Array and back.
type slicePlan struct {
	goType reflect.Type
	elem   plan
}

func (p *slicePlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	return marshalElements(e, v, p.elem)
}

func marshalElements(e *encoder, v reflect.Value, elem plan) (pcore.Value, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	a, elems := e.slab.ArrayOf(v.Len())
	for i := range elems {
		value, err := elem.marshal(e, v.Index(i))
		if err != nil {
			return nil, under(err, pcore.Step{Kind: pcore.StepIndex, Index: i})
		}
		elems[i] = value
	}
	e.leave()
	return a, nil
}

func (p *slicePlan) unmarshal(d *decoder, v pcore.Value, dst reflect.Value) error {
	a, ok := v.(*pcore.Array)
	if !ok {
		if pcore.Is[pcore.Undef](v) {
			dst.SetZero()
			return nil
		}
		return misfit(v, p.goType)
	}
	dst.Set(reflect.MakeSlice(p.goType, a.Len(), a.Len()))
	return unmarshalElements(d, a, dst, p.elem)
}

func unmarshalElements(d *decoder, a *pcore.Array, dst reflect.Value, elem plan) error {
	for i := range a.Len() {
		if err := elem.unmarshal(d, a.At(i), dst.Index(i)); err != nil {
			return under(err, pcore.Step{Kind: pcore.StepIndex, Index: i})
		}
	}
	return nil
}

func (p *slicePlan) describe(t *typer) (pcore.Type, error) {
	elem, err := t.of(p.goType.Elem(), p.elem)
	if err != nil {
		return nil, err
	}
	return pcore.NewArrayType(elem, nil), nil
}

// arrayPlan converts an array of Go to an Array of its length and back.
type arrayPlan struct {
	goType reflect.Type
	elem   plan
}

func (p *arrayPlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	return marshalElements(e, v, p.elem)
}

func (p *arrayPlan) unmarshal(d *decoder, v pcore.Value, dst reflect.Value) error {
	a, ok := v.(*pcore.Array)
	switch {
	case !ok:
		return misfit(v, p.goType)
	case a.Len() != dst.Len():
		return lengthMisfit(a.Len(), p.goType)
	}
	return unmarshalElements(d, a, dst, p.elem)
}

func lengthMisfit(n int, t reflect.Type) error {
	return &Error{Err: fmt.Errorf("a length of %d does not fit %s", n, t)}
}

func (p *arrayPlan) describe(t *typer) (pcore.Type, error) {
	elem, err := t.of(p.goType.Elem(), p.elem)
	if err != nil {
		return nil, err
	}
	n := pcore.At(int64(p.goType.Len()))
	size, err := pcore.NewIntegerType(n, n)
	if err != nil {
		return nil, err
	}
	return pcore.NewArrayType(elem, size), nil
}

// mapPlan converts a map to a Hash and back.
type mapPlan struct {
	goType    reflect.Type
	key, elem plan
}

func (p *mapPlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	mark := len(e.entries)
	if err := p.push(e, v); err != nil {
		return nil, err
	}
	entries := e.entries[mark:]
	slices.SortFunc(entries, func(a, b pcore.Entry) int { return compareKeys(a.Key, b.Key) })
	h, err := p.hash(e, entries)
	e.entries = e.entries[:mark]
	e.leave()
	return h, err
}

// hash returns a Hash of sorted entries.
func (p *mapPlan) hash(e *encoder, entries []pcore.Entry) (pcore.Value, error) {
	if _, ok := p.key.(stringPlan); ok { // distinct texts of Go are distinct in Puppet
		mark := len(e.stack)
		for _, entry := range entries {
			e.stack = append(e.stack, entry.Key, entry.Value)
		}
		h := e.slab.Hash(e.stack[mark:])
		e.stack = e.stack[:mark]
		return h, nil
	}
	b := e.slab.HashBuilder(len(entries))
	for _, entry := range entries {
		if b.Set(entry.Key, entry.Value) {
			return nil, under(&Error{Err: fmt.Errorf("two keys of the %s are the same in Puppet", p.goType)}, entryStep(entry.Key))
		}
	}
	return b.Hash(), nil
}

// push appends the entries of v to those of e.
func (p *mapPlan) push(e *encoder, v reflect.Value) error {
	if v.Len() == 0 {
		return nil
	}
	if texts, ok := v.Interface().(map[string]string); ok { // the most frequent map takes half the time
		return pushTexts(e, texts)
	}
	k, elem := reflect.New(p.goType.Key()).Elem(), reflect.New(p.goType.Elem()).Elem()
	for iter := v.MapRange(); iter.Next(); {
		k.SetIterKey(iter)
		key, err := p.key.marshal(e, k)
		if err != nil {
			return &Error{Err: fmt.Errorf("a key: %w", err)}
		}
		elem.SetIterValue(iter)
		value, err := p.elem.marshal(e, elem)
		if err != nil {
			return under(err, entryStep(key))
		}
		e.entries = append(e.entries, pcore.Entry{Key: key, Value: value})
	}
	return nil
}

func pushTexts(e *encoder, texts map[string]string) error {
	for k, v := range texts {
		key, err := marshalText(e, k)
		if err != nil {
			return &Error{Err: fmt.Errorf("a key: %w", err)}
		}
		value, err := marshalText(e, v)
		if err != nil {
			return under(err, entryStep(key))
		}
		e.entries = append(e.entries, pcore.Entry{Key: key, Value: value})
	}
	return nil
}

// compareKeys orders the keys of a map: numbers by value, all others by their
// text.
func compareKeys(a, b pcore.Value) int {
	switch a := a.(type) {
	case pcore.String:
		if b, ok := b.(pcore.String); ok {
			return strings.Compare(string(a), string(b))
		}
	case pcore.Integer:
		if b, ok := b.(pcore.Integer); ok {
			return cmp.Compare(a, b)
		}
	case pcore.Float:
		if b, ok := b.(pcore.Float); ok {
			return cmp.Compare(a, b)
		}
	default:
	}
	return cmp.Or(cmp.Compare(pcore.KindOf(a), pcore.KindOf(b)), strings.Compare(a.String(), b.String()))
}

func (p *mapPlan) unmarshal(d *decoder, v pcore.Value, dst reflect.Value) error {
	h, ok := v.(*pcore.Hash)
	if !ok {
		if pcore.Is[pcore.Undef](v) {
			dst.SetZero()
			return nil
		}
		return misfit(v, p.goType)
	}
	if dst.IsNil() {
		dst.Set(reflect.MakeMapWithSize(p.goType, h.Len()))
	}
	// SetMapIndex copies both.
	key, elem := reflect.New(p.goType.Key()).Elem(), reflect.New(p.goType.Elem()).Elem()
	for k, v := range h.All() {
		key.SetZero()
		elem.SetZero()
		if err := p.key.unmarshal(d, k, key); err != nil {
			return under(&Error{Err: fmt.Errorf("the key: %w", err)}, entryStep(k))
		}
		if !key.Comparable() {
			return under(&Error{Err: errors.New("the key does not fit a map of Go; use *pcore.Hash")}, entryStep(k))
		}
		if err := p.elem.unmarshal(d, v, elem); err != nil {
			return under(err, entryStep(k))
		}
		dst.SetMapIndex(key, elem)
	}
	return nil
}

func (p *mapPlan) describe(t *typer) (pcore.Type, error) {
	key, err := t.of(p.goType.Key(), p.key)
	if err != nil {
		return nil, err
	}
	elem, err := t.of(p.goType.Elem(), p.elem)
	if err != nil {
		return nil, err
	}
	return pcore.NewHashType(key, elem, nil), nil
}
