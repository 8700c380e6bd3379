//go:build !purego

package json_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/json"
)

// pointsInto reports whether the text of v is in the memory of data.
func pointsInto(data []byte, v pcore.Value) bool {
	s, ok := v.(pcore.String)
	if !ok || s == "" {
		return false
	}
	first := reflect.ValueOf(string(s)).Pointer()
	begin := reflect.ValueOf(data).Pointer()
	return begin <= first && first < begin+uintptr(len(data))
}

// A value refers to the input only if ShareInput is set and the whole input is
// in memory; a Clone never does.
func TestShareInput(t *testing.T) {
	data := []byte(`["a plain text", "an \u00e9scaped text", "Grüße", "` + strings.Repeat("long ", 200) + `", {"key": "value"}]`)
	shared := serialization.DecodeOptions{ShareInput: true}
	decoders := map[string]struct {
		decode func() (pcore.Value, error)
		want   []bool
	}{
		"not asked for": {func() (pcore.Value, error) { return json.Decode(data, serialization.DecodeOptions{}) }, []bool{false, false, false, false}},
		"asked for":     {func() (pcore.Value, error) { return json.Decode(data, shared) }, []bool{true, false, true, true}},
		"clone": {func() (pcore.Value, error) {
			v, err := json.Decode(data, shared)
			return pcore.Clone(v), err
		}, []bool{false, false, false, false}},
		"stream": {func() (pcore.Value, error) { return json.NewDecoder(bytes.NewReader(data), shared).Decode() }, []bool{false, false, false, false}},
	}
	for name, test := range decoders {
		v, err := test.decode()
		if err != nil {
			t.Fatal(err)
		}
		a, ok := v.(*pcore.Array)
		if !ok {
			t.Fatalf("it is %T", v)
		}
		for i, want := range test.want {
			if got := pointsInto(data, a.At(i)); got != want {
				t.Errorf("%s: %d points into the input: %v", name, i, got)
			}
		}
		if a.At(0) != pcore.String("a plain text") || a.At(1) != pcore.String("an éscaped text") || a.At(2) != pcore.String("Grüße") {
			t.Errorf("%s: got %v", name, v)
		}
	}
}

// A decoder does not allocate for each value.
func TestAllocations(t *testing.T) {
	const members = 2000
	var b bytes.Buffer
	b.WriteString(`[{"ensure":"present"}`)
	for i := range members {
		b.WriteString(`,{"type":"File","line":` + strings.Repeat("9", 1+i%15) + `,"title":"/etc/a file with a name of its own","tags":["a","b",1.5,true,null]}`)
	}
	b.WriteString(`]`)
	for name, o := range map[string]serialization.DecodeOptions{"copied": {}, "shared": {ShareInput: true}} {
		n := testing.AllocsPerRun(5, func() {
			if _, err := json.Decode(b.Bytes(), o); err != nil {
				t.Fatal(err)
			}
		})
		if n > members/8 { // of 13 values each
			t.Errorf("%s: %.0f allocations for %d members", name, n, members)
		}
	}
}
