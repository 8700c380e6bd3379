//go:build !purego

package native_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/pcatdev/pcat/pcore/native"
)

// TestAllocations checks that the allocations do not grow with the number of
// values. Without unsafe code, each text and number is one.
func TestAllocations(t *testing.T) {
	type host struct {
		Name  string
		Port  int
		Tags  []string
		Ready bool
	}
	list := make([]host, 1000)
	for i := range list {
		list[i] = host{fmt.Sprint(i), i, []string{"a", "b"}, true}
	}
	v, err := native.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(5, func() { _, _ = native.Marshal(list) }); n > 150 {
		t.Errorf("Marshal of 1,000 structs makes %v allocations", n)
	}
	var back []host
	if n := testing.AllocsPerRun(5, func() { _ = native.Unmarshal(v, &back) }); n > 2100 {
		t.Errorf("Unmarshal of 1,000 structs makes %v allocations", n)
	}
	if !reflect.DeepEqual(list, back) {
		t.Error("other structs")
	}
}
