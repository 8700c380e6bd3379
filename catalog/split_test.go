package catalog

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// cursor splits a map with the cursor, as in any format.
func cursor(data []byte) (members []span, err error) {
	r := formats.RichJSON().NewReader(bytes.NewBuffer(data), serialization.DecodeOptions{})
	if _, err := r.Enter(); err != nil {
		return nil, err
	}
	for {
		t, err := r.Token()
		if err != nil {
			return nil, err
		}
		if t == serialization.TokenEnd {
			break
		}
		key, err := r.Key()
		if err != nil {
			return nil, err
		}
		raw, err := r.Raw()
		if err != nil {
			return nil, err
		}
		members = append(members, span{key, int(raw.Offset), int(r.Offset())}) // raw.Bytes lacks repeated members
	}
	if err := r.Leave(); err != nil {
		return nil, err
	}
	return members, r.End()
}

// draw returns a value in JSON.
func draw(t *rapid.T, depth int) string {
	blank := func() string { return rapid.SampledFrom([]string{"", "", "", " ", "\n\t", "\r\n  "}).Draw(t, "blank") }
	text := func() string {
		return rapid.SampledFrom([]string{`""`, `"a"`, `"key"`, `"\\"`, `"\\\""`, `"{[:,]}"`, `"\u0041"`, `"é"`, `"]\\"`}).Draw(t, "text")
	}
	kind := rapid.IntRange(0, 4).Draw(t, "kind")
	switch {
	case kind < 2 && depth > 0:
		open, end := "[", "]"
		if kind == 0 || depth == 4 {
			open, end = "{", "}"
		}
		b := open + blank()
		for i := range rapid.IntRange(0, 4).Draw(t, "members") {
			if i > 0 {
				b += "," + blank()
			}
			if open == "{" {
				b += text() + blank() + ":" + blank()
			}
			b += draw(t, depth-1) + blank()
		}
		return b + end
	case kind == 2:
		return text()
	}
	return rapid.SampledFrom([]string{"0", "-1.5e3", "true", "false", "null", "12345"}).Draw(t, "scalar")
}

// splitJSON finds members at the same positions as a cursor.
func TestSplitJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(draw(t, 4))
		want, err := cursor(data)
		got, ok := splitJSON(nil, data)
		if err != nil || !ok {
			return // left to the cursor, or invalid
		}
		if len(got) != len(want) {
			t.Fatalf("%s: want %v, got %v", data, want, got)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%s: want %v, got %v", data, want[i], got[i])
			}
		}
	})
	if _, ok := splitJSON(nil, []byte(`{"a" : [1, {"b":"}\\"}] , "c":null }`)); !ok {
		t.Error("a plain map is not split")
	}
}

// splitJSON stays within invalid input, too.
func FuzzSplitJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,"}"],"b\\":{}}`))
	f.Add([]byte(`{"a`))
	f.Add([]byte(`{"`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := splitJSON(nil, data)
		want, err := cursor(data)
		if err != nil || !ok {
			return
		}
		for i := range want {
			if len(got) != len(want) || got[i] != want[i] {
				t.Fatalf("want %v, got %v", want, got)
			}
		}
	})
}
