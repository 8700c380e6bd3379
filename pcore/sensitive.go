package pcore

import (
	"fmt"
	"log/slog"
)

// RedactedText is what stands in place of a secret wherever a [Sensitive] is
// printed. It is the reference's text, too.
const RedactedText = "Sensitive [value redacted]"

// Sensitive wraps a value that must not be seen. Printing it, by any verb of
// fmt, by log/slog, encoding/json or as text, directly or inside another
// value, gives [RedactedText]. The zero value wraps undef.
type Sensitive struct {
	// A closure: not even reflection on an unexported field sees behind it.
	reveal func() Value
}

// NewSensitive returns v as a secret.
func NewSensitive(v Value) *Sensitive {
	return &Sensitive{func() Value { return v }}
}

// Reveal returns the secret. It is the only way to it, so that each place that
// looks at a secret can be found by this name.
func (v *Sensitive) Reveal() Value {
	if v == nil || v.reveal == nil {
		return Undef{}
	}
	return v.reveal()
}

// Kind returns KindSensitive.
func (*Sensitive) Kind() Kind { return KindSensitive }

// String returns RedactedText.
func (*Sensitive) String() string { return RedactedText }

// GoString returns RedactedText.
func (*Sensitive) GoString() string { return RedactedText }

// Format writes RedactedText, whatever the verb.
func (*Sensitive) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(RedactedText)) }

// MarshalText returns RedactedText.
func (*Sensitive) MarshalText() ([]byte, error) { return []byte(RedactedText), nil }

// MarshalJSON returns RedactedText as a JSON string.
func (*Sensitive) MarshalJSON() ([]byte, error) { return []byte(`"` + RedactedText + `"`), nil }

// LogValue returns RedactedText.
func (*Sensitive) LogValue() slog.Value { return slog.StringValue(RedactedText) }

func (*Sensitive) value() {}
