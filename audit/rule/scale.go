package rule

import (
	"errors"
	"fmt"
)

// Class tells what a finding is about.
type Class uint8

// The classes.
const (
	// Leak is a secret that stands in clear where nothing protects it.
	Leak Class = iota
	// Policy is a practice that makes leaks likely, without one being there.
	Policy
)

// String returns "leak" or "policy".
func (c Class) String() string { return [...]string{"leak", "policy"}[c&1] }

// Severity tells how bad a finding is. The zero value is [Info].
type Severity uint8

// The severities, in rising order.
const (
	Info Severity = iota
	Low
	Medium
	High
	Critical
)

var severities = [...]string{"info", "low", "medium", "high", "critical"}

// String returns the name of the severity, in lower case.
func (s Severity) String() string { return severities[min(int(s), len(severities)-1)] }

// MarshalText returns the name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ErrSeverity tells that a text names no severity.
var ErrSeverity = errors.New("unknown severity; use one of info, low, medium, high, critical")

// ParseSeverity returns the severity of that name. The error is [ErrSeverity].
func ParseSeverity(name string) (Severity, error) {
	for i, s := range severities {
		if s == name {
			return Severity(i), nil
		}
	}
	return 0, fmt.Errorf("%q: %w", name, ErrSeverity)
}

// UnmarshalText reads a name.
func (s *Severity) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSeverity(string(text))
	return err
}

// Confidence tells how sure a finding is. The zero value is [Possible].
type Confidence uint8

// The confidences, in rising order.
const (
	// Possible rests on a name or a shape that harmless values have, too.
	Possible Confidence = iota
	// Likely rests on a name and a value that fit each other.
	Likely
	// Certain rests on a check: a checksum, a structure that parses, or a
	// value that is declared a secret elsewhere.
	Certain
)

// String returns the name of the confidence: "low", "medium" or "high".
func (c Confidence) String() string { return [...]string{"low", "medium", "high"}[min(c, Certain)] }

// MarshalText returns the name.
func (c Confidence) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
