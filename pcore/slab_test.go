package pcore_test

import (
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore"
)

// The values of a slab are indistinguishable from ordinary values: equal, of
// the same type, with the same text, and the same as keys. They remain so while
// chunks are replaced and the garbage collector runs.
func TestSlab(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s pcore.Slab
		var got, want []pcore.Value
		check := func() {
			for i := range want {
				if got[i] != want[i] || !pcore.Identical(got[i], want[i]) || got[i].String() != want[i].String() {
					t.Fatalf("want %v, got %v", want[i], got[i])
				}
			}
		}
		buffer := make([]byte, 0, 2048)
		for range rapid.IntRange(0, 2000).Draw(t, "values") {
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				i := rapid.Int64().Draw(t, "integer")
				got, want = append(got, s.Integer(i)), append(want, pcore.Integer(i))
			case 1:
				f := rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "float")
				got, want = append(got, s.Float(f)), append(want, pcore.Float(f))
			default:
				n := rapid.SampledFrom([]int{0, 1, 7, 20, 255, 256, 257, 2000}).Draw(t, "length")
				text := strings.Repeat(strconv.Itoa(len(want)%10), n)
				buffer = append(buffer[:0], text...)
				got, want = append(got, s.Text(buffer), s.String(text)), append(want, pcore.String(text), pcore.String(text))
				clear(buffer) // the values do not refer to it
			}
		}
		runtime.GC()
		check()
		for range 100 {
			s.Text([]byte("more"))
			s.Integer(1 << 40)
		}
		check()
		if seen := map[pcore.Value]bool{}; len(want) > 0 {
			seen[got[0]] = true
			if !seen[want[0]] {
				t.Fatalf("%v is another key", want[0])
			}
		}
	})
}

func TestSlabCollections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s pcore.Slab
		var got, want []pcore.Value
		for range rapid.IntRange(0, 60).Draw(t, "values") {
			n := rapid.SampledFrom([]int{0, 1, 3, 8, 9, 40, 129, 600}).Draw(t, "size")
			elems := make([]pcore.Value, n)
			entries := make([]pcore.Entry, n)
			for i := range n {
				elems[i] = s.Integer(int64(i + len(want)))
				entries[i] = pcore.Entry{Key: s.String("k" + strconv.Itoa(i)), Value: elems[i]}
			}
			got = append(got, s.Array(elems), s.Hash(members(entries)))
			want = append(want, pcore.NewArray(append([]pcore.Value(nil), elems...)...), pcore.NewHash(entries...))
			clear(elems)
			clear(entries)
			if rapid.IntRange(0, 9).Draw(t, "detach") == 0 {
				s.Detach()
			}
		}
		for i := range want {
			if !pcore.Identical(got[i], want[i]) || got[i].String() != want[i].String() {
				t.Fatalf("want %v, got %v", want[i], got[i])
			}
			if a, ok := got[i].(*pcore.Array); ok {
				a.Append(pcore.Undef{}) // does not overwrite a neighbor
			}
		}
		for i := range want {
			if !pcore.Identical(got[i], want[i]) {
				t.Fatalf("%v was changed", want[i])
			}
			if h, ok := got[i].(*pcore.Hash); ok {
				for k, v := range h.All() {
					if at, ok := h.Get(k); !ok || at != v {
						t.Fatalf("at %v there is %v, want %v", k, at, v)
					}
				}
			}
		}
	})
}

// members returns alternating keys and values.
func members(entries []pcore.Entry) []pcore.Value {
	var all []pcore.Value
	for _, e := range entries {
		all = append(all, e.Key, e.Value)
	}
	return all
}

// Hashes of a slab share the memory of equal keys, and only of equal ones: in
// the same order, all Strings.
func TestSlabSharesKeys(t *testing.T) {
	keys := rapid.SampledFrom([]pcore.Value{
		pcore.String(""), pcore.String("a"), pcore.String("b"), pcore.String("aa"), pcore.String("ab"),
		pcore.Integer(1), pcore.Float(1), pcore.Boolean(true), pcore.Undef{},
	})
	rapid.Check(t, func(t *rapid.T) {
		var s pcore.Slab
		var got, want []*pcore.Hash
		lists := rapid.SliceOfN(rapid.SliceOfNDistinct(keys, 0, 4, func(v pcore.Value) pcore.Value { return v }), 1, 8).Draw(t, "keys")
		for i := range rapid.IntRange(0, 80).Draw(t, "hashes") {
			var entries []pcore.Entry
			for _, k := range rapid.SampledFrom(lists).Draw(t, "list") {
				entries = append(entries, pcore.Entry{Key: k, Value: pcore.Integer(int64(i))})
			}
			got, want = append(got, s.Hash(members(entries))), append(want, pcore.NewHash(entries...))
			switch rapid.IntRange(0, 19).Draw(t, "then") {
			case 0:
				s.Detach()
			case 1: // a builder has keys of its own
				b := s.HashBuilder(1)
				b.Set(pcore.String("new"), pcore.Undef{})
				b.Set(pcore.String("newer"), pcore.Undef{})
			}
		}
		for i := range want {
			if !slices.Equal(slices.Collect(want[i].Keys()), slices.Collect(got[i].Keys())) || !pcore.Identical(want[i], got[i]) {
				t.Fatalf("want %v, got %v", want[i], got[i])
			}
		}
	})
	var s pcore.Slab
	row := []pcore.Value{pcore.String("name"), pcore.Undef{}, pcore.String("ensure"), pcore.Undef{}}
	allocated := testing.AllocsPerRun(1, func() {
		for range 10_000 {
			s.Hash(row)
		}
	})
	if allocated > 60 {
		t.Errorf("10,000 hashes with the same keys make %v allocations", allocated)
	}
}

func TestClone(t *testing.T) {
	var s pcore.Slab
	entries := make([]pcore.Entry, 12)
	for i := range entries {
		entries[i] = pcore.Entry{Key: s.String(strconv.Itoa(i)), Value: s.Integer(int64(i) << 20)}
	}
	h := s.Hash(members(entries))
	typ := pcore.NewTypeReferenceType("My::Type")
	v := s.Array([]pcore.Value{
		h, s.Float(1.5), pcore.Undef{}, pcore.Symbol("s"), pcore.NewSensitive(s.String("secret")), pcore.NewRegexp("a+"),
		pcore.NewDeferred("f", pcore.NewArray(h)), pcore.NewDeferred("$x", nil), pcore.NewObject(typ, h), pcore.NewBinaryString("b"),
	})
	c := pcore.Clone(v)
	if !pcore.Identical(v, c) || pcore.Value(v) == c {
		t.Fatalf("%v became %v", v, c)
	}
	a, ok := c.(*pcore.Array)
	if !ok {
		t.Fatalf("it is %T", c)
	}
	if d, ok := a.At(7).(*pcore.Deferred); !ok || d.Arguments() != nil {
		t.Errorf("a call without arguments became %v", a.At(7))
	}
	if copied, ok := a.At(0).(*pcore.Hash); !ok || copied == h {
		t.Error("the hash is shared")
	} else if got, _ := copied.GetString("11"); got != pcore.Integer(11<<20) {
		t.Errorf("at 11 there is %v", got)
	}
	if got := strings.Count(c.String(), pcore.RedactedText); got != 1 {
		t.Errorf("%d secrets are redacted", got)
	}
}
