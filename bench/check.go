package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/vmihailenco/msgpack/v5"
)

var errOther = errors.New("gives other data")

// compare compares output in the same format; read decodes it to comparable data.
func compare(want, got []byte, read func([]byte) (any, error)) (exact, error) {
	if bytes.Equal(want, got) {
		return sameBytes, nil
	}
	w, err := read(want)
	if err != nil {
		return "", err
	}
	g, err := read(got)
	if err != nil {
		return "", err
	}
	return sameData, compareData(w, g)
}

func compareData(want, got any) error {
	if !reflect.DeepEqual(want, got) {
		return errOther
	}
	return nil
}

// readJSON and readMsgPack decode like the standard library: numbers are floats,
// and maps are unordered.
func readJSON(data []byte) (any, error) {
	var v any
	err := json.Unmarshal(data, &v)
	return v, err
}

func readMsgPack(data []byte) (any, error) {
	var v any
	err := msgpack.Unmarshal(data, &v)
	return asJSON(v), err
}

// asJSON converts all numbers to floats, in place.
func asJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = asJSON(x)
		}
		return v
	case []any:
		for i, x := range v {
			v[i] = asJSON(x)
		}
		return v
	case nil, bool, string, float64:
		return v
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return fmt.Sprint(err)
		}
		return f
	}
	r := reflect.ValueOf(v)
	switch {
	case r.CanInt():
		return float64(r.Int())
	case r.CanUint():
		return float64(r.Uint())
	case r.CanFloat():
		return r.Float()
	}
	return v
}
