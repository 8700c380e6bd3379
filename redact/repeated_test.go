package redact_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/redact"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// repeater copies documents and repeats some members of their maps.
type repeater struct {
	random *rand.Rand // nil repeats none
	header bool       // also repeats members of the catalog
}

// again returns which of n members of a map to repeat.
func (r repeater) again(n int, isCatalog bool) (list []int) {
	if r.random == nil || n == 0 || isCatalog && !r.header {
		return nil
	}
	for range r.random.IntN(3) {
		list = append(list, r.random.IntN(n))
	}
	return list
}

// members returns the members of a map with some of them repeated. The lists of a catalog are not.
func (r repeater) members(v gjson.Result, isCatalog bool) (all [][2]gjson.Result) {
	var repeatable [][2]gjson.Result
	for key, value := range v.ForEach {
		all = append(all, [2]gjson.Result{key, value})
		if !isCatalog || key.Str != "resources" && key.Str != "edges" {
			repeatable = append(repeatable, [2]gjson.Result{key, value})
		}
	}
	for _, i := range r.again(len(repeatable), isCatalog) {
		all = append(all, repeatable[i])
	}
	return all
}

// json appends v as JSON.
func (r repeater) json(b []byte, v gjson.Result, isCatalog bool) []byte {
	sep := ""
	switch {
	case v.IsObject():
		b = append(b, '{')
		for _, m := range r.members(v, isCatalog) {
			b = append(append(append(b, sep...), m[0].Raw...), ':')
			b, sep = r.json(b, m[1], false), ","
		}
		return append(b, '}')
	case v.IsArray():
		b = append(b, '[')
		for e := range values(v) {
			b, sep = r.json(append(b, sep...), e, false), ","
		}
		return append(b, ']')
	default:
		return append(b, v.Raw...)
	}
}

// msgpack writes v as MessagePack.
func (r repeater) msgpack(e *msgpack.Encoder, v gjson.Result, isCatalog bool) {
	switch {
	case v.IsObject():
		all := r.members(v, isCatalog)
		_ = e.EncodeMapLen(len(all))
		for _, m := range all {
			_ = e.EncodeString(m[0].Str)
			r.msgpack(e, m[1], false)
		}
	case v.IsArray():
		_ = e.EncodeArrayLen(len(v.Array()))
		for one := range values(v) {
			r.msgpack(e, one, false)
		}
	case v.Type == gjson.Number && !strings.ContainsAny(v.Raw, ".eE"):
		_ = e.EncodeInt(v.Int())
	default:
		_ = e.Encode(v.Value())
	}
}

func values(v gjson.Result) func(func(gjson.Result) bool) {
	return func(yield func(gjson.Result) bool) {
		v.ForEach(func(_, e gjson.Result) bool { return yield(e) })
	}
}

// Members that are repeated with an equal value change nothing in what is redacted or converted.
func TestRepeatedMembers(t *testing.T) {
	if testing.Short() {
		t.Skip("it redacts random documents")
	}
	for _, catalog := range []string{"rich", "secrets", "relations"} {
		file := filepath.Join("../testdata/catalogs", catalog, "rich.json")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source := gjson.ParseBytes(text)
		for seed := range uint64(3) {
			random := rand.New(rand.NewPCG(seed, 1))
			for name, document := range map[string]func(r repeater) []byte{
				"rich-json": func(r repeater) []byte { return r.json(nil, source, true) },
				"json":      func(r repeater) []byte { return r.json(nil, source, true) },
				"yaml":      func(r repeater) []byte { return r.json(nil, source, true) },
				"rich-json indented": func(r repeater) []byte {
					var b bytes.Buffer
					if err := json.Indent(&b, r.json(nil, source, true), "", "  "); err != nil {
						t.Fatal(err)
					}
					return b.Bytes()
				},
				"rich-msgpack": func(r repeater) []byte {
					var b bytes.Buffer
					e := msgpack.NewEncoder(&b)
					e.UseCompactInts(true)
					r.header = false // the number of members precedes them
					r.msgpack(e, source, true)
					return b.Bytes()
				},
			} {
				format, err := formats.Default().ByName(strings.Fields(name)[0])
				if err != nil {
					t.Fatal(err)
				}
				once, repeated := document(repeater{}), document(repeater{random, true})
				if len(repeated) <= len(once) {
					continue
				}
				for _, inMemory := range []bool{true, false} {
					want, wantErr := outputs(t, format, once, inMemory)
					got, gotErr := outputs(t, format, repeated, inMemory)
					if got != want || gotErr != nil || wantErr != nil {
						t.Fatalf("%s as %s, seed %d: %.2000s\n(%v)\nwant %.2000s\n(%v)", file, name, seed, got, gotErr, want, wantErr)
					}
				}
			}
		}
	}
}

// outputs returns a document as it is redacted and converted.
func outputs(t *testing.T, format serialization.Format, data []byte, inMemory bool) (string, error) {
	t.Helper()
	open := func(context.Context) (*catalog.Reader, io.Closer, error) {
		if inMemory {
			return catalog.NewReaderBytes(data, format, serialization.DecodeOptions{}), nil, nil
		}
		return catalog.NewReader(bytes.NewReader(data), format, serialization.DecodeOptions{}), nil, nil
	}
	var out strings.Builder
	write := func(_ context.Context, write func(io.Writer) error) error { return write(&out) }
	result, err := redact.Run(t.Context(), []redact.Input{{Name: "n", Open: open, Write: write}}, redact.Options{Audit: auditor(t)})
	if err != nil || result.Failures[0] != nil {
		return "", fmt.Errorf("%w, %w", err, result.Failures[0])
	}
	for _, name := range []string{"rich-json", "rich-msgpack", "yaml", format.Name} {
		to, err := formats.Default().ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		src, _, _ := open(t.Context())
		w := catalog.NewWriter(&out, to, catalog.WriteOptions{Secrets: serialization.PlainSecrets, Indent: src.Layout().Indent})
		if err := catalog.Copy(t.Context(), w, src); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}
