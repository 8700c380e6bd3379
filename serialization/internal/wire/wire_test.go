package wire_test

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
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

// How many bytes or digits of two words are plain is found as a look at each would.
func TestLeading(t *testing.T) {
	for n := range 17 {
		for c := range 256 {
			text := []byte("0123456789abcdef-")
			text[n] = byte(c)
			first, second := binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:])
			plain, digits := 16, 0
			if n < 16 && (c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\') {
				plain = n
			}
			for digits < 8 && text[digits] >= '0' && text[digits] <= '9' {
				digits++
			}
			if got := wire.PlainPair(first, second); got != plain {
				t.Errorf("PlainPair(%q) = %d, want %d", text[:16], got, plain)
			}
			if got := wire.Digits(first); got != digits {
				t.Errorf("Digits(%q) = %d, want %d", text[:8], got, digits)
			}
		}
	}
}

// Four hexadecimal digits are a number, and whatever else is not.
func TestHex(t *testing.T) {
	for i := range 4 {
		for c := range 256 {
			text := []byte("0aF9")
			text[i] = byte(c)
			want, err := strconv.ParseUint(string(text), 16, 16)
			if n, ok := wire.Hex(append(text, 'f')); ok != (err == nil) || ok && n != rune(want) {
				t.Errorf("Hex(%q) = %x, %v, want %x, %v", text, n, ok, want, err)
			}
		}
	}
	for n := range 4 {
		if _, ok := wire.Hex([]byte("0aF9")[:n]); ok {
			t.Errorf("%d digits are enough", n)
		}
	}
}

// byByte does what Unescape does, without an end before that of data.
func byByte(out, data []byte, i int) ([]byte, int) {
	for ; i < len(data) && data[i] >= ' ' && data[i] != '"'; i++ {
		c := data[i]
		if c == '\\' {
			if i+1 == len(data) || wire.Unescaped(data[i+1]) == 0 {
				break
			}
			i++
			c = wire.Unescaped(data[i])
		}
		out = append(out, c)
	}
	return out, i
}

// checkUnescape reports whether Unescape appends what byByte does, and stops where
// that does or near the end of data.
func checkUnescape(t interface {
	Helper()
	Fatalf(string, ...any)
}, data []byte, i int,
) {
	t.Helper()
	const before, near = "before", 65
	out, end, wide := wire.Unescape([]byte(before), data, i, 0)
	want, wantEnd := byByte([]byte(before), data, i)
	// Where it stops early, the rest is what byByte has for it.
	rest, restEnd := byByte(out, data, end)
	isNear := len(data)-end < near
	if string(rest) != string(want) || restEnd != wantEnd || end != wantEnd && !isNear {
		t.Fatalf("Unescape(%q, %d) is %q up to %d, want %q up to %d", data, i, out, end, want, wantEnd)
	}
	isWide := slices.ContainsFunc(data[i:end], func(c byte) bool { return c >= utf8.RuneSelf })
	if wire.Wide(wide) != isWide {
		t.Fatalf("Unescape(%q, %d) moves over %q, and Wide is %v", data, i, data[i:end], !isWide)
	}
}

// An escape, and what ends a string, is found at every position, and behind an
// escape at every other one.
func TestUnescapeEverywhere(t *testing.T) {
	plain := strings.Repeat("0123456789", 14)
	for _, odd := range []string{`"`, `\n`, `\"`, `\\`, `\/`, `\u0041`, `\x`, "\x1f", "\x00", "\xff", "é", "\\\xff"} {
		for i := range 70 {
			data := plain[:i] + odd + plain[i:]
			checkUnescape(t, []byte(data), 0)
			for k := range 40 {
				checkUnescape(t, []byte(data[:k]+`\t`+data[k:]), 0)
			}
			for size := range data {
				checkUnescape(t, []byte(data[:size]), 0)
			}
		}
	}
}

func TestUnescape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
			`\n`, `\\`, `\"`, `\/`, "a", "bc", "def", "a longer stretch of text", "é", "\xe9",
		}), 0, 60).Draw(t, "pieces")
		end := rapid.SampledFrom([]string{"", `"`, `\u0041`, `\`, "\n"}).Draw(t, "end")
		data := []byte(strings.Join(pieces, "") + end + strings.Repeat(rapid.SampledFrom([]string{"x", "é", `\n`, `"`}).Draw(t, "behind"), 70))
		checkUnescape(t, data, rapid.IntRange(0, min(9, len(data))).Draw(t, "from"))
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
