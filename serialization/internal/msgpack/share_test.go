//go:build !purego

package msgpack_test

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/msgpack"
)

// A decoder does not allocate for each value, allocates less if it may share
// its input, and returns the same values.
func TestAllocations(t *testing.T) {
	const members = 2000
	elems := make([]pcore.Value, members)
	for i := range elems {
		elems[i] = pcore.NewHash(
			pcore.Entry{Key: pcore.String("title"), Value: pcore.String(strings.Repeat("a name of its own ", 1+i%30))},
			pcore.Entry{Key: pcore.String("line"), Value: pcore.Integer(i << 9)},
			pcore.Entry{Key: pcore.String("tags"), Value: pcore.NewArray(pcore.Float(i), pcore.Undef{}, pcore.String("b"))},
		)
	}
	want := pcore.NewArray(elems...)
	data, err := msgpack.Append(nil, want, dataconv.Rich, serialization.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	decoded := func(o serialization.DecodeOptions) (allocs float64) {
		return testing.AllocsPerRun(5, func() {
			got, err := msgpack.Decode(data, o)
			if err != nil || !pcore.Identical(got, want) {
				t.Fatalf("it is not the same, %v", err)
			}
		})
	}
	copied, shared := decoded(serialization.DecodeOptions{}), decoded(serialization.DecodeOptions{ShareInput: true})
	if shared > members/8 || copied <= shared || copied > 3*members/2 { // half of the titles are long, and take two
		t.Errorf("%.0f allocations when shared, %.0f when copied, for %d members", shared, copied, members)
	}
}
