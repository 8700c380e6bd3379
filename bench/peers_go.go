package main

import (
	"bytes"
	"encoding/json"

	"github.com/bytedance/sonic"
	"github.com/minio/simdjson-go"
	"github.com/tidwall/gjson"
	"github.com/tinylib/msgp/msgp"
	"github.com/vmihailenco/msgpack/v5"
)

// plainSonic decodes integers as integers, so that MessagePack contains
// integers.
var plainSonic = sonic.Config{UseInt64: true, CopyString: false}.Froze()

// goPackers returns Go libraries that convert JSON to MessagePack.
func goPackers() []converter {
	var tape *simdjson.ParsedJson
	return []converter{
		{"encoding/json any + msgpack/v5", "integers become floats", func(dst, data []byte) ([]byte, error) {
			var v any
			if err := json.Unmarshal(data, &v); err != nil {
				return dst, err
			}
			out := bytes.NewBuffer(dst)
			err := msgpack.NewEncoder(out).Encode(v)
			return out.Bytes(), err
		}},
		{"sonic any + msgp", "", func(dst, data []byte) ([]byte, error) {
			var v any
			if err := plainSonic.Unmarshal(data, &v); err != nil {
				return dst, err
			}
			return msgp.AppendIntf(dst, v)
		}},
		{"simdjson-go tape + msgp", "duplicate keys pass", func(dst, data []byte) ([]byte, error) {
			if !simdjson.SupportedCPU() {
				return dst, errNotHere
			}
			var err error
			if tape, err = simdjson.Parse(data, tape); err != nil {
				return dst, err
			}
			iter := tape.Iter()
			iter.AdvanceInto()
			_, root, err := iter.Root(nil)
			if err != nil {
				return dst, err
			}
			return packTape(dst, root)
		}},
		{"gjson + msgp", "hardly validates", func(dst, data []byte) ([]byte, error) {
			return packResult(dst, gjson.ParseBytes(data)), nil
		}},
	}
}

// packTape writes the current value of iter.
func packTape(dst []byte, iter *simdjson.Iter) ([]byte, error) {
	switch iter.Type() {
	case simdjson.TypeObject:
		object, err := iter.Object(nil)
		if err != nil {
			return dst, err
		}
		var member simdjson.Iter
		var n uint32
		for counted := *object; ; n++ { // the tape contains the end of a member, but no count
			_, t, err := counted.NextElementBytes(&member)
			if err != nil {
				return dst, err
			}
			if t == simdjson.TypeNone {
				break
			}
		}
		dst = msgp.AppendMapHeader(dst, n)
		for {
			key, t, err := object.NextElementBytes(&member)
			if err != nil || t == simdjson.TypeNone {
				return dst, err
			}
			dst = msgp.AppendStringFromBytes(dst, key)
			if dst, err = packTape(dst, &member); err != nil {
				return dst, err
			}
		}
	case simdjson.TypeArray:
		array, err := iter.Array(nil)
		if err != nil {
			return dst, err
		}
		var n uint32
		counted, elements := array.Iter(), array.Iter()
		for counted.Advance() != simdjson.TypeNone {
			n++
		}
		dst = msgp.AppendArrayHeader(dst, n)
		for elements.Advance() != simdjson.TypeNone {
			if dst, err = packTape(dst, &elements); err != nil {
				return dst, err
			}
		}
		return dst, nil
	case simdjson.TypeString:
		s, err := iter.StringBytes()
		return msgp.AppendStringFromBytes(dst, s), err
	case simdjson.TypeInt:
		i, err := iter.Int()
		return msgp.AppendInt64(dst, i), err
	case simdjson.TypeUint:
		u, err := iter.Uint()
		return msgp.AppendUint64(dst, u), err
	case simdjson.TypeFloat:
		f, err := iter.Float()
		return msgp.AppendFloat64(dst, f), err
	case simdjson.TypeBool:
		b, err := iter.Bool()
		return msgp.AppendBool(dst, b), err
	default:
		return msgp.AppendNil(dst), nil
	}
}

func packResult(dst []byte, r gjson.Result) []byte {
	switch r.Type {
	case gjson.String:
		return msgp.AppendString(dst, r.String())
	case gjson.Number:
		// gjson has only floats; the text determines whether it is an
		// integer.
		if f := r.Float(); bytes.ContainsAny([]byte(r.Raw), ".eE") {
			return msgp.AppendFloat64(dst, f)
		}
		return msgp.AppendInt64(dst, r.Int())
	case gjson.True, gjson.False:
		return msgp.AppendBool(dst, r.Bool())
	case gjson.Null:
		return msgp.AppendNil(dst)
	}
	var n uint32
	r.ForEach(func(_, _ gjson.Result) bool { n++; return true })
	if r.IsArray() {
		dst = msgp.AppendArrayHeader(dst, n)
	} else {
		dst = msgp.AppendMapHeader(dst, n)
	}
	r.ForEach(func(key, value gjson.Result) bool {
		if r.IsObject() {
			dst = msgp.AppendString(dst, key.String())
		}
		dst = packResult(dst, value)
		return true
	})
	return dst
}

// goUnpackers returns Go libraries that convert MessagePack to JSON.
func goUnpackers() []converter {
	return []converter{
		{"msgpack/v5 any + encoding/json", "", func(dst, data []byte) ([]byte, error) {
			var v any
			if err := msgpack.Unmarshal(data, &v); err != nil {
				return dst, err
			}
			out := bytes.NewBuffer(dst)
			e := json.NewEncoder(out)
			e.SetEscapeHTML(false)
			err := e.Encode(v)
			return out.Bytes(), err
		}},
		{"msgp.UnmarshalAsJSON", "", func(dst, data []byte) ([]byte, error) {
			out := bytes.NewBuffer(dst)
			_, err := msgp.UnmarshalAsJSON(out, data)
			return out.Bytes(), err
		}},
	}
}

func goJSONDecoders() []decoder {
	var tape *simdjson.ParsedJson
	return []decoder{
		{"encoding/json any", "", readJSON},
		{"sonic any", "", func(data []byte) (any, error) {
			var v any
			err := plainSonic.Unmarshal(data, &v)
			return v, err
		}},
		{"simdjson-go tape to any", "", func(data []byte) (any, error) {
			if !simdjson.SupportedCPU() {
				return nil, errNotHere
			}
			var err error
			if tape, err = simdjson.Parse(data, tape, simdjson.WithCopyStrings(false)); err != nil {
				return nil, err
			}
			iter := tape.Iter()
			iter.AdvanceInto()
			_, root, err := iter.Root(nil)
			if err != nil {
				return nil, err
			}
			return root.Interface()
		}},
		{"gjson to any", "", func(data []byte) (any, error) { return gjson.ParseBytes(data).Value(), nil }},
	}
}

func goMsgPackDecoders() []decoder {
	return []decoder{
		{"msgpack/v5 any", "", func(data []byte) (any, error) {
			var v any
			err := msgpack.Unmarshal(data, &v)
			return v, err
		}},
		{"msgp any", "", func(data []byte) (any, error) {
			v, _, err := msgp.ReadIntfBytes(data)
			return v, err
		}},
	}
}

// goRedactors returns short programs that could be written instead of using
// pcat.
func goRedactors() []converter {
	mask := func(any) any { return "redacted" }
	return []converter{
		{"encoding/json any, walk, marshal", "in their own places only", func(dst, data []byte) ([]byte, error) {
			var v any
			if err := json.Unmarshal(data, &v); err != nil {
				return dst, err
			}
			walkSecrets(v, mask)
			out, err := json.Marshal(v)
			return append(dst, out...), err
		}},
		{"sonic any, walk, marshal", "in their own places only", func(dst, data []byte) ([]byte, error) {
			var v any
			if err := plainSonic.Unmarshal(data, &v); err != nil {
				return dst, err
			}
			walkSecrets(v, mask)
			out, err := plainSonic.Marshal(v)
			return append(dst, out...), err
		}},
	}
}

// walkSecrets replaces the declared secrets in data: the contents of a
// Sensitive, and the listed parameters of a resource.
func walkSecrets(v any, replace func(any) any) {
	switch v := v.(type) {
	case map[string]any:
		if v["__ptype"] == "Sensitive" {
			v["__pvalue"] = replace(v["__pvalue"])
			return
		}
		names, _ := v["sensitive_parameters"].([]any)
		parameters, _ := v["parameters"].(map[string]any)
		for _, name := range names {
			if name, ok := name.(string); ok && parameters[name] != nil {
				parameters[name] = replace(parameters[name])
			}
		}
		for _, x := range v {
			walkSecrets(x, replace)
		}
	case []any:
		for _, x := range v {
			walkSecrets(x, replace)
		}
	}
}
