package jsonwire

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/unescape"
)

// The end functions agree with an inspection of each byte.
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
			want := first(odd)
			wide := slices.ContainsFunc(data[i:want], func(c byte) bool { return c >= utf8.RuneSelf })
			if got, gotWide := TextEnd(data, i); got != want || gotWide != wide {
				t.Fatalf("TextEnd(%q, %d) = %d, %v, want %d, %v", data, i, got, gotWide, want, wide)
			}
			if got, want := PlainEnd(data, i), first(func(c byte) bool { return odd(c) || c >= utf8.RuneSelf }); got != want {
				t.Fatalf("PlainEnd(%q, %d) = %d, want %d", data, i, got, want)
			}
		}
	})
}

// The counts of plain bytes and of digits agree with an inspection of each
// byte.
func TestLeading(t *testing.T) {
	for n := range 17 {
		for c := range 256 {
			text := []byte("0123456789abcdef-")
			text[n] = byte(c)
			first, second := binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:])
			plain, count := 16, 0
			if n < 16 && (c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\') {
				plain = n
			}
			for count < 8 && text[count] >= '0' && text[count] <= '9' {
				count++
			}
			if got := PlainPair(first, second); got != plain {
				t.Errorf("PlainPair(%q) = %d, want %d", text[:16], got, plain)
			}
			if got := digits(first); got != count {
				t.Errorf("digits(%q) = %d, want %d", text[:8], got, count)
			}
		}
	}
}

// byByte is appendBlocks in a loop over bytes, without an end before that of data.
func byByte(out, data []byte, i int) ([]byte, int) {
	for ; i < len(data) && data[i] >= ' ' && data[i] != '"'; i++ {
		c := data[i]
		if c == '\\' {
			if i+1 == len(data) || unescape.Letter(data[i+1]) == 0 {
				break
			}
			i++
			c = unescape.Letter(data[i])
		}
		out = append(out, c)
	}
	return out, i
}

// checkBlocks reports whether appendBlocks appends the same as byByte, and stops where
// that does or near the end of data.
func checkBlocks(t interface {
	Helper()
	Fatalf(string, ...any)
}, data []byte, i int,
) {
	t.Helper()
	const before, near = "before", 65
	out, end, wide := appendBlocks([]byte(before), data, i, 0)
	want, wantEnd := byByte([]byte(before), data, i)
	// Where it stops early, byByte adds the rest.
	rest, restEnd := byByte(out, data, end)
	isNear := len(data)-end < near
	if string(rest) != string(want) || restEnd != wantEnd || end != wantEnd && !isNear {
		t.Fatalf("appendBlocks(%q, %d) is %q up to %d, want %q up to %d", data, i, out, end, want, wantEnd)
	}
	isWide := slices.ContainsFunc(data[i:end], func(c byte) bool { return c >= utf8.RuneSelf })
	if Wide(wide) != isWide {
		t.Fatalf("appendBlocks(%q, %d) moves over %q, and Wide is %v", data, i, data[i:end], !isWide)
	}
}

// An escape, and the end of a string, is found at every position, and behind an
// escape at every other one.
func TestBlocksEverywhere(t *testing.T) {
	plain := strings.Repeat("0123456789", 14)
	for _, odd := range []string{`"`, `\n`, `\"`, `\\`, `\/`, `\u0041`, `\x`, "\x1f", "\x00", "\xff", "é", "\\\xff"} {
		for i := range 70 {
			data := plain[:i] + odd + plain[i:]
			checkBlocks(t, []byte(data), 0)
			for k := range 40 {
				checkBlocks(t, []byte(data[:k]+`\t`+data[k:]), 0)
			}
			for size := range data {
				checkBlocks(t, []byte(data[:size]), 0)
			}
		}
	}
}

func TestAppendBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
			`\n`, `\\`, `\"`, `\/`, "a", "bc", "def", "a longer stretch of text", "é", "\xe9",
		}), 0, 60).Draw(t, "pieces")
		end := rapid.SampledFrom([]string{"", `"`, `\u0041`, `\`, "\n"}).Draw(t, "end")
		data := []byte(strings.Join(pieces, "") + end + strings.Repeat(rapid.SampledFrom([]string{"x", "é", `\n`, `"`}).Draw(t, "behind"), 70))
		checkBlocks(t, data, rapid.IntRange(0, min(9, len(data))).Draw(t, "from"))
	})
}

// A string that was quoted spells the text again, and has no more escapes
// than it needs.
func TestAppendQuoted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.OneOf(
			rapid.ByteRange('a', 'z'), rapid.SampledFrom([]byte("\x00\x01\b\t\n\f\r\x1f \"\\/\x7f")),
		), 0, 60).Draw(t, "text")) + rapid.SampledFrom([]string{"", "é", "😀"}).Draw(t, "wide")
		quoted := AppendQuoted([]byte("before"), []byte(text))
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
