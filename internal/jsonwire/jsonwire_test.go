package jsonwire

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pcatdev/pcat/internal/unescape"
)

// samples are values of JSON and invalid data. All primitives are tested on
// each of them, on every prefix, and with surrounding whitespace.
var samples = []struct {
	text  string
	valid bool
}{
	{`null`, true}, {`true`, true}, {`false`, true}, {`nul`, false}, {`nulL`, false}, {`tru e`, false},
	{`0`, true}, {`-0`, true}, {`7`, true}, {`123456789012345678`, true}, {`-123456789012345678`, true}, {`1234567890123456789`, true},
	{`9223372036854775808`, true}, {`123456789012345678901234567890`, true}, {`1.5`, true}, {`-0.25`, true}, {`0.1`, true},
	{`12345678901234.5`, true}, {`1234567890123456.5`, true}, {`3.14159265358979312`, true}, {`1e3`, true}, {`1E-7`, true}, {`1.25e+300`, true},
	{`00`, false}, {`-01`, false}, {`01.5`, false}, {`-`, false}, {`1.`, false}, {`.5`, false}, {`1e`, false}, {`1e+`, false}, {`1.e1`, false},
	{`+1`, false}, {`--1`, false}, {`0x1`, false}, {`1_0`, false}, {`NaN`, false}, {`Infinity`, false},
	{`""`, true}, {`"a"`, true}, {`"fifteen letters"`, true}, {`"sixteen letters!"`, true}, {`"a text that is longer than two words of a machine"`, true},
	{`"\n\t\r\b\f\/\\\""`, true}, {`"\u0041\u00e9\u20ac"`, true}, {`"\ud83d\ude00"`, true}, {`"\uD83D\uDE00 and so on, far behind the first two words"`, true},
	{`"é"`, true}, {`"😀 behind which there is a text of some length é"`, true}, {`"` + strings.Repeat(`\\`, 40) + `"`, true},
	{`"` + strings.Repeat(`0123456789\n`, 20) + `\u0041"`, true},
	{`"a`, false}, {`"\"`, false}, {`"\x"`, false}, {`"\u12"`, false}, {`"\u12g4"`, false}, {"\"\x00\"", false}, {"\"a\nb\"", false}, {"\"a text that is longer, \x1f\"", false},
	{`[]`, true}, {`[ ]`, true}, {`[1]`, true}, {`[1,[2,[3]],"]"]`, true}, {"[ 1 ,\n\t2\r]", true}, {`[1 2]`, false}, {`[,1]`, false}, {`[1,]`, false}, {`[1}`, false},
	{`{}`, true}, {`{"a":1}`, true}, {`{ "a" : {"b\n":["}"]} , "":null }`, true}, {`{"a"}`, false}, {`{"a":}`, false}, {`{a:1}`, false}, {`{1:2}`, false}, {`{"a":1,}`, false}, {`{"a":1 "b":2}`, false},
	{``, false}, {` `, false}, {"\ufeff1", false}, {`1 2`, false}, {`]`, false}, {`:`, false}, {"\v1", false}, {"\u00a01", false},
}

// grammar reads JSON with the primitives that check their input, and returns
// the position behind the value at i, None when there is no valid one. It appends
// the texts of strings.
type grammar struct {
	data  []byte
	texts []string
	depth int
}

func (g *grammar) at(i int) byte {
	if i < len(g.data) {
		return g.data[i]
	}
	return 0
}

func (g *grammar) value(i int) int {
	switch c := g.at(i); c {
	case '"':
		return g.text(i)
	case '{', '[':
		return g.members(i+1, c)
	case 'n':
		return g.literal(i, "null")
	case 't':
		return g.literal(i, "true")
	case 'f':
		return g.literal(i, "false")
	default:
		if !BeginsNumber(c) {
			return None
		}
		end, _, ok := Number(g.data, i)
		if !ok {
			return None
		}
		return end
	}
}

func (g *grammar) literal(i int, text string) int {
	end, ok := Literal(g.data, i, text)
	if !ok {
		return None
	}
	return end
}

func (g *grammar) text(i int) int {
	start := i + 1
	end := ShortEnd(g.data, start)
	if end < len(g.data) && g.data[end] == '"' {
		g.texts = append(g.texts, string(g.data[start:end]))
		return end + 1
	}
	text, end, _, fault := AppendString(nil, g.data, start)
	if fault == unescape.Unpaired { // encoding/json accepts it, so parsing may continue
		end = StringEnd(g.data, i)
		if end < 0 {
			return None
		}
		text, end = unescape.Lenient(nil, g.data[start:end-1]), end-1
		if !json.Valid(g.data[i : end+1]) {
			return None
		}
	} else if fault != unescape.None || end >= len(g.data) || g.data[end] != '"' {
		return None
	}
	g.texts = append(g.texts, string(text))
	return end + 1
}

func (g *grammar) members(i int, open byte) int {
	if g.depth++; g.depth > 1000 {
		return None
	}
	for first := true; ; first = false {
		if i = SkipBlanks(g.data, i); g.at(i) == open+2 { // in ASCII, both pairs of brackets are two apart
			g.depth--
			return i + 1
		}
		if !first {
			if g.at(i) != ',' {
				return None
			}
			i = SkipBlanks(g.data, i+1)
		}
		if open == '{' {
			if g.at(i) != '"' {
				return None
			}
			if i = g.text(i); i < 0 {
				return None
			}
			if i = SkipBlanks(g.data, i); g.at(i) != ':' {
				return None
			}
			i = SkipBlanks(g.data, i+1)
		}
		if i = g.value(i); i < 0 {
			return None
		}
	}
}

// check tests all primitives on a document.
func check(t *testing.T, data []byte) (valid bool) {
	t.Helper()
	g := grammar{data: data}
	start := SkipBlanks(data, 0)
	end := g.value(start)
	if g.depth > 1000 {
		return false
	}
	valid = end >= 0 && SkipBlanks(data, end) == len(data)
	if want := json.Valid(data); valid != want {
		t.Fatalf("%q: valid is %v, want %v", data, valid, want)
	}
	if valid {
		checkValue(t, data, start, end)
		checkTexts(t, data, g.texts)
		checkStructure(t, data, start)
	}
	for i := range len(data) + 1 { // they terminate at any position
		if end, more := Next(data, i); more && (end <= i && data[i] != '"' || end >= len(data)) && end < i {
			t.Fatalf("%q: Next goes from %d to %d", data, i, end)
		}
		for name, end := range map[string]int{"StringEnd": StringEnd(data, i), "ValueEnd": ValueEnd(data, i)} {
			if end != None && (end <= i || end > len(data)) {
				t.Fatalf("%q: %s goes from %d to %d", data, name, i, end)
			}
		}
		if key, _, at := Key(data, i); at != None && (at < i+len(key)+len(`"":`) || at > len(data)) {
			t.Fatalf("%q: Key goes from %d to %d", data, i, at)
		}
		if end, _, _ := Number(data, i); end < i || end > len(data) {
			t.Fatalf("%q: Number goes from %d to %d", data, i, end)
		}
		checkSmall(t, data, i)
	}
	return valid
}

// checkValue compares the ways to skip a valid value.
func checkValue(t *testing.T, data []byte, start, end int) {
	t.Helper()
	if got := ValueEnd(data, start); got != end {
		t.Fatalf("%q: ValueEnd is %d, want %d", data, got, end)
	}
	switch data[start] {
	case '"':
		if got := StringEnd(data, start); got != end {
			t.Fatalf("%q: StringEnd is %d, want %d", data, got, end)
		}
	case '{', '[':
		i, more := Next(data, start)
		for ; more; i, more = Next(data, i) {
			if data[start] == '{' {
				_, _, i = Key(data, i)
			}
			next := ValueEnd(data, i)
			if !json.Valid(data[i:next]) {
				t.Fatalf("%q: Next takes %q for a value", data, data[i:next])
			}
			i = next
		}
		if i != end {
			t.Fatalf("%q: Next ends at %d, want %d", data, i, end)
		}
	}
}

// checkTexts compares the texts of all strings with the ones of encoding/json.
func checkTexts(t *testing.T, data []byte, texts []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			break
		}
		want, ok := token.(string)
		if !ok {
			continue
		}
		got := texts[0]
		texts = texts[1:]
		// encoding/json also replaces invalid UTF-8.
		if strings.ToValidUTF8(got, "\ufffd") != want && utf8.ValidString(got) {
			t.Fatalf("%q: the text is %q, want %q", data, got, want)
		}
		quoted := AppendQuoted(nil, []byte(got))
		if back, end, _, fault := AppendString(nil, quoted, 1); string(back) != got || end != len(quoted)-1 || fault != unescape.None {
			t.Fatalf("%q is quoted as %q", got, quoted)
		}
	}
	if len(texts) > 0 {
		t.Fatalf("%q: %q are no strings", data, texts)
	}
}

// checkStructure compares Blocks with an inspection of each byte.
func checkStructure(t *testing.T, data []byte, start int) {
	t.Helper()
	var blocks Blocks
	inString, escaped := false, false
	for at := start; at < len(data); at += BlockLen {
		var b [BlockLen + Ahead]byte
		for i := range b {
			b[i] = ' '
		}
		copy(b[:], data[at:])
		got := blocks.Next(&b)
		var want Masks
		for i, c := range b[:BlockLen] {
			bit := uint64(1) << i
			switch {
			case escaped:
				escaped = false
				want.Escaped |= bit
				want.Strings |= bit
			case c == '"':
				want.Quotes |= bit
				if inString = !inString; inString {
					want.Strings |= bit
				}
			case inString:
				escaped = c == '\\'
				want.Strings |= bit
			case c == ',':
				want.Commas |= bit
			case strings.IndexByte("{}[]", c) >= 0:
				want.Marks |= bit
			}
		}
		got.Marks &^= got.Strings
		if got != want {
			t.Fatalf("%q, from %d on: %x, want %x", data, at, got, want)
		}
	}
	if blocks.InString() {
		t.Fatalf("%q ends in a string", data)
	}
}

// checkSmall compares the value of a small number with strconv.
func checkSmall(t *testing.T, data []byte, i int) {
	t.Helper()
	n, f, end, class := SmallNumber(data, i)
	whole, integer, ok := Number(data, i)
	if class == NotSmall {
		return
	}
	if !ok || end != whole || end == len(data) || integer != (class == SmallInteger) {
		t.Fatalf("%q: SmallNumber takes %q for a number", data, data[i:end])
	}
	if integer {
		want, _ := new(big.Int).SetString(string(data[i:end]), 10)
		if !want.IsInt64() || n != want.Int64() {
			t.Fatalf("%q is %d", data[i:end], n)
		}
		return
	}
	if want, err := strconv.ParseFloat(string(data[i:end]), 64); err != nil || math.Float64bits(f) != math.Float64bits(want) {
		t.Fatalf("%q is %v, want %v", data[i:end], f, want)
	}
}

func TestPrimitives(t *testing.T) {
	for _, s := range samples {
		if got := check(t, []byte(s.text)); got != s.valid {
			t.Errorf("%q: valid is %v", s.text, got)
		}
		for _, around := range [][2]string{{" \t\r\n", " \n"}, {"[", "]"}, {`{"key" : `, "}"}, {`[[],"a\\",`, `,{"b":[]}]`}} {
			check(t, []byte(around[0]+s.text+around[1]))
		}
		for i := range s.text {
			check(t, []byte(s.text[:i]))
			check(t, []byte("[1,"+s.text[:i]))
			for _, c := range []byte("\"\\,:[]{}0 \x00\xff") {
				check(t, []byte(s.text[:i]+string([]byte{c})+s.text[i+1:]))
			}
		}
	}
}

// A number is small up to the documented number of digits.
func TestSmallNumber(t *testing.T) {
	for text, want := range map[string]Class{
		"0,": SmallInteger, "-0,": SmallInteger, "123456789012345678,": SmallInteger, "-123456789012345678]": SmallInteger, "1234567890123456789,": NotSmall,
		"0.5,": SmallFloat, "-0.0,": SmallFloat, "123456789.012345,": SmallFloat, "123456789.0123456,": NotSmall, "123456789012345.5,": NotSmall,
		"1e3,": NotSmall, "1.5e3,": NotSmall, "1.,": NotSmall, "01,": NotSmall, "-,": NotSmall, "12": NotSmall, "1.5": NotSmall, "": NotSmall,
	} {
		if _, _, _, got := SmallNumber([]byte(text), 0); got != want {
			t.Errorf("%q: the class is %d, want %d", text, got, want)
		}
	}
}

// AppendString returns the fault of an escape and its position.
func TestFaults(t *testing.T) {
	for text, want := range map[string]struct {
		end   int
		fault unescape.Fault
	}{
		`a\`: {1, unescape.Truncated}, `a\u12`: {1, unescape.Truncated}, `\ud83d\ude0`: {0, unescape.Truncated}, `ab\x`: {2, unescape.BadLetter}, `ab\n\u123g"`: {4, unescape.BadHex},
		`\ud83dx`: {0, unescape.Unpaired}, `\ud83d"`: {0, unescape.Unpaired}, `\ude00\ud83d`: {0, unescape.Unpaired}, `ab`: {2, unescape.None}, `ab"`: {2, unescape.None}, "ab\n": {2, unescape.None},
	} {
		for _, before := range []string{"", strings.Repeat("x", 100), strings.Repeat(`\n`, 50)} {
			_, end, _, fault := AppendString(nil, []byte(before+text), 0)
			if end != len(before)+want.end || fault != want.fault {
				t.Errorf("%q: fault %d at %d, want %d at %d", before+text, fault, end, want.fault, len(before)+want.end)
			}
		}
	}
}

func FuzzLexer(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 1<<10 {
			check(t, data)
		}
	})
}
