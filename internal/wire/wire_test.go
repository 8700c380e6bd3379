package wire_test

import (
	"encoding/binary"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/wire"
)

// Keys agrees with a map of strings, for nested maps.
func TestKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var keys wire.Keys
		var open []map[string]int
		var sizes []int
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			switch n := rapid.IntRange(0, 40).Draw(t, "step"); {
			case n == 0 || len(open) == 0:
				keys.Open()
				open, sizes = append(open, map[string]int{}), append(sizes, 0)
			case n == 1:
				keys.Close()
				open, sizes = open[:len(open)-1], sizes[:len(sizes)-1]
			default:
				top := len(open) - 1
				key := rapid.SampledFrom([]string{"", "k", "a long key ", "__ptype", "a key too long for a mark "}).Draw(t, "begin") +
					strconv.Itoa(rapid.IntRange(0, 60).Draw(t, "middle")) + rapid.SampledFrom([]string{"", "", " and its end"}).Draw(t, "end")
				_, known := open[top][key]
				position, added := keys.Add([]byte(key))
				if added == known || position != sizes[top] {
					t.Fatalf("Add(%q) = %d, %v; known %v, want position %d", key, position, added, known, sizes[top])
				}
				open[top][key] = position
				sizes[top]++
			}
		}
	})
}

// A mark contains a short key and none of the bytes behind it.
func TestMarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "text")
		n := rapid.IntRange(0, wire.MarkLen).Draw(t, "n")
		m := wire.MarkOf(binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:]), n)
		want := wire.Mark{High: uint64(n) << 56}
		for i, c := range text[:n] {
			if i < 8 {
				want.Low |= uint64(c) << (8 * i)
			} else {
				want.High |= uint64(c) << (8 * (i - 8))
			}
		}
		if m != want || wire.MarkText(text[:n]) != want {
			t.Fatalf("%q: %x and %x, want %x", text[:n], m, wire.MarkText(text[:n]), want)
		}
	})
}

// Keys after Keep do not depend on the memory into which they were read.
func TestKeysKeep(t *testing.T) {
	var keys wire.Keys
	keys.Open()
	for _, prefix := range []string{"k", "a key too long for a mark "} {
		buffer := []byte(prefix)
		for i := range 40 {
			buffer = strconv.AppendInt(buffer[:len(prefix)], int64(i), 10)
			if _, added := keys.Add(buffer); !added {
				t.Fatalf("%s was not there", buffer)
			}
			keys.Keep()
			clear(buffer)
			copy(buffer, prefix)
		}
		for i := range 40 {
			if _, added := keys.Add(strconv.AppendInt([]byte(prefix), int64(i), 10)); added {
				t.Errorf("%s%d was there", prefix, i)
			}
		}
	}
}
