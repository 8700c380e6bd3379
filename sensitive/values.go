package sensitive

import (
	"encoding/base64"
	"slices"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/secret"
	"github.com/pcatdev/pcat/pcore"
)

// secret returns the replacement of a secret in its own location; nil leaves
// it out.
func (r *stage) secret(secret *pcore.Sensitive, at catalog.Location) (pcore.Value, error) {
	to, err := r.replacementFor(secret, at)
	r.count(secret, to)
	return to, err
}

// count counts a secret in its own location, unless its replacement is the same: that of a
// catalog that was redacted before.
func (r *stage) count(secret *pcore.Sensitive, to pcore.Value) {
	if to == nil || !pcore.Identical(pcore.NewSensitive(to), secret) {
		r.counts.Locations++
	}
}

// replacementFor returns the replacement that the masker makes. Ciphertext is random:
// among very many, one holds a short secret by chance, and is made anew.
func (r *stage) replacementFor(secret *pcore.Sensitive, at catalog.Location) (to pcore.Value, err error) {
	const attempts = 4
	for range attempts {
		to, err = r.masker.Value(secret, at)
		if !r.random || err != nil || r.verify(to, at) == nil {
			break
		}
	}
	return to, err
}

// valueContext is the context of a value that is rewritten.
type valueContext struct {
	catalog.Location
	found locations // in the resource
	// secret returns the replacement of a secret that is the whole value,
	// nil to leave it out.
	secret func(*pcore.Sensitive, catalog.Location) (pcore.Value, error)
}

// value returns v with secrets in their own locations and all copies replaced. It returns
// r.omitted if v itself is removed.
func (r *stage) value(v pcore.Value, at valueContext) (pcore.Value, error) {
	return pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) {
		if c.Secret() {
			return c.Value(), nil // replaced as a whole
		}
		if secret, ok := c.Value().(*pcore.Sensitive); ok {
			return r.nestedSecret(secret, c, at)
		}
		return r.open(c, at)
	})
}

// open returns the replacement of a value that is not Sensitive: one that was found
// to be a secret is replaced as if it were.
func (r *stage) open(c *pcore.Cursor, at valueContext) (pcore.Value, error) {
	v := c.Value()
	if at.found == nil {
		return r.plain(v), nil
	}
	text, ok := textOf(v)
	if !ok {
		return r.plain(v), nil
	}
	here := at.Join(c.Path())
	own, whole := r.ownSpans(at.found[locationName(here.Path)], text)
	switch {
	case whole && c.IsKey():
		marker := r.mark(text)
		r.noteFound(marker)
		return pcore.String(marker), nil
	case whole:
		to, err := r.replaced(pcore.NewSensitive(v), c, at)
		if marker, ok := to.(pcore.String); ok {
			r.noteFound(string(marker))
		}
		return to, err
	}
	return r.plain(v, own...), nil
}

// shaped returns the replacement of a secret where no resource can do
// anything about it: its shape.
func (r *stage) shaped(secret *pcore.Sensitive, _ catalog.Location) (pcore.Value, error) {
	to, err := shape(secret, r.mark)
	r.count(secret, to)
	return to, err
}

// replaced returns the replacement of a secret, or r.omitted.
func (r *stage) replaced(secret *pcore.Sensitive, c *pcore.Cursor, at valueContext) (pcore.Value, error) {
	to, err := at.secret(secret, at.Join(c.Path()))
	if err != nil || to != nil {
		return to, err
	}
	if last, ok := c.Last(); !ok || last.Kind != pcore.StepArgument && last.Kind != pcore.StepAttribute {
		return r.omitted, nil
	}
	return shape(secret, r.mark)
}

// nestedSecret returns the replacement of a Sensitive: one that holds something else, a
// Deferred that gives the secret back, or r.omitted.
func (r *stage) nestedSecret(secret *pcore.Sensitive, c *pcore.Cursor, at valueContext) (pcore.Value, error) {
	at.secret = r.secret
	to, err := r.replaced(secret, c, at)
	if err != nil || to == r.omitted {
		return to, err
	}
	wrapped := pcore.NewSensitive(to)
	if pcore.Identical(wrapped, secret) {
		return secret, nil
	}
	switch to.(type) {
	case *pcore.Sensitive, *pcore.Deferred:
		return to, nil
	default:
	}
	return wrapped, nil
}

func (r *stage) mark(text string) string {
	return r.masker.Text(pcore.NewSensitive(pcore.String(text)))
}

// plain returns the replacement of a value that is not Sensitive, whose parts
// were replaced already. Own are the parts of its text that go in any case.
func (r *stage) plain(v pcore.Value, own ...secret.Span) pcore.Value {
	switch v := v.(type) {
	case pcore.Undef, pcore.Default, pcore.Boolean:
		return v
	case pcore.String:
		return pcore.String(r.copyless(string(v), own...))
	case pcore.Binary:
		return r.withoutCopies(v, own...)
	case pcore.Integer, pcore.BigInteger, pcore.Float:
		if text, ok := textOf(v); ok && (len(own) > 0 || r.numeric) && r.copyless(text, own...) != text {
			return masked(v, nil)
		}
		return v
	case *pcore.Array:
		return r.withoutOmitted(v)
	case *pcore.Hash:
		return r.withoutOmittedEntries(v)
	case *pcore.Deferred:
		if name := r.copyless(v.Name()); name != v.Name() {
			return pcore.NewDeferred(name, v.Arguments())
		}
		return v
	case *pcore.Object:
		return r.object(v)
	default:
		return r.asText(v, own...)
	}
}

// withoutCopies replaces copies in a Binary: in its bytes and in its base64, in which formats
// write it.
func (r *stage) withoutCopies(v pcore.Binary, own ...secret.Span) pcore.Value {
	clean := v.Raw()
	if len(own) > 0 || r.hits([]byte(clean)) {
		clean = r.copyless(clean, own...)
	}
	if r.set.Len() == 0 {
		return pcore.NewBinaryString(clean)
	}
	r.binary = base64.StdEncoding.AppendEncode(r.binary[:0], []byte(clean))
	spans := r.set.Spans(r.binary)
	for _, span := range slices.Backward(spans) {
		const digit, octet = 6, 8 // bits
		start, end := span.Start*digit/octet, min((span.End*digit+octet-1)/octet, len(clean))
		clean = clean[:min(start, len(clean))] + r.mark(string(r.binary[span.Start:span.End])) + clean[end:]
	}
	r.counts.Copies += len(spans)
	if clean == v.Raw() {
		return v
	}
	return pcore.NewBinaryString(clean)
}

// asText replaces copies in the text of a scalar. The result is a String if the new text
// is not valid for the type.
func (r *stage) asText(v pcore.Value, own ...secret.Span) pcore.Value {
	text, ok := textOf(v)
	if !ok {
		text = v.String()
	}
	clean := r.copyless(text, own...)
	if clean == text {
		return v
	}
	switch v.(type) {
	case *pcore.Regexp:
		return pcore.NewRegexp(clean)
	case *pcore.URI:
		if uri, err := pcore.ParseURI(clean); err == nil {
			return uri
		}
	default:
	}
	return pcore.String(clean)
}

func (r *stage) withoutOmitted(v *pcore.Array) pcore.Value {
	left := slices.DeleteFunc(slices.Collect(v.Values()), func(e pcore.Value) bool { return e == r.omitted })
	if len(left) == v.Len() {
		return v
	}
	return pcore.NewArray(left...)
}

func (r *stage) withoutOmittedEntries(v *pcore.Hash) pcore.Value {
	b := pcore.NewHashBuilder(v.Len())
	for k, e := range v.All() {
		if k != r.omitted && e != r.omitted {
			b.Set(k, e)
		}
	}
	if b.Len() == v.Len() {
		return v
	}
	return b.Hash()
}

// object replaces copies in the names of attributes.
func (r *stage) object(v *pcore.Object) pcore.Value {
	b := pcore.NewHashBuilder(v.Attributes().Len())
	changed := false
	for k, e := range v.Attributes().All() {
		if name, ok := k.(pcore.String); ok && r.hits([]byte(name)) {
			k, changed = pcore.String(r.copyless(string(name))), true
		}
		b.Set(k, e)
	}
	if !changed {
		return v
	}
	return pcore.NewObject(v.Type(), b.Hash())
}

// verify returns an error if v still contains a secret.
func (r *stage) verify(v pcore.Value, at catalog.Location) error {
	return pcore.Walk(v, func(c *pcore.Cursor) error {
		text, _ := textOf(c.Value())
		for h := range r.set.Find([]byte(text)) {
			leak := &LeakError{At: r.location(at.Join(c.Path())), Offset: -1}
			leak.of(r.texts[h.Pattern].origin, r.location)
			return leak
		}
		return nil
	})
}
