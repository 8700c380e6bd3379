package dataconv

import (
	"bytes"
	"runtime"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore"
)

// Strings equal their input, whether reused or not, and do not refer to it.
func TestTexts(t *testing.T) {
	var texts texts
	var slab pcore.Slab
	buffer := make([]byte, 0, 64)
	for i := range 5000 {
		want := strconv.Itoa(i%700) + string(bytes.Repeat([]byte("x"), i%40))
		buffer = append(buffer[:0], want...)
		v, _ := texts.value(&slab, buffer)
		clear(buffer)
		if v != pcore.String(want) {
			t.Fatalf("want %s, got %s", want, v)
		}
	}
	key := []byte("parameters")
	if n := testing.AllocsPerRun(1000, func() { texts.value(&slab, key) }); n > 0 {
		t.Errorf("%.0f allocations for a text that was there", n)
	}
}

// Equal texts have the same sign at any position; different short texts have
// different signs.
func TestSign(t *testing.T) {
	text := rapid.OneOf(
		rapid.SliceOfN(rapid.SampledFrom([]byte("\x00ab")), 0, maxExact),
		rapid.SliceOfN(rapid.Byte(), 0, 40),
	)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		behind := append(bytes.Clone(a), rapid.SliceOfN(rapid.Byte(), 0, 16).Draw(t, "behind")...)
		if signOf(behind[:len(a)]) != signOf(bytes.Clone(a)[:len(a):len(a)]) {
			t.Fatalf("the sign of %q depends on what follows", a)
		}
		if len(a) <= maxExact && len(b) <= maxExact && (signOf(a) == signOf(b)) != bytes.Equal(a, b) {
			t.Fatalf("the signs of %q and %q do not tell", a, b)
		}
	})
}

// A text that stays in the table does not keep the texts in memory that were made along
// with it.
func TestTextsKeepLittle(t *testing.T) {
	var texts texts
	var slab pcore.Slab
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	lasting := 0
	for i := range 500_000 {
		text := strconv.AppendInt(nil, int64(i), 36)
		if signOf(text).hash()>>63 == 0 && i/2000 <= lasting {
			continue // would replace one that lasts
		} else if signOf(text).hash()>>63 == 0 {
			lasting++
		}
		texts.value(&slab, text)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(&texts)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 1<<20 {
		t.Errorf("%d bytes are kept", kept)
	}
}
