package leaf_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/audit/internal/leaf"
	"github.com/pcatdev/pcat/catalog"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// The offset of a leaf does not depend on the leaves for which it was asked before.
func TestOffsetInAnyCombination(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/catalogs/*/rich.*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	documents := [][]byte{[]byte(`{"resources":[{"type":"A","title":"a","parameters":{
		"hash":{"k1":{"k2":[ "x",{"k3":"y","k4":["z"]}]},"k5":"v"},
		"odd":{"__ptype":"Hash","__pvalue":[1,"one",{"a":"b"},["two"],"three",{"__ptype":"Sensitive","__pvalue":{"c":"d"}}]},
		"call":{"__ptype":"Deferred","name":"f","arguments":["a0",{"x":"a1"},{"__ptype":"Deferred","name":"g","arguments":["a2"]}]},
		"shared":{"__ptype":"LocalRef","__pvalue":"$.parameters.hash"},
		"object":{"__ptype":"My::Type","b":"1","a":{"k":"2"}},
		"last":"w"}}]}`)}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, data)
	}
	for _, data := range documents {
		offsets := func(asked func(i int) bool) (list []string) {
			i := 0
			walk(t, data, func(l *leaf.Leaf) {
				at := "not asked"
				if asked(i) {
					at = fmt.Sprint(l.Pointer(), l.Kind, l.Offset())
				}
				list = append(list, at)
				i++
			})
			return list
		}
		all := offsets(func(int) bool { return true })
		for _, every := range []int{2, 3, 7, 31, len(all)} {
			for first := range min(every, 64) {
				for i, at := range offsets(func(i int) bool { return i%every == first }) {
					if at != "not asked" && at != all[i] {
						t.Errorf("%.80s: got %s, but %s if all are asked", data, at, all[i])
					}
				}
			}
		}
	}
}

// countingReader counts the elements that a Reader reads.
type countingReader struct {
	serialization.Reader
	read *int
}

func (r countingReader) Key() (string, error) { *r.read++; return r.Reader.Key() }
func (r countingReader) Skip() error          { *r.read++; return r.Reader.Skip() }
func (r countingReader) Leave() error         { *r.read++; return r.Reader.Leave() }
func (r countingReader) Enter() (int, error)  { *r.read++; return r.Reader.Enter() }

// The offsets of all leaves of a resource take one pass over it.
func TestOffsetWork(t *testing.T) {
	const n = 10_000
	list := func(open, element, end string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ","+element, slices.Repeat([]any{i}, strings.Count(element, "%d"))...)
		}
		return open + b.String()[1:] + end
	}
	for _, parameters := range []string{
		list(`{"h":{`, `"k%d":"v%d"`, `}}`),
		list(`{"h":{`, `"k%d":{"k":["v%d"]}`, `}}`),
		list(`{"a":[`, `"v%d"`, `]}`),
		list(`{"a":[`, `{"k%d":"v%d"}`, `]}`),
		list(`{`, `"p%d":"v%d"`, `}`),
		list(`{"o":{"__ptype":"Hash","__pvalue":[`, `%d,"v%d"`, `]}}`),
		list(`{"r":["x"],`, `"p%d":{"__ptype":"LocalRef","__pvalue":"$['parameters']['r']"}`, `}`),
		list(`{"d":{"__ptype":"Deferred","name":"f","arguments":[`, `"v%d"`, `]}}`),
	} {
		read := 0
		format := formats.RichJSON()
		plain := format.NewReader
		format.NewReader = func(r io.Reader, o serialization.DecodeOptions) serialization.Reader {
			return countingReader{plain(r, o), &read}
		}
		data := []byte(`{"resources":[{"type":"A","title":"a","parameters":` + parameters + `}]}`)
		leaves := 0
		err := new(leaf.Walker).Walk(catalog.NewReaderBytes(data, format, serialization.DecodeOptions{}), "x", leaf.Visitor{Leaf: func(l *leaf.Leaf) {
			leaves++
			l.Offset()
		}})
		if err != nil || leaves < n {
			t.Fatalf("%.40s: %d leaves, error %v", parameters, leaves, err)
		}
		if read > 10*n {
			t.Errorf("%.40s: %d elements are read for %d leaves", parameters, read, leaves)
		}
	}
}
