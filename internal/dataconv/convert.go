package dataconv

import (
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Decode decodes data, which consists of Undef, Boolean, numbers, Strings,
// Arrays and Hashes, and in which `__ptype` marks rich values. Errors are
// *[serialization.Error] with the path.
func Decode(data pcore.Value, o serialization.DecodeOptions) (pcore.Value, error) {
	b := NewBuilder(o)
	if err := push(b, data); err != nil {
		return nil, err
	}
	return b.Value(), nil
}

func push(b *Builder, data pcore.Value) error {
	switch data := data.(type) {
	case *pcore.Array:
		if err := b.BeginArray(); err != nil {
			return err
		}
		for e := range data.Values() {
			if err := push(b, e); err != nil {
				return err
			}
		}
		b.EndArray()
		return nil
	case *pcore.Hash:
		if err := b.BeginMap(); err != nil {
			return err
		}
		for k, e := range data.All() {
			b.KeyValue(k, -1)
			if err := push(b, e); err != nil {
				return err
			}
		}
		return b.EndMap()
	default:
		b.Add(data)
		return nil
	}
}

// Encode returns v as data, in which `__ptype` marks the rich values that mode
// keeps. Errors are *[serialization.Error] with the path.
func Encode(v pcore.Value, mode Mode, o serialization.EncodeOptions) (pcore.Value, error) {
	var c collector
	if err := NewEmitter(&c, mode, o).Emit(v); err != nil {
		return nil, err
	}
	return c.root, nil
}

// collector is a Sink that builds values of the data without interpreting it.
type collector struct {
	open []container
	root pcore.Value
}

type container struct {
	elems []pcore.Value
	hash  *pcore.HashBuilder
	key   pcore.String
}

func (c *collector) add(v pcore.Value) {
	if len(c.open) == 0 {
		c.root = v
		return
	}
	top := &c.open[len(c.open)-1]
	if top.hash != nil {
		top.hash.Set(top.key, v)
		return
	}
	top.elems = append(top.elems, v)
}

func (c *collector) pop() container {
	top := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	return top
}

func (c *collector) Null()                               { c.add(pcore.Undef{}) }
func (c *collector) Boolean(v bool)                      { c.add(pcore.Boolean(v)) }
func (c *collector) Integer(v int64)                     { c.add(pcore.Integer(v)) }
func (c *collector) BigInteger(v pcore.BigInteger) error { c.add(v); return nil }
func (c *collector) Float(v float64)                     { c.add(pcore.Float(v)) }
func (c *collector) String(v string)                     { c.add(pcore.String(v)) }
func (c *collector) Key(v string)                        { c.open[len(c.open)-1].key = pcore.String(v) }
func (c *collector) EndArray()                           { c.add(pcore.NewArray(c.pop().elems...)) }
func (c *collector) EndMap()                             { c.add(c.pop().hash.Hash()) }

func (c *collector) BeginArray(n int) {
	c.open = append(c.open, container{elems: make([]pcore.Value, 0, n)})
}

func (c *collector) BeginMap(n int) {
	c.open = append(c.open, container{hash: pcore.NewHashBuilder(n)})
}
