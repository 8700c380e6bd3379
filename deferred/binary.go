package deferred

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// For the functions of an agent, a Binary is a byte string: a text of another encoding, which
// Ruby keeps for each text by itself. Here, a byte string is a String during the call, and a
// Binary outside of it. The flow of the texts through a function decides which texts of its
// result are byte strings.

// flow is how the texts in the result of a function come from its arguments.
type flow uint8

const (
	unknown   flow = iota // passed on, or put together
	own                   // made by the function itself
	moved                 // values in the arguments, which the function does not read
	chosen                // values of the arguments, which it compares
	converted             // each from the text at its location in the first argument, or above it
	joined                // put together from all texts, in their order
	shown                 // put together from the notation of values
	typed                 // in types, which are those of the arguments
)

// flowOf returns the flow of a call, and the arguments that it is about.
func (r *worker) flowOf(name string, args []pcore.Value) (flow, []pcore.Value) {
	name = function.CanonicalName(name)
	switch name {
	case "dig", "flatten", "get", "getvar", "lest", "reverse_each", "slice", "step", "then", "tree_each", "unwrap", "values":
		return moved, args
	case "max", "min", "sort", "unique":
		return chosen, args
	case "camelcase", "capitalize", "chomp", "chop", "downcase", "lstrip", "match", "regsubst", "rstrip", "split", "strip", "upcase":
		return converted, args
	case "join", "length", "size", "sprintf":
		return joined, args
	case "epp", "inline_epp":
		return joined, written(args)
	case "type":
		return typed, args
	case "call":
		if callee, ok := first(args).(pcore.String); ok {
			return r.flowOf(string(callee), args[1:])
		}
	case "new":
		if t, ok := first(args).(pcore.Type); ok {
			return flowOfNew(t, args[1:])
		}
	case "convert_to":
		if len(args) > 1 {
			if t, ok := args[1].(pcore.Type); ok {
				return flowOfNew(t, slices.Delete(slices.Clone(args), 1, 2))
			}
		}
	}
	if strings.HasPrefix(name, "$") {
		return moved, args
	}
	if f, ok := r.Functions.Function(name); ok && f.OwnText {
		return own, args
	}
	return unknown, args
}

// flowOfNew returns the flow of a conversion to a type.
func flowOfNew(t pcore.Type, args []pcore.Value) (flow, []pcore.Value) {
	switch t.(type) {
	case *pcore.ArrayType, *pcore.HashType, *pcore.SensitiveType, *pcore.StructType, *pcore.TupleType:
		return moved, args
	case *pcore.StringType:
		switch v := first(args).(type) {
		case *pcore.Array, *pcore.Hash, *pcore.Sensitive:
			return shown, args
		case pcore.Binary:
			if len(args) > 1 {
				return joined, []pcore.Value{args[1], v} // the format is first
			}
			return converted, args
		default: // another value
		}
	}
	return unknown, args
}

func first(args []pcore.Value) pcore.Value {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// written returns the texts of a template: the one that it begins with, and the values of its
// parameters.
func written(args []pcore.Value) []pcore.Value {
	source, ok := first(args).(pcore.String)
	if !ok {
		return nil // a parsed template is a text
	}
	if len(args) < 2 {
		return args
	}
	given, ok := args[1].(*pcore.Hash)
	if !ok {
		return args
	}
	text := string(source)
	if strings.HasPrefix(text, "<%-") || strings.HasPrefix(text, "<% ") {
		_, text, _ = strings.Cut(text, "%>") // its parameters
	}
	expression, isExpression := strings.CutPrefix(text, "<%=")
	expression, _, _ = strings.Cut(expression, "%>")
	name, isVariable := strings.CutPrefix(strings.TrimSpace(expression), "$")
	if begin, ok := given.GetString(name); isExpression && isVariable && ok {
		return []pcore.Value{begin, given}
	}
	return args
}

// A byte of a byte string that is not ASCII is a private character during a call that treats
// texts by characters. It is no part of another character, has no case, and shows that a
// result is a byte string. Where the length does not matter, beginMark shows this, too.
const (
	beginMark = '\uF6FF'
	firstMark = '\uF700'
	lastMark  = '\uF7FF'
)

func isMark(r rune) bool { return beginMark <= r && r <= lastMark }

func mark(b pcore.Binary) string {
	raw := b.Raw()
	var text strings.Builder
	for i := range len(raw) {
		if c := raw[i]; c < utf8.RuneSelf {
			text.WriteByte(c)
		} else {
			text.WriteRune(firstMark + rune(c))
		}
	}
	return text.String()
}

// unmark returns the bytes that a text with marks is made of. mixed reports whether it has
// other characters beyond ASCII.
func unmark(text string) (raw string, mixed bool) {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c == beginMark:
		case isMark(c):
			b.WriteByte(byte(c))
		default:
			b.WriteRune(c)
			mixed = mixed || c >= utf8.RuneSelf
		}
	}
	return b.String(), mixed
}

// byteCall is a call with byte strings among its arguments.
type byteCall struct {
	flow   flow
	about  []pcore.Value // the arguments that flow is about
	marked bool
	equal  map[string][]bool    // for the texts in the arguments: whether each that is equal is a byte string
	hashes map[*pcore.Hash]bool // the hashes in the arguments
}

// errEncodings is Ruby's reason for refusing to put texts together.
var errEncodings = errors.New("incompatible character encodings: ASCII-8BIT and UTF-8")

// byteCallOf returns the call, and its arguments with Strings for byte strings. It returns nil
// if the arguments contain no Binary.
func (r *worker) byteCallOf(name string, args []pcore.Value) (*byteCall, []pcore.Value) {
	if !slices.ContainsFunc(args, holdsBinary) {
		return nil, args
	}
	c := &byteCall{equal: make(map[string][]bool), hashes: make(map[*pcore.Hash]bool)}
	c.flow, c.about = r.flowOf(name, args)
	switch c.flow {
	case moved, converted, joined, shown, typed:
		c.marked = !slices.ContainsFunc(args, holdsMark)
	default: // they compare, or read the bytes themselves
	}
	texts := make([]pcore.Value, len(args))
	for i, v := range args {
		if _, ok := v.(pcore.Binary); ok || c.flow != moved {
			v = rewritten(v, c.text)
		}
		texts[i] = v
	}
	c.remember()
	return c, texts
}

func (c *byteCall) text(v pcore.Value) pcore.Value {
	b, ok := v.(pcore.Binary)
	switch {
	case !ok:
		return v
	case c.marked && c.flow == typed:
		return pcore.String(string(beginMark) + mark(b))
	case c.marked:
		return pcore.String(mark(b))
	default:
		return pcore.String(b.Raw())
	}
}

// holdsBinary reports whether v contains a Binary, also in a key, but not in an
// Object.
func holdsBinary(v pcore.Value) bool {
	return pcore.Search(v, func(v pcore.Value) (found, inside bool) {
		return pcore.Is[pcore.Binary](v), !pcore.Is[*pcore.Object](v)
	})
}

func holdsMark(v pcore.Value) bool {
	return pcore.Search(v, func(v pcore.Value) (found, inside bool) {
		s, ok := v.(pcore.String)
		return ok && strings.ContainsFunc(string(s), isMark), true
	})
}

// remember notes the texts in the arguments that the result can contain. A text that is an
// argument itself is often only an option.
func (c *byteCall) remember() {
	var keys []string
	for _, v := range c.about {
		_ = pcore.Walk(v, func(at *pcore.Cursor) error {
			inside := at.Depth() > 0 || c.flow == chosen || c.flow == moved
			switch v := at.Value().(type) {
			case *pcore.Object:
				return pcore.SkipChildren
			case *pcore.Hash:
				c.hashes[v] = true
			case pcore.String:
				if at.IsKey() {
					keys = append(keys, string(v))
				} else if inside {
					c.equal[string(v)] = append(c.equal[string(v)], false)
				}
			case pcore.Binary:
				// The others are in the arguments as they are.
				if inside && (c.flow != moved || at.Depth() == 0) {
					text := string(c.text(v).(pcore.String)) //nolint:forcetypeassert // of this kind
					c.equal[text] = append(c.equal[text], true)
				}
			default: // no text
			}
			return nil
		})
	}
	for _, key := range keys {
		if len(c.equal[key]) == 0 {
			c.equal[key] = []bool{false}
		}
	}
}

// result returns the result of the call with a Binary for each text that is a byte string.
func (c *byteCall) result(v pcore.Value) (pcore.Value, error) {
	if pcore.Is[*pcore.Object](v) {
		return v, nil
	}
	if c.flow == converted {
		v = c.like(v, first(c.about))
	}
	return pcore.Rewrite(v, func(at *pcore.Cursor) (pcore.Value, error) {
		switch v := at.Value().(type) {
		case pcore.String:
			return c.restored(string(v), at.IsKey())
		case pcore.Type:
			if c.marked {
				return restoredType(v), nil
			}
		case *pcore.Hash:
			if c.flow == moved && !c.hashes[v] {
				return textKeys(v), nil
			}
		default: // no text
		}
		return at.Value(), nil
	})
}

// textKeys returns a hash that a call made. If all keys are texts, it is data, in which those of
// an encoding are not distinguished. A Binary is a byte string here: a Binary as a key of an
// argument stays one, since an agent does not make byte strings of keys.
func textKeys(h *pcore.Hash) *pcore.Hash {
	b := pcore.NewHashBuilder(h.Len())
	for k, v := range h.All() {
		switch key := k.(type) {
		case pcore.String:
		case pcore.Binary:
			if utf8.ValidString(key.Raw()) {
				k = pcore.String(key.Raw())
			}
		default:
			return h
		}
		b.Set(k, v)
	}
	return b.Hash()
}

// restored returns a text of the result as a Binary if it is a byte string.
func (c *byteCall) restored(text string, isKey bool) (pcore.Value, error) {
	if c.marked && strings.ContainsFunc(text, isMark) {
		if c.flow == shown {
			return pcore.String(asLatin1(text)), nil
		}
		raw, mixed := unmark(text)
		if mixed {
			return nil, errEncodings
		}
		return pcore.NewBinaryString(raw), nil
	}
	if isKey || !c.isBytes(text) {
		return pcore.String(text), nil
	}
	return pcore.NewBinaryString(text), nil
}

// restoredType returns a type with the marked texts in it as byte strings, or as texts where
// types have only those.
func restoredType(t pcore.Type) pcore.Type {
	name, attributes, err := pcore.MetaOf(t)
	if err != nil {
		return t // refers to itself, so it is not the type of a value
	}
	for _, restored := range []func(raw string) pcore.Value{
		func(raw string) pcore.Value { return pcore.NewBinaryString(raw) },
		func(raw string) pcore.Value { return pcore.String(raw) },
	} {
		changed, err := pcore.Rewrite(attributes, func(at *pcore.Cursor) (pcore.Value, error) {
			switch v := at.Value().(type) {
			case pcore.Type:
				return restoredType(v), nil
			case pcore.String:
				if strings.ContainsFunc(string(v), isMark) {
					raw, _ := unmark(string(v))
					return restored(raw), nil
				}
			default: // no text
			}
			return at.Value(), nil
		})
		to, ok := changed.(*pcore.Hash)
		if err != nil || !ok || to == attributes {
			return t
		}
		v, err := pcore.FromMeta(name, to)
		if restored, ok := v.(pcore.Type); ok && err == nil {
			return restored
		}
	}
	return t
}

// asLatin1 returns a text with marks as the notation of Puppet has it: of a byte string, it
// takes each byte for a code point.
func asLatin1(text string) string {
	return strings.Map(func(r rune) rune {
		if isMark(r) {
			return r - firstMark
		}
		return r
	}, text)
}

// isBytes reports whether a text of the result is a byte string.
func (c *byteCall) isBytes(text string) bool {
	switch {
	case !utf8.ValidString(text):
		return true
	case c.marked && !isASCII(text):
		return false
	case c.flow == own, c.flow == converted, c.flow == shown:
		return false
	case c.flow != joined && len(c.equal[text]) > 0:
		// Of equal texts, the result has them in the order of the arguments.
		equal := c.equal[text]
		if len(equal) > 1 {
			c.equal[text] = equal[1:]
		}
		return equal[0]
	}
	return c.beginsWithBytes()
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// like returns v, the conversion of source, with the texts that were converted from a Binary as
// Binary values.
func (c *byteCall) like(v, source pcore.Value) pcore.Value {
	switch from := source.(type) {
	case pcore.Binary:
		return rewritten(v, func(v pcore.Value) pcore.Value {
			if s, ok := v.(pcore.String); ok && (!c.marked || isASCII(string(s))) {
				return pcore.NewBinaryString(string(s))
			}
			return v
		})
	case *pcore.Sensitive:
		return c.like(v, from.Reveal()) //nolint:forbidigo // only its encoding is used
	case *pcore.Array:
		if to, ok := v.(*pcore.Array); ok && to.Len() == from.Len() {
			all := make([]pcore.Value, to.Len())
			for i := range all {
				all[i] = c.like(to.At(i), from.At(i))
			}
			return pcore.NewArray(all...)
		}
	case *pcore.Hash:
		if to, ok := v.(*pcore.Hash); ok && to.Len() == from.Len() {
			sources := slices.Collect(from.Values())
			b := pcore.NewHashBuilder(to.Len())
			for k, v := range to.All() {
				b.Set(k, c.like(v, sources[b.Len()]))
			}
			return b.Hash()
		}
	default: // no byte string
	}
	return v
}

// rewritten returns v with f applied to the values in it, except for keys and
// the contents of Objects.
func rewritten(v pcore.Value, f func(pcore.Value) pcore.Value) pcore.Value {
	if pcore.Is[*pcore.Object](v) {
		return v
	}
	to, err := pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) {
		if c.IsKey() {
			return c.Value(), nil
		}
		return f(c.Value()), nil
	})
	if err != nil {
		return v // unreachable: f returns no error
	}
	return to
}

// beginsWithBytes reports whether the first text in the arguments is a byte string. It
// determines the encoding of texts in ASCII that are put together.
func (c *byteCall) beginsWithBytes() bool {
	var first pcore.Value
	for _, v := range c.about {
		_ = pcore.Walk(v, func(c *pcore.Cursor) error {
			v := c.Value()
			if first == nil && !c.IsKey() && (pcore.Is[pcore.String](v) || pcore.Is[pcore.Binary](v)) {
				first = v
			}
			if first != nil || pcore.Is[*pcore.Object](v) {
				return pcore.SkipChildren
			}
			return nil
		})
	}
	return first != nil && pcore.Is[pcore.Binary](first)
}
