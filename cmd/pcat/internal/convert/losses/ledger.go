// Package losses records the losses when a catalog is written in a format that
// does not support all of its values.
//
// A [Ledger] receives the losses from an encoder. It is also part of the chain
// of transforms, so it knows the current resource. Each loss is an [Entry], a
// line of JSON with the location, the kind of loss and, unless it is secret, the
// value before and after.
package losses

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/internal/terminal"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// Entry is one loss. Secrets in it are masked.
type Entry struct {
	File   string                 `json:"file,omitempty"`
	Format string                 `json:"format"` // the format that does not support the value
	Ref    string                 `json:"ref,omitempty"`
	Path   string                 `json:"path"` // in the resource or, without Ref, in the document
	Lost   serialization.LossKind `json:"lost"`
	Type   string                 `json:"type"` // of the original value: "Timestamp", "My::Car"
	// Before is the original value in the notation of the language. After is
	// the text written instead, or nil. Both are truncated if they are long.
	Before string  `json:"before"`
	After  *string `json:"after,omitempty"`
	Secret bool    `json:"secret,omitempty"`

	at string // the location in text
}

// Ledger writes and counts entries. It is not safe for concurrent use. Use [New]
// to create one.
type Ledger struct {
	out          *json.Encoder // nil to count only
	file, format string
	mask         func() Mask // nil to display locations and values unchanged
	resource     *catalog.Resource
	listed       *catalog.Names // its sensitive parameters, or nil until needed
	first        Entry
	count        int
	counts       map[serialization.LossKind]int
	err          error
}

// New returns a Ledger that writes entries to w. If w is nil, it only counts
// them.
func New(w io.Writer) *Ledger {
	l := &Ledger{}
	if w != nil {
		l.out = json.NewEncoder(terminal.JSONWriter(w))
		l.out.SetEscapeHTML(false)
	}
	return l
}

// Begin starts a new file, which is written in format, and resets the counts.
func (l *Ledger) Begin(file, format string) {
	l.file, l.format, l.resource, l.listed = file, format, nil, nil
	l.first, l.count, l.counts = Entry{}, 0, map[serialization.LossKind]int{}
}

// Mask replaces secrets in entries. A Redactor of package sensitive is one.
type Mask interface {
	catalog.Mask
	Value(v pcore.Value, at catalog.Location) (pcore.Value, error)
}

// Hide sets the mask of the file that begins, which is called when it is needed. Nil, the
// default, displays locations and values unchanged.
func (l *Ledger) Hide(mask func() Mask) { l.mask = mask }

// Resource implements [catalog.Transform] without changing the resource. Add it
// after all transforms that rename resources or parameters.
func (l *Ledger) Resource(_ context.Context, r *catalog.Resource) (*catalog.Resource, error) {
	if r != l.resource {
		l.resource, l.listed = r, nil
	}
	return r, nil
}

// Lost records a loss. Use it as [serialization.EncodeOptions.OnLoss].
func (l *Ledger) Lost(loss serialization.Loss) {
	l.count++
	l.counts[loss.Kind]++
	if l.count > 1 && l.out == nil {
		return // only the location of the first loss is reported
	}
	e := l.entry(loss)
	if l.count == 1 {
		l.first = e
	}
	if l.out != nil && l.err == nil {
		l.err = l.out.Encode(e)
	}
}

func (l *Ledger) entry(loss serialization.Loss) Entry {
	at, secret := l.location(loss.Path)
	shown := at
	if l.mask != nil {
		shown = l.mask().Location(at)
	}
	e := Entry{File: l.file, Format: l.format, Path: shown.Pointer(), at: shown.String(), Lost: loss.Kind, Secret: secret || loss.Secret()}
	if !slices.ContainsFunc(loss.Path, isParameters) { // of another member
		e.Path = catalog.Location{Path: shown.Path}.Pointer()
	}
	if !shown.Ref.IsZero() {
		e.Ref = shown.Ref.String()
	}
	e.Type = typeOf(loss.Before)
	if l.out == nil { // the values are not written
		return e
	}
	if e.Secret {
		e.Before = pcore.RedactedText
		if loss.After != nil {
			masked := pcore.RedactedText
			e.After = &masked
		}
		return e
	}
	e.Before = cut(l.masked(loss.Before, at).String())
	if loss.After != nil {
		text := l.textOf(loss, at)
		e.After = &text
	}
	return e
}

// isParameters reports whether a step leads to the parameters of a resource.
func isParameters(s pcore.Step) bool { return s.Key == pcore.String("parameters") }

// masked returns a value without the secrets that are not Sensitive.
func (l *Ledger) masked(v pcore.Value, at catalog.Location) pcore.Value {
	if l.mask == nil {
		return v
	}
	masked, err := l.mask().Value(v, at)
	if err != nil || masked == nil {
		return pcore.String(pcore.RedactedText)
	}
	return masked
}

// textOf returns the text written for a value. For an object that contains a
// secret, the reference writes the type of the secret, which reveals a regular
// expression.
func (l *Ledger) textOf(loss serialization.Loss, at catalog.Location) string {
	if holdsSecret(loss.Before) {
		return pcore.RedactedText
	}
	after := l.masked(loss.After, at)
	if text, ok := after.(pcore.String); ok {
		return cut(string(text))
	}
	return cut(after.String())
}

func holdsSecret(v pcore.Value) bool {
	found := errors.New("found")
	return pcore.Walk(v, func(c *pcore.Cursor) error {
		if pcore.Is[*pcore.Sensitive](c.Value()) {
			return found
		}
		return nil
	}) != nil
}

// location returns the location of a path from the root of the document. A step
// from a list to a resource leads to the current resource.
func (l *Ledger) location(path pcore.Path) (at catalog.Location, secret bool) {
	inResources := false
	for i, step := range path {
		if step.Kind == pcore.StepEntry {
			inResources = step.Key == pcore.String("resources") || inResources && step.Key == pcore.String("data")
		}
		if step.Kind == pcore.StepIndex && inResources && l.resource != nil {
			if l.listed == nil {
				listed := catalog.NamesOf(l.resource.SensitiveParameters())
				l.listed = &listed
			}
			return l.resource.Ref().Locate(path[i+1:], *l.listed)
		}
	}
	return catalog.Ref{}.Locate(path, catalog.Names{})
}

func typeOf(v pcore.Value) string {
	switch v := v.(type) {
	case *pcore.Object:
		return v.TypeName()
	case pcore.Type:
		return "Type"
	default:
		return pcore.KindOf(v).String()
	}
}

// longest is the maximum size of a displayed value in bytes.
const longest = 1 << 10

func cut(text string) string {
	if len(text) <= longest {
		return text
	}
	end := longest
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// Count returns the number of losses since Begin.
func (l *Ledger) Count() int { return l.count }

// Err returns the first write error.
func (l *Ledger) Err() error { return l.err }

// Summary returns a one-line summary of the losses since Begin with the location
// of the first, or "" if there are none.
func (l *Ledger) Summary() string {
	if l.count == 0 {
		return ""
	}
	var parts []string
	for _, k := range []struct {
		kind      serialization.LossKind
		one, many string
	}{
		{serialization.LostType, "rich value becomes plain text", "rich values become plain text"},
		{serialization.LostValue, "value is replaced", "values are replaced"},
		{serialization.LostKey, "key is replaced", "keys are replaced"},
		{serialization.LostEntry, "hash entry is dropped", "hash entries are dropped"},
		{serialization.LostMeaning, "hash will be read as rich data", "hashes will be read as rich data"},
	} {
		switch n := l.counts[k.kind]; {
		case n == 1:
			parts = append(parts, "1 "+k.one)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, k.many))
		}
	}
	at := l.first.at
	if at == "" {
		at = "the top level"
	}
	return fmt.Sprintf("%s: lossy: %s, first at %s", l.format, strings.Join(parts, ", "), at)
}
