package rule

import (
	"errors"
	"fmt"
)

// Class is the kind of problem of a finding.
type Class uint8

// The classes.
const (
	// Leak is an unprotected secret in plain text.
	Leak Class = iota
	// Policy is a practice that makes leaks likely.
	Policy
)

// String returns "leak" or "policy".
func (c Class) String() string { return [...]string{"leak", "policy"}[c&1] }

// Severity is the severity of a finding. The zero value is [Info].
type Severity uint8

// The severities, in ascending order.
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

// errSeverity reports a text that names no severity.
var errSeverity = errors.New("unknown severity; use one of info, low, medium, high, critical")

// ParseSeverity returns the severity with the given name. The error lists the
// names.
func ParseSeverity(name string) (Severity, error) {
	for i, s := range severities {
		if s == name {
			return Severity(i), nil
		}
	}
	return 0, fmt.Errorf("%q: %w", name, errSeverity)
}

// UnmarshalText parses the name of a severity.
func (s *Severity) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSeverity(string(text))
	return err
}

// Confidence is the certainty of a finding. The zero value is [Possible].
type Confidence uint8

// The confidences, in ascending order.
const (
	// Possible is based on a name or a format that harmless values also have.
	Possible Confidence = iota
	// Likely is based on a name and a value that fit each other.
	Likely
	// Certain is based on a check: a checksum, a structure that can be parsed,
	// or a value that is a declared secret elsewhere.
	Certain
)

// String returns the name of the confidence: "low", "medium" or "high".
func (c Confidence) String() string { return [...]string{"low", "medium", "high"}[min(c, Certain)] }

// MarshalText returns the name.
func (c Confidence) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
