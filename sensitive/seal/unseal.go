package seal

import (
	"context"
	"slices"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
)

// call returns the sealed text if v is a call of node_decrypt.
func call(v pcore.Value) (sealed string, ok bool) {
	d, ok := v.(*pcore.Deferred)
	if !ok || d.Name() != Function {
		return "", false
	}
	arguments := d.Arguments()
	if arguments == nil || arguments.Len() != 1 {
		return "", false
	}
	text, ok := arguments.At(0).(pcore.String)
	return string(text), ok && isSealed(string(text))
}

// Value returns v with its node_decrypt calls resolved. Each becomes a Sensitive, or the
// plain text if it is already inside a Sensitive. Text that is not UTF-8 becomes a
// Binary. The error is a *[catalog.Error] with the location in v.
func (o *Opener) Value(v pcore.Value) (pcore.Value, error) {
	return pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) {
		sealed, ok := call(c.Value())
		if !ok {
			return c.Value(), nil
		}
		text, err := o.Open(sealed)
		if err != nil {
			return nil, &catalog.Error{At: catalog.Location{Path: c.Path()}, Offset: -1, Err: err}
		}
		if c.Secret() {
			return valueOf(text), nil
		}
		return pcore.NewSensitive(valueOf(text)), nil
	})
}

func valueOf(text []byte) pcore.Value {
	if utf8.Valid(text) {
		return pcore.String(text)
	}
	return pcore.NewBinary(text)
}

// Function returns the function node_decrypt.
func (o *Opener) Function() function.Function {
	return function.Function{
		Name:   Function,
		Doc:    "Returns the secret in a text that was encrypted for the node, as a Sensitive.",
		Source: "node_encrypt",
		Dispatches: []function.Dispatch{{Text: "String content", Call: func(c *function.Call, args []pcore.Value) (pcore.Value, error) {
			sealed := args[0].(pcore.String)
			const copies = 4 // the bytes of the encoding, of the message and of the secret
			if err := c.Reserve(copies * len(sealed)); err != nil {
				return nil, err
			}
			text, err := o.Open(string(sealed))
			if err != nil {
				return nil, err
			}
			return pcore.NewSensitive(valueOf(text)), nil
		}}},
	}
}

// Resource implements [catalog.Transform]. A parameter that is such a call becomes the
// plain text and is listed in `sensitive_parameters`, as on an agent.
func (o *Opener) Resource(_ context.Context, r *catalog.Resource) (*catalog.Resource, error) {
	parameters, err := r.RawParameters()
	if err != nil {
		return nil, err
	}
	listed := catalog.NamesOf(r.SensitiveParameters())
	var opened []catalog.Member
	var marked []string
	for i := range parameters {
		p := &parameters[i]
		v, err := r.Decode(p)
		if err != nil {
			return nil, err
		}
		isListed := listed.Has(p.Key)
		if isListed {
			v = pcore.NewSensitive(v)
		}
		_, wrapped := v.(*pcore.Sensitive)
		to, err := o.Value(v)
		if err != nil {
			return nil, at(err, r.Ref().Parameter(p.Key))
		}
		if to == v {
			continue
		}
		if secret, ok := to.(*pcore.Sensitive); ok && (isListed || !wrapped) {
			to = secret.Reveal() //nolint:forbidigo // so does a catalog hold a parameter that is listed
			if !isListed {
				marked = append(marked, p.Key)
			}
		}
		if opened == nil {
			opened = slices.Clone(parameters)
		}
		opened[i] = catalog.NewMember(p.Key, to)
	}
	if opened != nil {
		r = r.WithParameters(opened)
	}
	if marked != nil {
		r = r.WithSensitiveParameters(slices.Concat(r.SensitiveParameters(), marked)...)
	}
	return r, nil
}

func at(err error, location catalog.Location) error {
	if e, ok := err.(*catalog.Error); ok { //nolint:errorlint // made by Value
		return &catalog.Error{At: location.Join(e.At.Path), Offset: -1, Err: e.Err}
	}
	return err
}
