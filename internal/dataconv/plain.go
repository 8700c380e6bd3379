package dataconv

import (
	"fmt"
	"strconv"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/internal/ruby/rubytext"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// plainText returns the text of a value that is not plain data, in the plain
// and the stringified format.
func (e *Emitter) plainText(v pcore.Value) (string, error) {
	switch v := v.(type) {
	case pcore.Default:
		return "default", nil
	case *pcore.Regexp:
		return v.String(), nil // with slashes
	case *pcore.Deferred, *pcore.Object:
		return pcore.FormatObject(v), nil
	case pcore.Type:
		return e.typeText(v), nil
	default:
		if _, text, ok := scalarText(v); ok {
			return text, nil
		}
		return "", e.fail(fmt.Errorf("%w: %s %s", serialization.ErrUnsupported, article(v), pcore.KindOf(v)))
	}
}

// typeText returns the text of a type. An alias is expanded. An Object type is
// its name in the stringified format and its whole definition in the plain format.
// Types inside another type are written by name.
func (e *Emitter) typeText(t pcore.Type) string {
	switch t.(type) {
	case *pcore.ObjectType:
		if e.mode == Stringified {
			return pcore.TypeName(t)
		}
	case *pcore.TypeAliasType:
	default:
		return t.String()
	}
	return pcore.FormatType(t, pcore.TypeExpanded)
}

// isNameless reports whether v is an Object type without a name, which has no
// text in the stringified format.
func isNameless(v pcore.Value) bool {
	t, ok := v.(*pcore.ObjectType)
	return ok && t.Name() == (&pcore.ObjectType{}).Name()
}

// secretText returns the replacement of a Sensitive in the stringified format.
// The reference includes the id of the Ruby object, which keeps several of them
// distinct as keys of a hash; this implementation uses a counter.
func (e *Emitter) secretText() string {
	e.secrets++
	return "#<" + pcore.RedactedText + ":" + strconv.Itoa(e.secrets) + ">"
}

// plainHash writes a Hash with every key as text. If several keys have the same
// text, the last value is kept.
func (e *Emitter) plainHash(v *pcore.Hash) error {
	if e.keepsKeys(v) {
		return e.entries(v)
	}
	reserved := func(key pcore.Value) bool {
		return e.mode == Stringified && (key == pcore.String(TypeKey) || key == pcore.String(ValueKey))
	}
	plain := pcore.NewHashBuilder(v.Len())
	for k, elem := range v.All() {
		key, ok := k.(pcore.String)
		if !ok {
			text, err := e.keyText(k)
			if err != nil {
				return err
			}
			key = pcore.String(text)
		}
		if reserved(key) {
			key = "reserved key: " + key
		}
		if e.opts.OnLoss != nil {
			e.loseKey(plain, k, key)
		}
		plain.Set(key, elem)
	}
	h := plain.Hash()
	if typ, ok := h.GetString(TypeKey); ok && isTypeKey(typ) {
		codec.Lose(&e.opts, e.path, serialization.LostMeaning, v, v)
	}
	return e.entries(h)
}

// keepsKeys reports whether plainHash changes no key of v, and loses nothing.
func (e *Emitter) keepsKeys(v *pcore.Hash) bool {
	if !v.HasPlainKeys() {
		return false
	}
	if e.mode != Stringified {
		return true
	}
	_, reserved := v.GetString(ValueKey)
	return !reserved
}

// loseKey reports the losses of writing key for k: the original key, and an
// entry that already has that key.
func (e *Emitter) loseKey(plain *pcore.HashBuilder, k pcore.Value, key pcore.String) {
	path := append(e.path, pcore.Step{Kind: pcore.StepKey, Key: k})
	if k != pcore.Value(key) {
		codec.Lose(&e.opts, path, serialization.LostKey, k, key)
	}
	if earlier, ok := plain.Get(key); ok {
		path[len(path)-1] = pcore.Step{Kind: pcore.StepEntry, Key: key}
		codec.Lose(&e.opts, path, serialization.LostEntry, earlier, nil)
	}
}

// keyText returns the text of a key that is not a String, like Ruby's to_s.
func (e *Emitter) keyText(key pcore.Value) (string, error) {
	switch key := key.(type) {
	case pcore.Undef:
		return "", nil
	case pcore.Boolean, pcore.Integer, pcore.BigInteger, pcore.Float:
		return key.String(), nil
	case *pcore.Array, *pcore.Hash:
		return rubytext.Inspect(key), nil
	case *pcore.Sensitive:
		if e.mode == Stringified {
			return e.secretText(), nil
		}
		return pcore.RedactedText, nil
	default:
		return e.plainText(key)
	}
}
