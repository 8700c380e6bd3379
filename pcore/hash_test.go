package pcore_test

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore"
)

func TestHashKeepsOrderAndIdentity(t *testing.T) {
	h := pcore.NewHash(
		pcore.Entry{Key: pcore.String("b"), Value: pcore.Integer(1)},
		pcore.Entry{Key: pcore.String("a"), Value: pcore.Integer(2)},
		pcore.Entry{Key: pcore.Integer(1), Value: pcore.String("integer")},
		pcore.Entry{Key: pcore.Float(1), Value: pcore.String("float")},
		pcore.Entry{Key: pcore.String("b"), Value: pcore.Integer(3)},
		pcore.Entry{Key: pcore.NewArray(pcore.String("x")), Value: pcore.Default{}},
	)
	if got, want := h.String(), "{'b' => 3, 'a' => 2, 1 => 'integer', 1.0 => 'float', ['x'] => default}"; got != want {
		t.Errorf("String() = %s, want %s", got, want)
	}
	if v, ok := h.Get(pcore.NewArray(pcore.String("x"))); !ok || v != (pcore.Default{}) {
		t.Errorf("an Array key is not found by an equal Array: %v, %v", v, ok)
	}
	if _, ok := h.GetString("B"); ok {
		t.Error("keys must be told apart by case")
	}
	var empty *pcore.Hash
	if _, ok := empty.GetString("a"); ok || empty.Len() != 0 {
		t.Error("a nil Hash must be empty")
	}
}

// A Hash of any size behaves like a list of entries that is searched from the
// front.
func TestHashAgainstList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.IntRange(0, 40), 0, 60).Draw(t, "keys")
		var b pcore.HashBuilder
		var order []int
		last := map[int]int{}
		for i, k := range keys {
			_, seen := last[k]
			if replaced := b.Set(key(k), pcore.Integer(i)); replaced != seen {
				t.Fatalf("Set(%d) replaced = %v, want %v", k, replaced, seen)
			}
			if !seen {
				order = append(order, k)
			}
			last[k] = i
		}
		h := b.Hash()
		if h.Len() != len(order) {
			t.Fatalf("Len() = %d, want %d", h.Len(), len(order))
		}
		for i, k := range order {
			if e := h.At(i); !pcore.Identical(e.Key, key(k)) || e.Value != pcore.Integer(last[k]) {
				t.Fatalf("entry %d is %v => %v, want %v => %d", i, e.Key, e.Value, key(k), last[k])
			}
			if v, ok := h.Get(key(k)); !ok || v != pcore.Integer(last[k]) {
				t.Fatalf("Get(%v) = %v, %v", key(k), v, ok)
			}
		}
		if _, ok := h.Get(pcore.String("absent")); ok {
			t.Fatal("found what was never set")
		}
	})
}

// key returns keys of several kinds.
func key(n int) pcore.Value {
	switch n % 4 {
	case 0:
		return pcore.Integer(n)
	case 1:
		return pcore.NewSensitive(pcore.String(strconv.Itoa(n)))
	case 2:
		return pcore.NewHash(
			pcore.Entry{Key: pcore.String("n"), Value: pcore.Integer(n)},
			pcore.Entry{Key: pcore.String("m"), Value: pcore.NewTimestamp(int64(n), 5)})
	default:
		return pcore.String(strconv.Itoa(n))
	}
}

func TestHashIdentityIgnoresOrder(t *testing.T) {
	a := pcore.NewHash(pcore.Entry{Key: pcore.String("x"), Value: pcore.Integer(1)}, pcore.Entry{Key: pcore.String("y"), Value: pcore.Integer(2)})
	b := pcore.NewHash(pcore.Entry{Key: pcore.String("y"), Value: pcore.Integer(2)}, pcore.Entry{Key: pcore.String("x"), Value: pcore.Integer(1)})
	var builder pcore.HashBuilder
	for i := range 20 {
		builder.Set(pcore.Integer(i), pcore.Undef{})
	}
	builder.Set(a, pcore.String("found"))
	if v, ok := builder.Hash().Get(b); !ok || v != pcore.String("found") {
		t.Errorf("Get = %v, %v", v, ok)
	}
}
