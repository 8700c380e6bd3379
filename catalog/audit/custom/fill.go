package custom

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"

	"github.com/pcatdev/pcat/pcore"
)

// fill sets a variable to a value that a file has at path. A struct takes a
// table, and each of its fields the key of that name in any case. Errors tell
// the path, elements of arrays by their position from 0.
//
// The decoder of the TOML library does so, too, but compares each key with all
// that it knows already: a file of 200 KB kept it busy for half a minute.
func fill(into reflect.Value, v pcore.Value, path string) error {
	if text, ok := into.Addr().Interface().(encoding.TextUnmarshaler); ok {
		s, _ := v.(pcore.String)
		if err := text.UnmarshalText([]byte(s)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return fill(into.Elem(), v, path)
	case reflect.Struct:
		if h, ok := v.(*pcore.Hash); ok {
			return fillStruct(into, h, path)
		}
	case reflect.Slice:
		if a, ok := v.(*pcore.Array); ok {
			return fillSlice(into, a, path)
		}
	default:
		given := reflect.ValueOf(v)
		if given.Kind() == into.Kind() || given.CanInt() && (into.CanInt() || into.CanFloat()) {
			into.Set(given.Convert(into.Type()))
			return nil
		}
	}
	return fmt.Errorf("%s must be %s", path, map[reflect.Kind]string{
		reflect.Struct:  "a table",
		reflect.Slice:   "an array: […], or [[…]] before each of its tables",
		reflect.String:  "a string",
		reflect.Bool:    "true or false",
		reflect.Int:     "an integer",
		reflect.Float64: "a number",
	}[into.Kind()])
}

func fillStruct(into reflect.Value, h *pcore.Hash, path string) error {
	taken := make(map[string]bool)
	for k, v := range h.All() {
		key := string(k.(pcore.String))
		name := strings.TrimPrefix(path+"."+key, ".")
		field, ok := into.Type().FieldByNameFunc(func(s string) bool { return strings.EqualFold(s, key) })
		if !ok {
			return fmt.Errorf("%s is not known here", name)
		}
		if taken[field.Name] {
			return fmt.Errorf("%s is there twice, in another case", name)
		}
		taken[field.Name] = true
		if err := fill(into.FieldByIndex(field.Index), v, name); err != nil {
			return err
		}
	}
	return nil
}

func fillSlice(into reflect.Value, a *pcore.Array, path string) error {
	into.Set(reflect.MakeSlice(into.Type(), a.Len(), a.Len()))
	for i, v := range a.All() {
		if err := fill(into.Index(i), v, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}
