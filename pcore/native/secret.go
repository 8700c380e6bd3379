package native

import (
	"fmt"
	"log/slog"
	"reflect"

	"github.com/pcatdev/pcat/pcore"
)

// Secret is a Go value that is Sensitive in Puppet. Printing it, directly or
// inside another value, with any verb of fmt, with log/slog, with encoding/json
// or as text, writes [pcore.RedactedText]. The zero value is the secret zero
// value of T. A Secret is safe for concurrent use if T is.
type Secret[T any] struct {
	// A closure hides the value even from reflection on unexported fields.
	reveal func() T
}

// NewSecret returns v as a secret.
func NewSecret[T any](v T) Secret[T] { return Secret[T]{func() T { return v }} }

// Reveal returns the secret. There is no other access, so that all code that
// reads secrets can be found by this name.
func (s Secret[T]) Reveal() T {
	if s.reveal == nil {
		var zero T
		return zero
	}
	return s.reveal()
}

// Equal reports whether both secrets are deeply equal.
func (s Secret[T]) Equal(t Secret[T]) bool { return reflect.DeepEqual(s.Reveal(), t.Reveal()) } //nolint:forbidigo // only a Boolean is returned

// IsZero reports whether s is the zero value, which NewSecret never returns.
func (s Secret[T]) IsZero() bool { return s.reveal == nil }

// String returns pcore.RedactedText.
func (Secret[T]) String() string { return pcore.RedactedText }

// GoString returns pcore.RedactedText.
func (Secret[T]) GoString() string { return pcore.RedactedText }

// Format writes pcore.RedactedText for every verb.
func (Secret[T]) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(pcore.RedactedText)) }

// MarshalText returns pcore.RedactedText.
func (Secret[T]) MarshalText() ([]byte, error) { return []byte(pcore.RedactedText), nil }

// MarshalJSON returns pcore.RedactedText as a JSON string.
func (Secret[T]) MarshalJSON() ([]byte, error) { return []byte(`"` + pcore.RedactedText + `"`), nil }

// LogValue returns pcore.RedactedText.
func (Secret[T]) LogValue() slog.Value { return slog.StringValue(pcore.RedactedText) }

// sealed is implemented by each Secret[T].
type sealed interface {
	contentType() reflect.Type
	content() reflect.Value
}

// sealer is implemented by each *Secret[T].
type sealer interface{ seal(v reflect.Value) }

func (Secret[T]) contentType() reflect.Type { return reflect.TypeFor[T]() }

// content returns the secret as an addressable value.
func (s Secret[T]) content() reflect.Value {
	v := s.Reveal() //nolint:forbidigo // Marshal puts it into a Sensitive
	return reflect.ValueOf(&v).Elem()
}

func (s *Secret[T]) seal(v reflect.Value) { *s = NewSecret(*v.Addr().Interface().(*T)) }

// secretPlan converts a Secret.
type secretPlan struct {
	goType, content reflect.Type
	plan            plan
}

func (p *secretPlan) marshal(e *encoder, v reflect.Value) (pcore.Value, error) {
	content, err := p.plan.marshal(e, v.Interface().(sealed).content())
	if err != nil {
		return nil, &Error{Err: fmt.Errorf("the content of the %s cannot be converted", p.goType)}
	}
	return pcore.NewSensitive(content), nil
}

func (p *secretPlan) unmarshal(d *decoder, v pcore.Value, dst reflect.Value) error {
	if s, ok := v.(*pcore.Sensitive); ok {
		v = s.Reveal() //nolint:forbidigo // it goes into a Secret
	}
	content := reflect.New(p.content).Elem()
	if err := p.plan.unmarshal(d, v, content); err != nil {
		return &Error{Err: fmt.Errorf("the content does not fit %s", p.goType)}
	}
	dst.Addr().Interface().(sealer).seal(content)
	return nil
}

func (p *secretPlan) describe(t *typer) (pcore.Type, error) {
	elem, err := t.of(p.content, p.plan)
	if err != nil {
		return nil, err
	}
	return pcore.NewSensitiveType(elem), nil
}
