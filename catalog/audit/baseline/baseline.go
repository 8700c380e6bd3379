// Package baseline remembers findings that are known, so that a run tells only
// about new ones.
//
// A baseline is a file of JSON, one object a line: the first says which key the
// fingerprints were made with, without telling the key, the others are
// fingerprints, sorted. It holds no secret, nothing that a secret can be
// guessed by without the key, and merges line by line.
package baseline

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

	"github.com/pcatdev/pcat/catalog/audit"
)

var (
	// ErrKey tells that a baseline was made with another key, so that nothing
	// in it can be compared, or that no key was given.
	ErrKey = errors.New("the baseline needs the key that it was made with")
	// ErrSyntax tells that a file is no baseline.
	ErrSyntax = errors.New("not a baseline")
)

// version is that of the fingerprints.
const version = 1

type line struct {
	Baseline    int    `json:"baseline,omitempty"`
	Key         string `json:"key,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
}

// Baseline is a set of fingerprints. Make one with [New] or [Read].
type Baseline struct{ known map[string]bool }

// New returns the baseline of the findings of a report.
func New(r *audit.Report) *Baseline {
	b := &Baseline{map[string]bool{}}
	for i := range r.Findings {
		b.known[r.Findings[i].Fingerprint] = true
	}
	return b
}

// Read reads a baseline that was made with key. The error matches [ErrKey] or
// [ErrSyntax], or is that of r.
func Read(r io.Reader, key []byte) (*Baseline, error) {
	b := &Baseline{map[string]bool{}}
	s := bufio.NewScanner(r)
	for n := 1; s.Scan(); n++ {
		text := bytes.TrimSpace(s.Bytes())
		if len(text) == 0 {
			continue
		}
		var l line
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&l); err != nil {
			return nil, fmt.Errorf("%w: line %d: %v", ErrSyntax, n, err) //nolint:errorlint // the text is enough
		}
		switch {
		case n == 1 && l.Baseline != version:
			return nil, fmt.Errorf("%w: line 1 does not say so, or is of another version", ErrSyntax)
		case n == 1 && (len(key) == 0 || !hmac.Equal([]byte(l.Key), []byte(check(key)))):
			return nil, ErrKey
		case n > 1 && l.Fingerprint == "":
			return nil, fmt.Errorf("%w: line %d has no fingerprint", ErrSyntax, n)
		case n > 1:
			b.known[l.Fingerprint] = true
		}
	}
	return b, s.Err()
}

// check returns what tells a key from others and does not tell the key.
func check(key []byte) string {
	m := hmac.New(sha256.New, key)
	_, _ = m.Write([]byte("pcat audit baseline v1"))
	return hex.EncodeToString(m.Sum(nil)[:8])
}

// Write writes the baseline. Without a key, the error is [ErrKey]: fingerprints
// of a random key are of no use later.
func (b *Baseline) Write(w io.Writer, key []byte) error {
	if len(key) == 0 {
		return ErrKey
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	if err := e.Encode(line{Baseline: version, Key: check(key)}); err != nil {
		return err
	}
	for _, f := range slices.Sorted(maps.Keys(b.known)) {
		if err := e.Encode(line{Fingerprint: f}); err != nil {
			return err
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// Len returns the number of fingerprints.
func (b *Baseline) Len() int { return len(b.known) }

// Apply takes the findings out of a report that are known, and returns them. It
// tells how many of the baseline were not found any more.
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
