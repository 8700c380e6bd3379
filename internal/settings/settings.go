// Package settings reads the YAML files with which users configure pcat.
//
//	Find    searches for a file in a directory and its parents
//	Decode  reads a file strictly, with readable errors
//	Keys    refuses unknown keys of a value that decodes itself
//	At      adds the line of a value to an error
//	Day     the last day on which an entry counts
//
// Finding and reading a file belongs here; the meaning of its keys belongs to its owner.
package settings

import (
	"bytes"
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/pcatdev/pcat/internal/lazyregexp"
	"github.com/pcatdev/pcat/internal/nearest"
)

// Find searches dir and its parent directories for a regular file with the given
// name and returns its path. If there is none, the error matches [fs.ErrNotExist].
func Find(dir, name string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", fmt.Errorf("%s: %w", name, fs.ErrNotExist)
		}
		dir = above
	}
}

// Decode decodes a document into v, a pointer. An unknown key is an error. Errors
// have the line, and no Go types. An empty document does not change v.
func Decode(data []byte, v any) error {
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(v); err != nil && !errors.Is(err, io.EOF) {
		return errors.New(readable(err))
	}
	return nil
}

// readable returns the text of an error of the decoder without Go types.
func readable(err error) string {
	faults := []string{strings.TrimPrefix(err.Error(), "yaml: ")}
	if several, ok := errors.AsType[*yaml.TypeError](err); ok {
		faults = several.Errors
	}
	for i, text := range faults {
		text = unknownField.Get().ReplaceAllString(text, "unknown key ${1}")
		if m := misfit.Get().FindStringSubmatch(text); m != nil {
			text = m[1] + "unexpected " + cmp.Or(nouns[m[2]], "value") + wanted(m[3])
		}
		faults[i] = text
	}
	return strings.Join(faults, "; ")
}

// The messages of the decoder for an unknown key and for a value of the wrong
// type.
var (
	unknownField = lazyregexp.New(`field (\S+) not found in type .*`)
	misfit       = lazyregexp.New(`(?s)^(.*)cannot unmarshal !(?:!?([^ ]*))(?: ` + "`.*`" + `)? into (.*)$`)
)

// nouns are the names of the values of YAML by their tags.
var nouns = map[string]string{
	"binary": "binary value", "bool": "Boolean", "float": "number", "int": "number", "map": "map", "merge": "merge key",
	"null": "null", "seq": "list", "str": "text", "timestamp": "time",
}

// wanted returns what belongs instead of a value, by the Go type that the decoder
// names; nothing for a type that decodes itself.
func wanted(goType string) string {
	goType = strings.TrimLeft(goType, "*")
	for _, w := range []struct{ prefix, noun string }{
		{"[]", "a list"}, {"map[", "a map"}, {"struct", "a map"}, {"string", "a text"}, {"bool", "true or false"},
		{"int", "an integer"}, {"uint", "an integer"}, {"float", "a number"},
	} {
		if strings.HasPrefix(goType, w.prefix) {
			return ", expected " + w.noun
		}
	}
	return ""
}

// Keys returns an error if n is no map, or has another key than keys, because a mistyped
// entry could allow more than intended. kind names the map in the error, which names the
// nearest key, or all keys. Types with an UnmarshalYAML call it: the decoder does not check their keys.
func Keys(n *yaml.Node, kind string, keys ...string) error {
	if n.Kind != yaml.MappingNode {
		return At(n, fmt.Errorf("%s is a map; its keys are %s", kind, strings.Join(keys, ", ")))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := n.Content[i]; !slices.Contains(keys, key.Value) {
			known := cmp.Or(nearest.DidYouMean(key.Value, slices.Values(keys)), "; its keys are "+strings.Join(keys, ", "))
			return At(key, fmt.Errorf("unknown key %q in %s%s", key.Value, kind, known))
		}
	}
	return nil
}

// At adds the line of n to an error that has no line. It returns nil for nil.
func At(n *yaml.Node, err error) error {
	if _, hasLine := errors.AsType[*yaml.TypeError](err); hasLine || err == nil {
		return err
	}
	return fmt.Errorf("line %d: %w", n.Line, err)
}

// Day is a day, such as the last one on which an entry counts. The zero value is no
// day.
type Day struct{ time.Time }

var _ encoding.TextUnmarshaler = (*Day)(nil)

// UnmarshalText parses a full-date of RFC 3339: 2026-12-31.
func (d *Day) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		return fmt.Errorf("%q is not a date; use the form 2026-12-31", text)
	}
	d.Time = t
	return nil
}

// Passed reports whether the day is over at a time, in the time zone of that time.
// The zero value never is.
func (d Day) Passed(now time.Time) bool {
	return !d.IsZero() && now.Format(time.DateOnly) > d.Format(time.DateOnly)
}
