package config

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/pcatdev/pcat/audit"
)

var (
	// ErrKey reports that a baseline was made with another key and cannot be compared.
	ErrKey = errors.New("wrong key: the baseline was made with another key")
	// ErrNoKey reports that a baseline was made with a key but none was given.
	ErrNoKey = errors.New("missing key: the baseline was made with a key")
	// ErrUnkeyed reports that a baseline was made without a key but one was given.
	ErrUnkeyed = errors.New("unexpected key: the baseline was made without a key")
	// ErrBaseline reports that a file is not a baseline.
	ErrBaseline = errors.New("not a baseline")
)

// version is the version of the fingerprints.
const version = 1

type baselineLine struct {
	Baseline    int    `json:"baseline,omitempty"`
	Key         string `json:"key,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
}

// Baseline is a set of fingerprints of known findings, so a run reports only new
// ones. Use [NewBaseline] or [ReadBaseline] to create one.
//
// A baseline file has one JSON object per line. The first line identifies the key of the
// fingerprints without revealing it, or records that there was none. The other lines are
// the fingerprints, sorted. The file contains no secrets, and without the key no secret
// can be guessed from it. It merges line by line.
//
// Fingerprints without a key identify places: a baseline of them hides a new secret at a
// known place.
type Baseline struct{ known map[string]bool }

// NewBaseline returns the baseline of the findings of a report.
func NewBaseline(r *audit.Report) *Baseline {
	b := &Baseline{map[string]bool{}}
	for i := range r.Findings {
		b.known[r.Findings[i].Fingerprint] = true
	}
	return b
}

// ReadBaseline reads a baseline that was made with key, or without a key if key is empty.
// The error matches [ErrKey], [ErrNoKey], [ErrUnkeyed] or [ErrBaseline], or is an error
// of r.
func ReadBaseline(r io.Reader, key []byte) (*Baseline, error) {
	b := &Baseline{map[string]bool{}}
	s := bufio.NewScanner(r)
	for n := 1; s.Scan(); n++ {
		text := bytes.TrimSpace(s.Bytes())
		if len(text) == 0 {
			continue
		}
		var l baselineLine
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&l); err != nil {
			return nil, fmt.Errorf("%w: line %d: %v", ErrBaseline, n, err) //nolint:errorlint // the text is enough
		}
		if n == 1 {
			if err := l.begins(key); err != nil {
				return nil, err
			}
			continue
		}
		keyed, valid := audit.KeyedFingerprint(l.Fingerprint)
		switch {
		case !valid:
			return nil, fmt.Errorf("%w: line %d has no fingerprint", ErrBaseline, n)
		case keyed != (len(key) > 0):
			return nil, fmt.Errorf("%w: line %d: the file mixes fingerprints made with a key and without; rewrite it", ErrBaseline, n)
		}
		b.known[l.Fingerprint] = true
	}
	return b, s.Err()
}

// begins checks that l is the first line of a baseline made with key.
func (l *baselineLine) begins(key []byte) error {
	switch {
	case l.Baseline != version || l.Key == "":
		return fmt.Errorf("%w: line 1 does not identify a baseline, or has another version", ErrBaseline)
	case len(key) == 0 && l.Key != unkeyed:
		return ErrNoKey
	case len(key) > 0 && l.Key == unkeyed:
		return ErrUnkeyed
	case !hmac.Equal([]byte(l.Key), []byte(check(key))):
		return ErrKey
	}
	return nil
}

// unkeyed is recorded in place of the key check if there is no key.
const unkeyed = "none"

// check returns a text that identifies a key without revealing it.
func check(key []byte) string {
	if len(key) == 0 {
		return unkeyed
	}
	m := hmac.New(sha256.New, key)
	_, _ = m.Write([]byte("pcat audit baseline v1"))
	return hex.EncodeToString(m.Sum(nil)[:8])
}

// Write writes the baseline of a report that was made with key; an empty key means none.
// The error is an error of w.
func (b *Baseline) Write(w io.Writer, key []byte) error {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	if err := e.Encode(baselineLine{Baseline: version, Key: check(key)}); err != nil {
		return err
	}
	for _, f := range slices.Sorted(maps.Keys(b.known)) {
		if err := e.Encode(baselineLine{Fingerprint: f}); err != nil {
			return err
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// Len returns the number of fingerprints.
func (b *Baseline) Len() int { return len(b.known) }

// Apply removes the known findings from a report and returns them. It also
// returns the number of fingerprints in the baseline that were not found.
func (b *Baseline) Apply(r *audit.Report) (known []audit.Finding, gone int) {
	met := map[string]bool{}
	r.Findings = slices.DeleteFunc(r.Findings, func(f audit.Finding) bool {
		if !b.known[f.Fingerprint] {
			return false
		}
		met[f.Fingerprint] = true
		known = append(known, f)
		return true
	})
	r.Accepted += len(known)
	return known, len(b.known) - len(met)
}
