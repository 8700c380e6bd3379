package auditconfig

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"

	"github.com/pcatdev/pcat/internal/ruby/toml"
	"github.com/pcatdev/pcat/pcore"
)

// filler sets variables from a document.
//
// The decoder of the TOML library could do this, but it compares each key with
// all earlier keys: a file of 200 KB took half a minute.
type filler struct{ *toml.Document }

// fill sets a variable to the value at path. A struct takes a table, whose keys
// are the names of its fields in any case. Errors have the line and the path,
// in which array elements are numbered from 0.
func (f filler) fill(into reflect.Value, v pcore.Value, path pcore.Path) error {
	if text, ok := into.Addr().Interface().(encoding.TextUnmarshaler); ok {
		s, _ := v.(pcore.String)
		if err := text.UnmarshalText([]byte(s)); err != nil {
			return f.refuse(path, ": %w", err)
		}
		return nil
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return f.fill(into.Elem(), v, path)
	case reflect.Struct:
		if h, ok := v.(*pcore.Hash); ok {
			return f.fillStruct(into, h, path)
		}
	case reflect.Slice:
		if a, ok := v.(*pcore.Array); ok {
			return f.fillSlice(into, a, path)
		}
	default:
		given := reflect.ValueOf(v)
		if given.Kind() == into.Kind() || given.CanInt() && (into.CanInt() || into.CanFloat()) {
			into.Set(given.Convert(into.Type()))
			return nil
		}
	}
	return f.refuse(path, " must be %s", map[reflect.Kind]string{
		reflect.Struct:  "a table",
		reflect.Slice:   "an array: […], or [[…]] before each of its tables",
		reflect.String:  "a string",
		reflect.Bool:    "true or false",
		reflect.Int:     "an integer",
		reflect.Float64: "a number",
	}[into.Kind()])
}

func (f filler) fillStruct(into reflect.Value, h *pcore.Hash, path pcore.Path) error {
	taken := make(map[string]bool)
	for k, v := range h.All() {
		key := string(k.(pcore.String))
		path := path.Key(key)
		field, ok := into.Type().FieldByNameFunc(func(s string) bool { return strings.EqualFold(s, key) })
		if !ok {
			return f.refuse(path, " is unknown")
		}
		if taken[field.Name] {
			return f.refuse(path, " is duplicated in another case")
		}
		taken[field.Name] = true
		if err := f.fill(into.FieldByIndex(field.Index), v, path); err != nil {
			return err
		}
	}
	return nil
}

func (f filler) fillSlice(into reflect.Value, a *pcore.Array, path pcore.Path) error {
	into.Set(reflect.MakeSlice(into.Type(), a.Len(), a.Len()))
	for i, v := range a.All() {
		if err := f.fill(into.Index(i), v, path.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// refuse returns an error about the value at path.
func (f filler) refuse(path pcore.Path, format string, args ...any) error {
	return f.at(path, fmt.Errorf("%s%w", dotted(path), fmt.Errorf(format, args...)))
}

// at adds the line of the value at path to an error.
func (f filler) at(path pcore.Path, err error) error {
	if line := f.Line(path); line > 0 {
		return fmt.Errorf("line %d: %w", line, err)
	}
	return err
}

// dotted returns a path in the notation of TOML keys: rules[0].regex.
func dotted(path pcore.Path) string {
	var b strings.Builder
	for _, s := range path {
		if key, ok := s.Key.(pcore.String); ok {
			b.WriteString("." + string(key))
		} else {
			fmt.Fprintf(&b, "[%d]", s.Index)
		}
	}
	return strings.TrimPrefix(b.String(), ".")
}
