package pcore

import (
	"fmt"
	"log/slog"
)

// RedactedText is the text of a [Sensitive] wherever it is printed. The
// reference implementation uses the same text.
const RedactedText = "Sensitive [value redacted]"

// Sensitive wraps a secret value. Printing it, directly or inside another
// value, with any verb of fmt, with log/slog, with encoding/json or as text,
// writes [RedactedText]. The zero value wraps undef.
type Sensitive struct {
	// A closure hides the value even from reflection on unexported fields.
	reveal func() Value
}

// NewSensitive returns v as a secret.
func NewSensitive(v Value) *Sensitive {
	return &Sensitive{func() Value { return v }}
}

// Reveal returns the secret. There is no other access, so that all code that
// reads secrets can be found by this name.
func (v *Sensitive) Reveal() Value {
	if v == nil || v.reveal == nil {
		return Undef{}
	}
	return v.reveal()
}

// kind returns kindSensitive.
func (*Sensitive) kind() Kind { return kindSensitive }

// String returns RedactedText.
func (*Sensitive) String() string { return RedactedText }

// GoString returns RedactedText.
func (*Sensitive) GoString() string { return RedactedText }

// Format writes RedactedText for every verb.
func (*Sensitive) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(RedactedText)) }

// MarshalText returns RedactedText.
func (*Sensitive) MarshalText() ([]byte, error) { return []byte(RedactedText), nil }

// MarshalJSON returns RedactedText as a JSON string.
func (*Sensitive) MarshalJSON() ([]byte, error) { return []byte(`"` + RedactedText + `"`), nil }

// LogValue returns RedactedText.
func (*Sensitive) LogValue() slog.Value { return slog.StringValue(RedactedText) }

func (*Sensitive) value() {}
