package pcore

import "strings"

// Clone returns a deep copy of v that does not share the chunks of memory in
// which a decoder allocates many values together. Use it to keep a small part
// of a large document. Types, regular expressions, versions and URIs, which are
// allocated one by one, are shared.
func Clone(v Value) Value {
	switch v := v.(type) {
	case Integer: // converting it to a Value again allocates its own memory
		return v
	case Float:
		return v
	case String:
		return String(strings.Clone(string(v)))
	case Symbol:
		return Symbol(strings.Clone(string(v)))
	case *Array:
		return v.clone()
	case *Hash:
		return v.clone()
	case *Sensitive:
		return NewSensitive(Clone(v.Reveal())) //nolint:forbidigo // it becomes a secret again
	case *Deferred:
		return NewDeferred(strings.Clone(v.name), v.args.clone())
	case *Object:
		return NewObject(v.typ, v.attrs.clone())
	default:
		return v
	}
}

// clone returns nil for nil, which marks a Deferred without arguments.
func (v *Array) clone() *Array {
	if v == nil {
		return nil
	}
	elems := make([]Value, len(v.elems))
	for i, e := range v.elems {
		elems[i] = Clone(e)
	}
	return &Array{elems}
}

func (v *Hash) clone() *Hash {
	if v == nil {
		return nil
	}
	n := v.Len()
	if n == 0 {
		return &Hash{}
	}
	h := new(ownHash).own()
	members := make([]Value, 2*n)
	h.keys.list, h.keys.index, h.values = members[:n:n], v.keys.index, members[n:]
	for i := range n {
		h.keys.list[i], h.values[i] = Clone(v.keys.list[i]), Clone(v.values[i])
	}
	return h
}
