package wire_test

import (
	"encoding/binary"
	"encoding/json"
	"strconv"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/serialization/internal/wire"
)

// Where a string is no longer plain is found as a look at each byte would.
func TestTextEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.OneOf(
			rapid.ByteRange('a', 'z'), rapid.ByteRange('a', 'z'), rapid.Byte(),
			rapid.SampledFrom([]byte("\x00\x01\x1f !\"#[\\]\x7f\x80\xff")),
		), 0, 40).Draw(t, "data")
		for i := range len(data) + 1 {
			odd := func(c byte) bool { return c < ' ' || c == '"' || c == '\\' }
			first := func(odd func(byte) bool) int {
				for k := i; k < len(data); k++ {
					if odd(data[k]) {
						return k
					}
				}
				return len(data)
			}
			if got, want := wire.TextEnd(data, i), first(odd); got != want {
				t.Fatalf("TextEnd(%q, %d) = %d, want %d", data, i, got, want)
			}
			if got, want := wire.PlainEnd(data, i), first(func(c byte) bool { return odd(c) || c >= utf8.RuneSelf }); got != want {
				t.Fatalf("PlainEnd(%q, %d) = %d, want %d", data, i, got, want)
			}
		}
	})
}

// Keys tell what a map of strings tells, in maps inside each other.
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

// A mark holds a short key and nothing of what stands behind it.
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

// A string that was quoted stands for the text again, and has no more escapes
// than it needs.
func TestAppendQuoted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.OneOf(
			rapid.ByteRange('a', 'z'), rapid.SampledFrom([]byte("\x00\x01\b\t\n\f\r\x1f \"\\/\x7f")),
		), 0, 60).Draw(t, "text")) + rapid.SampledFrom([]string{"", "é", "😀"}).Draw(t, "wide")
		quoted := wire.AppendQuoted([]byte("before"), []byte(text))
		var back string
		if err := json.Unmarshal(quoted[len("before"):], &back); err != nil || back != text {
			t.Fatalf("%q: %s: %q, %v", text, quoted, back, err)
		}
		n := len("before") + 2
		for _, c := range []byte(text) {
			switch {
			case c == '"', c == '\\', c == '\b', c == '\t', c == '\n', c == '\f', c == '\r':
				n += 2
			case c < ' ':
				n += 6
			default:
				n++
			}
		}
		if len(quoted) != n {
			t.Fatalf("%q: %s has %d bytes, want %d", text, quoted, len(quoted), n)
		}
	})
}

// Keys that were kept do not depend on what they were read into.
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
