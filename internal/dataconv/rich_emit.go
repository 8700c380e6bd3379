package dataconv

import (
	"fmt"

	"github.com/pcatdev/pcat/internal/codec"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// rich writes a value that is not plain data as a map with a `__ptype`.
func (e *Emitter) rich(v pcore.Value) error {
	switch v := v.(type) {
	case pcore.Default:
		e.beginTyped("Default", 0)
		e.sink.EndMap()
		return nil
	case *pcore.Deferred:
		return e.once(v, func() error { return e.deferred(v) })
	case *pcore.Object:
		return e.once(v, func() error { return e.object(v) })
	case pcore.Type:
		return e.once(v, func() error { return e.typ(v) })
	default:
		return e.scalar(v)
	}
}

func (e *Emitter) scalar(v pcore.Value) error {
	name, text, ok := scalarText(v)
	if !ok {
		return e.fail(fmt.Errorf("%w: %s %s", serialization.ErrUnsupported, article(v), pcore.KindOf(v)))
	}
	e.beginTyped(name, 1)
	e.sink.Key(ValueKey)
	if err := e.text(text); err != nil {
		return err
	}
	e.sink.EndMap()
	return nil
}

// scalarText returns the `__ptype` and `__pvalue` of a value with a text.
func scalarText(v pcore.Value) (name, text string, ok bool) {
	switch v := v.(type) {
	case pcore.Symbol:
		text = string(v)
	case pcore.Binary:
		text = v.Base64()
	case pcore.Timestamp:
		text = v.Text()
	case pcore.Timespan:
		text = v.Text()
	case *pcore.SemVer:
		text = v.Text()
	case *pcore.SemVerRange:
		text = v.Text()
	case *pcore.Regexp:
		text = v.Source()
	case *pcore.URI:
		text = v.Text()
	default:
		return "", "", false
	}
	return pcore.KindOf(v).String(), text, true
}

// sensitive writes a secret according to the options.
func (e *Emitter) sensitive(v *pcore.Sensitive) error {
	switch {
	case e.mode == Stringified:
		text := e.secretText()
		codec.Lose(&e.opts, e.path, serialization.LostValue, v, pcore.String(text))
		e.sink.String(text)
		return nil
	case e.opts.Secrets == serialization.RedactSecrets:
		e.sink.String(pcore.RedactedText)
		return nil
	case e.opts.Secrets != serialization.PlainSecrets:
		return e.fail(serialization.ErrSecret)
	}
	e.beginTyped("Sensitive", 1)
	e.sink.Key(ValueKey)
	secret := v.Reveal() //nolint:forbidigo // the options ask for secrets in clear
	if err := e.within(pcore.Step{Kind: pcore.StepSecret}, secret); err != nil {
		return err
	}
	e.sink.EndMap()
	return nil
}

func (e *Emitter) deferred(v *pcore.Deferred) error {
	args := v.Arguments()
	if args == nil {
		e.beginTyped("Deferred", 1)
	} else {
		e.beginTyped("Deferred", 2)
	}
	e.sink.Key("name")
	if err := e.text(v.Name()); err != nil {
		return err
	}
	if args != nil {
		e.sink.Key("arguments")
		e.sink.BeginArray(args.Len())
		for i, arg := range args.All() {
			if err := e.within(pcore.Step{Kind: pcore.StepArgument, Index: i}, arg); err != nil {
				return err
			}
		}
		e.sink.EndArray()
	}
	e.sink.EndMap()
	return nil
}

func (e *Emitter) object(v *pcore.Object) error {
	return e.attributes(v.TypeName(), v.Arguments())
}

// typ writes a type as an instance of its meta type.
func (e *Emitter) typ(t pcore.Type) error {
	name, attributes, err := pcore.MetaOf(t)
	if err != nil {
		return e.fail(fmt.Errorf("%w: %w", serialization.ErrUnsupported, err))
	}
	if e.opts.OnLoss != nil && LosesParameter(t) {
		codec.Lose(&e.opts, e.path, serialization.LostType, t, pcore.String(pcore.TypeName(t)))
	}
	return e.attributes(name, attributes)
}

func (e *Emitter) attributes(name string, attributes *pcore.Hash) error {
	e.beginTyped(name, attributes.Len())
	for i := range attributes.Len() {
		entry := attributes.At(i)
		key, ok := entry.Key.(pcore.String)
		if !ok {
			return e.fail(fmt.Errorf("%w: an attribute name is not a String", serialization.ErrUnsupported))
		}
		if err := e.member(string(key), pcore.Step{Kind: pcore.StepAttribute, Index: i, Key: entry.Key}, entry.Value); err != nil {
			return err
		}
	}
	e.sink.EndMap()
	return nil
}

// LosesParameter reports whether t has a parameter without an attribute in rich
// data: the reference writes Boolean[true] as Boolean, and Sensitive[T] as
// Sensitive.
func LosesParameter(t pcore.Type) bool {
	switch t := t.(type) {
	case *pcore.BooleanType:
		return !pcore.EqualTypes(t, &pcore.BooleanType{})
	case *pcore.SensitiveType:
		return !pcore.EqualTypes(t, &pcore.SensitiveType{})
	default:
		return false
	}
}
