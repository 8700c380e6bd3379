package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/unescape"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

var lists = []string{"resources", "edges"}

func of(data string) *document.Index {
	return document.NewIndex([]byte(data), serialization.DecodeOptions{}, lists, "watched")
}

func TestOutline(t *testing.T) {
	data := `{"name":"é\n\"x","resources":[{"type":"A","p":{"__ptype":"Sensitive","__pvalue":[1,{"a":2}]}},` +
		`{"q":["\u0041",{"__ptype":"Default"},{"__ptype":"T","__pvalue":1,"z":2}],"watched":1}],"edges":[],"x":{"__ptype" : "R"}}` + "\n"
	o := of(data)
	if o == nil {
		t.Fatal("no outline")
	}
	var b strings.Builder
	for i := range o.Parts {
		p := &o.Parts[i]
		fmt.Fprintf(&b, "%s %v %v %v %s\n", o.Key(i), p.In, p.Odd, p.Watched, data[p.Start:p.End])
		for _, r := range o.Rich(i) {
			fmt.Fprintf(&b, "  %s %s: %s (%s), depth %d\n", pathOf(o, &r), data[r.Type.Start:r.Type.End], data[r.Start:r.End], data[r.Value.Start:r.Value.End], o.Depth(&r))
		}
		if at := o.At(document.Span{Start: p.Start, End: p.End}); at != i {
			t.Errorf("At: %d instead of %d", at, i)
		}
	}
	want := `name false false false "é\n\"x"
resources true false false {"type":"A","p":{"__ptype":"Sensitive","__pvalue":[1,{"a":2}]}}
  /p Sensitive: {"__ptype":"Sensitive","__pvalue":[1,{"a":2}]} ([1,{"a":2}]), depth 1
resources true false true {"q":["\u0041",{"__ptype":"Default"},{"__ptype":"T","__pvalue":1,"z":2}],"watched":1}
  /q/1 Default: {"__ptype":"Default"} (), depth 2
  /q/2 T: {"__ptype":"T","__pvalue":1,"z":2} (), depth 2
x false false false {"__ptype" : "R"}
   R: {"__ptype" : "R"} (), depth 0
`
	if b.String() != want {
		t.Errorf("got\n%s", &b)
	}
	if text := string(o.Text); text != "\xffé\n\"x\xffA" {
		t.Errorf("Text is %q", text)
	}
	if at := o.Source(len(o.Text) - 1); !strings.HasPrefix(data[at:], `"\u0041"`) {
		t.Errorf("Source: %s", data[at:])
	}
	second := o.Parts[2].Span
	if start, end := o.TextFrom(second.Start), o.TextFrom(second.End); string(o.Text[start:end]) != "\xffA" {
		t.Errorf("TextFrom: %q", o.Text[start:end])
	}
	if !o.HasList("edges") || o.HasList("name") || of(`{"a":1}`).HasList("edges") {
		t.Error("HasList")
	}
	if o.At(document.Span{Start: 0, End: 3}) != -1 || o.At(document.Span{Start: second.Start, End: second.End + 1}) != -1 {
		t.Error("At finds what is in no part")
	}
}

// Blanks between the parts and in them change only the positions.
func TestBlanks(t *testing.T) {
	const compact = `{"name":"n","resources":[{"type":"A","p":{"__ptype":"Sensitive","__pvalue":"s"}},{"watched":["p"]}],"edges":[],"x":-1.5}`
	want := of(compact)
	for _, blank := range []string{"", " ", "\n\t", "\r\n    "} {
		data := strings.NewReplacer("{", blank+"{"+blank, "}", blank+"}"+blank, "[", blank+"["+blank, "]", blank+"]"+blank, ",", blank+","+blank, ":", blank+":"+blank).Replace(compact)
		o := of(data)
		if o == nil || len(o.Parts) != len(want.Parts) || !o.HasList("edges") {
			t.Fatalf("%q: %+v", data, o)
		}
		for i := range o.Parts {
			got, part := &o.Parts[i], &want.Parts[i]
			var b bytes.Buffer
			if err := json.Compact(&b, []byte(data[got.Start:got.End])); err != nil || b.String() != compact[part.Start:part.End] {
				t.Errorf("%q: %s, %v", data, &b, err)
			}
			if o.Key(i) != want.Key(i) || got.In != part.In || got.Watched != part.Watched || len(o.Rich(i)) != len(want.Rich(i)) {
				t.Errorf("%q: part %d is %q, %+v", data, i, o.Key(i), got)
			}
		}
	}
}

// TestOdd checks Part.Odd.
func TestOdd(t *testing.T) {
	for _, value := range []string{
		`{"a":1,"__ptype":"Sensitive"}`, `{"\u005f_ptype":"Sensitive"}`, `{"__ptype":1}`, `{"__ptype":"Sens\u0069tive"}`, `[{"b":{"\n":1}}]`,
	} {
		o := of(`{"resources":[{"type":"A"},{"p":` + value + `}]}`)
		if o == nil || o.Parts[0].Odd || !o.Parts[1].Odd {
			t.Errorf("%s is not told to be odd: %+v", value, o)
		}
	}
}

func pathOf(o *document.Index, r *document.Rich) string {
	var b strings.Builder
	for i := range o.Depth(r) {
		if key, index := o.Step(r, i); key != nil {
			fmt.Fprintf(&b, "/%s", key)
		} else {
			fmt.Fprintf(&b, "/%d", index)
		}
	}
	return b.String()
}

// The memory for the paths of rich values is not quadratic in the length.
func TestVeryManyVeryDeep(t *testing.T) {
	rich := strings.Repeat(`{"__ptype":"Default"},`, 2000) + "1"
	for depth, odd := range map[int]bool{1: false, 400: true} {
		o := of(`{"resources":[{"p":` + strings.Repeat("[", depth) + rich + strings.Repeat("]", depth) + `}]}`)
		if o == nil || o.Parts[0].Odd != odd || odd == (len(o.Rich(0)) == 2000) {
			t.Errorf("%d deep: %+v", depth, o.Parts)
		}
	}
}

// A document that is invalid or has another layout has no Index.
func TestNoOutline(t *testing.T) {
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	for _, data := range []string{
		``, ` `, `[]`, `{}`, `{ }`, `{"a":1,}`, `{"a":1}x`, `{"a":1} {}`, `{"a":1,"a":2}`, `{"a" 1}`,
		`{"\u0061":1}`, `{"a"}`, `{"a":}`, `{"a":1`, `{"resources":{}}`, `{"resources":[1]}`, `{"resources":[{"a":1} {"a":1}]}`, `{"resources":[{"a":1},]}`,
		`{"a":"` + "\xff" + `"}`, `{"a":"\x"}`, `{"a":"\ud800"}`, `{"a":"\ud800\u0041"}`, "{\"a\":\"\n\"}", `{"a":01}`, `{"a":-}`, `{"a":1.}`, `{"a":1e}`,
		`{"a":1e999}`, `{"a":nul}`, `{"a":[1,]}`, `{"a":{"b":1,"b":2}}`, `{"a":{"b":1,"\u0062":2}}`, `{"a":{"b":1,}}`, `{"a":` + deep + `}`, `{"a":"x}`,
		`{"a":"a long string that has an invalid byte ` + "\xe9" + ` in it"}`, `{"a":"escaped \n and ` + "\xe9" + ` invalid"}`,
	} {
		if of(data) != nil {
			t.Errorf("%.60q has an outline", data)
		}
	}
	for _, o := range []serialization.DecodeOptions{{Plain: true}, {AllowDuplicates: true}, {MaxBytes: 5}, {MaxString: 20}, {MaxDepth: 1}} {
		if document.NewIndex([]byte(`{"a":["a string of more than twenty bytes"]}`), o, lists, "watched") != nil {
			t.Errorf("there is an outline with %+v", o)
		}
	}
}

// agree is check for a document with the layout that an Index requires: it has an Index
// if and only if it can be decoded.
func agree(t *testing.T, data string) {
	t.Helper()
	check(t, []byte(data))
	_, err := formats.RichJSON().Decode([]byte(data), serialization.DecodeOptions{Plain: true})
	if o := of(data); (o != nil) != (err == nil) {
		t.Fatalf("%q: outline %v, but decoding finds %v", data, o != nil, err)
	}
}

// tails follow the value under test: nothing, so the value is near the end of the
// document, or more bytes than are read at once.
var tails = []string{"", "," + strings.Repeat(" ", 80) + "1"}

// TestEachByte changes and removes each byte of a document.
func TestEachByte(t *testing.T) {
	const value = `{"a":"","__ptype":"T","fifteen_letters":[],"a key of many letters":"text of sixteen_","b\n":"x\ty\\","é":"wide é",` +
		`"c":{"d":[1,-20,3.5,4e1,12345678901,true,false,null,"s","text of more than sixteen bytes",{},[ ]]} , "f" : "a \"quoted\" text that has\nsome lines\nand é\n"}`
	for _, rest := range tails {
		agree(t, `{"name":[`+value+rest+`]}`)
		for i := range value {
			for _, c := range []byte("\"\\,:{}[]09-.eaun \n\x00\x1f\x7f\x80\xc3\xff") {
				agree(t, `{"name":[`+value[:i]+string([]byte{c})+value[i:]+rest+`]}`)
				agree(t, `{"name":[`+value[:i]+string([]byte{c})+value[i+1:]+rest+`]}`)
			}
			agree(t, `{"name":[`+value[:i]+value[i+1:]+rest+`]}`)
			agree(t, `{"name":[`+value[:i])
		}
	}
}

// A string of any length ends at its quote, regardless of its contents and the next
// bytes.
func TestEachLength(t *testing.T) {
	const plain = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for _, odd := range []string{"", `\n`, `\u0041`, `\x`, `\`, "é", "\xc3", "\x1f", `"`} {
		for n := range len(plain) {
			text := `"` + plain[:n] + odd
			for _, rest := range tails {
				agree(t, `{"name":[`+text+`"`+rest+`]}`)
				agree(t, `{"name":[`+text+plain[n:]+`"`+rest+`]}`)
				agree(t, `{"name":[{`+text+`":1,"x":`+text+`"}`+rest+`]}`)
				agree(t, `{"name":[{`+text+`" : `+text+plain[n:]+`","y":2}`+rest+`]}`)
			}
		}
	}
}

// A duplicate key is found at any position and for any number of keys.
func TestEachPairOfKeys(t *testing.T) {
	for _, letters := range []string{"", "long key that no mark holds "} {
		for _, n := range []int{2, 3, 16, 17, 40} {
			for first := range n {
				for second := range n {
					members := make([]string, n)
					for i := range members {
						key := i
						if i == second {
							key = first
						}
						members[i] = fmt.Sprintf(`"%s%d":{"k":1}`, letters, key)
					}
					data := `{"name":{` + strings.Join(members, ",") + `}}`
					if (of(data) != nil) != (first == second) {
						t.Fatalf("%s: outline %v", data, of(data) != nil)
					}
				}
			}
		}
	}
}

// check compares an Index with the result of decoding: the parts are those of
// the document, and the text contains the unescaped strings.
func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, data []byte,
) {
	t.Helper()
	o := document.NewIndex(data, serialization.DecodeOptions{}, lists, "watched")
	if o == nil {
		return
	}
	if _, err := formats.RichJSON().Decode(data, serialization.DecodeOptions{Plain: true}); err != nil {
		t.Fatalf("%q has an outline, but %v", data, err)
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	found := map[string][]json.RawMessage{}
	var escaped bytes.Buffer
	end := 0
	for i := range o.Parts {
		p := &o.Parts[i]
		if p.Start <= end {
			t.Fatalf("%q: parts overlap", data)
		}
		end = p.End
		found[o.Key(i)] = append(found[o.Key(i)], data[p.Start:p.End])
		if !p.In && string(whole[o.Key(i)]) != string(data[p.Start:p.End]) {
			t.Fatalf("%q: %s is %s", data, o.Key(i), data[p.Start:p.End])
		}
		for _, r := range o.Rich(i) {
			if !p.Holds(r.Span) || data[r.Start] != '{' || data[r.End-1] != '}' || !json.Valid(data[r.Start:r.End]) {
				t.Fatalf("%q: a rich value is %s", data, data[r.Start:r.End])
			}
		}
	}
	for _, list := range lists {
		var elements []json.RawMessage
		if raw, ok := whole[list]; ok && (json.Unmarshal(raw, &elements) != nil || len(elements) != len(found[list])) {
			t.Fatalf("%q: %d of %d elements of %s", data, len(found[list]), len(elements), list)
		}
	}
	eachString(data, func(at int, _ []byte, text string) {
		if got := string(o.String(at)); got != text {
			t.Fatalf("%q: the string at %d is %q, not %q", data, at, got, text)
		}
	})
	eachEscaped(data, func(text string) { escaped.WriteString(string([]byte{unescape.BeforeString}) + text) })
	if !bytes.Equal(o.Text, escaped.Bytes()) {
		t.Fatalf("%q: the text is %q, not %q", data, o.Text, &escaped)
	}
}

// eachEscaped calls f with the unescaped text of strings with escapes.
func eachEscaped(data []byte, f func(string)) {
	eachString(data, func(_ int, raw []byte, text string) {
		if bytes.IndexByte(raw, '\\') >= 0 {
			f(text)
		}
	})
}

// eachString calls f with the position of each string, its encoding with quotes, and its
// text.
func eachString(data []byte, f func(at int, raw []byte, text string)) {
	for i := 0; i < len(data); i++ {
		if data[i] != '"' {
			continue
		}
		start := i
		for i++; data[i] != '"'; i++ {
			if data[i] == '\\' {
				i++
			}
		}
		var text string
		if raw := data[start : i+1]; json.Unmarshal(raw, &text) == nil {
			f(start, raw, text)
		}
	}
}

func TestOutlineIsOfTheDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{
			`{`, `}`, `[`, `]`, `,`, `:`, `"a"`, `"b\n"`, `"__ptype"`, `"__pvalue"`, `"Sensitive"`, `1`, `-1.5e3`, `true`, `null`, ` `, `"é\u00e9 of some more length"`,
		})
		value := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "value"), "")
		well := rapid.SampledFrom([]string{
			`{"a":1,"b\n":[]}`, `[1,2,{"k":"v\t"}]`, `"plain text that is long enough for two words"`, `{"__ptype":"Sensitive","__pvalue":"x\u00e9"}`,
		})
		for _, v := range []string{value, well.Draw(t, "valid")} {
			check(t, []byte(`{"name":`+well.Draw(t, "name")+`,"resources":[{"p":`+v+`},{"q":`+well.Draw(t, "second")+`}],"edges":[]}`))
		}
	})
}

func FuzzOutline(f *testing.F) {
	f.Add([]byte(`{"name":"é\n","resources":[{"p":{"__ptype":"Sensitive","__pvalue":1}}],"edges":[{"a":[1.5,-2e3,true]}]}`))
	f.Add([]byte(`{"a":"\ud83d\ude00","b":{"c":[{},[]],"d":null}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) { check(t, data) })
}

func ExampleNewIndex() {
	o := document.NewIndex([]byte(`{"name":"web01","resources":[{"p":{"__ptype":"Sensitive","__pvalue":"x"}}]}`), serialization.DecodeOptions{}, []string{"resources"}, "")
	for i := range o.Parts {
		fmt.Println(o.Key(i), len(o.Rich(i)), "rich values")
	}
	// Output:
	// name 0 rich values
	// resources 1 rich values
}

// pieces indexes data piece by piece.
func pieces(data []byte, o serialization.DecodeOptions) (all []*document.Index, err error) {
	s := document.NewStream(bytes.NewReader(data), o, lists, "watched")
	for {
		piece, err := s.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, piece)
	}
}

// large returns a document of n resources, some of which are longer than a piece.
func large(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"name":"n","version":12,"resources":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		text := strings.Repeat("x", 100+i%7)
		if i%1000 == 500 {
			text = strings.Repeat("y", 3<<20)
		}
		fmt.Fprintf(&b, `{"type":"File","title":"/f%d","parameters":{"content":{"__ptype":"Sensitive","__pvalue":"s\u0041%d\n"},"x":"%s"},"watched":%d}`, i, i, text, i)
	}
	b.WriteString(`],"edges":[{"source":"a","target":"b"},{"source":"c","target":"d"}],"last":1234567890}` + "\n")
	return b.Bytes()
}

// The concatenated pieces are the document, and describe each part like its Index.
func TestStream(t *testing.T) {
	for _, n := range []int{0, 1, 3, 20_000, -20_000} {
		data := large(max(n, -n))
		if n < 0 {
			var b bytes.Buffer
			if err := json.Indent(&b, data, "", "  "); err != nil {
				t.Fatal(err)
			}
			data = b.Bytes()
		}
		whole := of(string(data))
		all, err := pieces(data, serialization.DecodeOptions{})
		if whole == nil || err != nil {
			t.Fatalf("%d: %v, %v", n, whole, err)
		}
		if n > 1000 && len(all) < 5 {
			t.Errorf("%d pieces", len(all))
		}
		base, part := 0, 0
		for _, o := range all {
			if !bytes.Equal(o.Data, data[base:base+len(o.Data)]) {
				t.Fatalf("%d: a piece is not that of the document at %d", n, base)
			}
			for i := range o.Parts {
				got, want := &o.Parts[i], &whole.Parts[part]
				if base+got.Start != want.Start || base+got.End != want.End || got.In != want.In || got.Odd != want.Odd || got.Watched != want.Watched || o.Key(i) != whole.Key(part) {
					t.Fatalf("%d: part %d is %+v, want %+v", n, part, got, want)
				}
				if got, want := o.Rich(i), whole.Rich(part); len(got) != len(want) {
					t.Fatalf("%d: part %d has %d rich values, want %d", n, part, len(got), len(want))
				} else if len(got) > 0 {
					a, b := string(o.String(got[0].Value.Start)), string(whole.String(want[0].Value.Start))
					if a != b || base+got[0].Start != want[0].Start || pathOf(o, &got[0]) != pathOf(whole, &want[0]) {
						t.Fatalf("%d: part %d: %q at %s, want %q at %s", n, part, a, pathOf(o, &got[0]), b, pathOf(whole, &want[0]))
					}
				}
				part++
			}
			base += len(o.Data)
		}
		last := all[len(all)-1]
		if base != len(data) || part != len(whole.Parts) || !last.HasList("resources") || !last.HasList("edges") {
			t.Errorf("%d: %d of %d bytes, %d of %d parts", n, base, len(data), part, len(whole.Parts))
		}
	}
}

func TestStreamRefuses(t *testing.T) {
	good := large(20_000)
	broken := bytes.Clone(good)
	broken[len(broken)/2] = 0
	twice := append(bytes.TrimSuffix(bytes.Clone(good), []byte("}\n")), `,"name":"m"}`...)
	for name, data := range map[string][]byte{
		"nothing": {}, "broken": broken, "cut": good[:len(good)-2], "a member twice": twice, "two documents": append(bytes.Clone(good), good...),
		"no map": []byte("[]"),
	} {
		if all, err := pieces(data, serialization.DecodeOptions{}); !errors.Is(err, document.ErrNoIndex) {
			t.Errorf("%s: %d pieces, %v", name, len(all), err)
		}
	}
	if _, err := pieces(good, serialization.DecodeOptions{MaxBytes: 1 << 20}); !errors.Is(err, document.ErrNoIndex) {
		t.Errorf("over the limit: %v", err)
	}
	failing := document.NewStream(io.MultiReader(bytes.NewReader(good[:1000]), iotest.ErrReader(io.ErrClosedPipe)), serialization.DecodeOptions{}, lists, "watched")
	if _, err := failing.Next(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("reading: %v", err)
	}
}
