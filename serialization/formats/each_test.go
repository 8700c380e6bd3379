package formats_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
)

// DecodeBytes returns the same values as Decode, also after documents with
// errors.
func TestDecodeEach(t *testing.T) {
	for _, f := range rich() {
		d, ok := f.NewDecoder(new(bytes.Buffer), lenient).(serialization.Recycler)
		if !ok {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				var got, want []pcore.Value
				for range rapid.IntRange(1, 8).Draw(t, "documents") {
					doc, err := f.Append(nil, anyvalue.Draw(t), inClear)
					if err != nil {
						t.Fatal(err)
					}
					doc = doc[:len(doc)-rapid.IntRange(0, min(2, len(doc))).Draw(t, "missing")]
					v, err := d.DecodeBytes(doc)
					alone, lonely := f.Decode(doc, lenient)
					if (err == nil) != (lonely == nil) || err != nil && err.Error() != lonely.Error() {
						t.Fatalf("%q: want %v, got %v", doc, lonely, err)
					}
					clear(doc) // no value may refer to it
					if err == nil {
						got, want = append(got, v), append(want, alone)
					}
				}
				for i := range got {
					if !pcore.Identical(got[i], want[i]) {
						t.Fatalf("want %v, got %v", want[i], got[i])
					}
				}
			})
		})
	}
}
