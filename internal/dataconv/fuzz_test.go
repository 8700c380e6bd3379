package dataconv_test

import (
	"bytes"
	stdjson "encoding/json"
	"slices"
	"testing"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/pcore"
)

// plain converts JSON, the notation of the fuzzer, to data without using the
// codecs under test. It reports false for values that are not data.
func plain(v any) (pcore.Value, bool) {
	switch v := v.(type) {
	case nil:
		return pcore.Undef{}, true
	case bool:
		return pcore.Boolean(v), true
	case string:
		return pcore.String(v), true
	case stdjson.Number:
		return pcore.ParseNumber(v.String())
	case []any:
		elems := make([]pcore.Value, len(v))
		for i, e := range v {
			var ok bool
			if elems[i], ok = plain(e); !ok {
				return nil, false
			}
		}
		return pcore.NewArray(elems...), true
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		b := pcore.NewHashBuilder(len(v))
		for _, k := range keys {
			e, ok := plain(v[k])
			if !ok {
				return nil, false
			}
			b.Set(pcore.String(k), e)
		}
		return b.Hash(), true
	}
	return nil, false
}

// Decoded data is written as data that decodes to the same value, with and
// without local references, and as text in forms that are not rich.
func FuzzDecode(f *testing.F) {
	for _, doc := range []string{
		`[null,true,-1,1.5,9223372036854775808,"x",{"a":{}}]`,
		`{"__ptype":"Hash","__pvalue":[1,2,{"__ptype":"Default"},["__ptype"]]}`,
		`{"__ptype":"Sensitive","__pvalue":{"__ptype":"Binary","__pvalue":"AAEC"}}`,
		`{"__ptype":"Deferred","name":"join","arguments":[["a"],{"__ptype":"Regexp","__pvalue":"^a"}]}`,
		`[{"__ptype":"Timestamp","__pvalue":"2016-09-06T08:34:59.123456789 UTC"},{"__ptype":"Timespan","__pvalue":"1-02:03:04.5"}]`,
		`[{"__ptype":"SemVer","__pvalue":"1.2.3-rc1+b5"},{"__ptype":"SemVerRange","__pvalue":">=1.0.0 <2.0.0"},{"__ptype":"URI","__pvalue":"https://u@h:1/p?q#f"}]`,
		`{"a":[{"b":1}],"c":{"__ptype":"LocalRef","__pvalue":"$['a'][0]"}}`,
		`{"__ptype":"My::Unknown","x":{"__ptype":"Integer","__pvalue":"0x1f"}}`,
		`{"__ptype":"Pcore::ArrayType","element_type":{"__ptype":"Pcore::VariantType","types":[{"__ptype":"Pcore::IntegerType","from":1}]}}`,
		`{"__ptype":"Pcore::StructType","elements":[{"__ptype":"Pcore::StructElement","key_type":{"__ptype":"Pcore::StringType","size_type_or_value":"a"},"value_type":{"__ptype":"Pcore::AnyType"}}]}`,
		`{"__ptype":"Pcore::StructElement","key_type":{"__ptype":"Pcore::StringType"}}`,
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		d := stdjson.NewDecoder(bytes.NewReader(doc))
		d.UseNumber()
		var parsed any
		if d.Decode(&parsed) != nil {
			return
		}
		data, ok := plain(parsed)
		if !ok {
			return
		}
		v, err := dataconv.Decode(data, lenient)
		if err != nil {
			return
		}
		for _, references := range []bool{false, true} {
			o := inClear
			o.LocalReferences = references
			for _, mode := range []dataconv.Mode{dataconv.Rich, dataconv.Plain, dataconv.Stringified} {
				again, err := dataconv.Encode(v, mode, o)
				if err == nil {
					err = onlyData(again)
				}
				if err != nil {
					t.Fatalf("mode %d: what was read cannot be written: %v", mode, err)
				}
				if mode != dataconv.Rich || !anyvalue.ReadsBack(v) {
					continue
				}
				if back, err := dataconv.Decode(again, lenient); err != nil || !pcore.Identical(v, back) {
					t.Fatalf("%s came back as %s: %v", v, back, err)
				}
			}
		}
	})
}
