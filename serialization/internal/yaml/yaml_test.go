package yaml_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/internal/test/rubytest"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/yaml"
)

var (
	lenient = serialization.DecodeOptions{AllowUnknownTypes: true, Types: anyvalue.Types{}}
	inClear = serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
)

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyvalue.Draw(t)
		text, err := yaml.Append(nil, v, inClear)
		if err != nil {
			t.Fatal(err)
		}
		back, err := yaml.Decode(text, lenient)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !pcore.Identical(v, back) {
			t.Fatalf("came back as another value:\n%s", text)
		}
	})
}

func TestTextsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyvalue.Text(t)
		v := pcore.NewHash(pcore.Entry{Key: pcore.String(text), Value: pcore.NewArray(pcore.String(text))},
			pcore.Entry{Key: pcore.String("-" + text), Value: pcore.String(text)})
		out, err := yaml.Append(nil, v, inClear)
		if err != nil {
			t.Fatal(err)
		}
		back, err := yaml.Decode(out, lenient)
		if err != nil || !pcore.Identical(v, back) {
			t.Fatalf("%v in\n%s", err, out)
		}
	})
}

func TestEncode(t *testing.T) {
	h := func(entries ...any) *pcore.Hash {
		var b pcore.HashBuilder
		for i := 0; i < len(entries); i += 2 {
			b.SetString(entries[i].(string), entries[i+1].(pcore.Value))
		}
		return b.Hash()
	}
	v := h("name", pcore.String("web01.example.com"), "yes", pcore.String("1.0"), "none", pcore.Undef{}, "float", pcore.Float(1e20),
		"text", pcore.String("line one\n  two: #2\n"), "open", pcore.String("a\nb"), "crlf", pcore.String("a\r\nb"),
		"list", pcore.NewArray(pcore.NewArray(pcore.Integer(1), pcore.NewArray()), h("a", pcore.Boolean(true), "b", h()), pcore.String("x\ny\n")),
		"when", pcore.NewBinary([]byte("abc")), strings.Repeat("k", 1001), h("deep", pcore.Integer(1)))
	got, err := yaml.Append(nil, v, inClear)
	want := `name: web01.example.com
"yes": "1.0"
none: null
float: 1.0e+20
text: |
  line one
    two: #2
open: |-
  a
  b
crlf: "a\r\nb"
list:
  - - 1
    - []
  - a: true
    b: {}
  - |
    x
    y
when:
  __ptype: Binary
  __pvalue: YWJj
? "` + strings.Repeat("k", 1001) + `"
:
  deep: 1
`
	if err != nil || string(got) != want {
		t.Errorf("%v, got\n%s", err, got)
	}
	if back, err := yaml.Decode(got, lenient); err != nil || !pcore.Identical(back, v) {
		t.Errorf("does not come back: %v", err)
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a: 1", "{'a' => 1}"},
		{"- yes\n- true\n- null\n- ~\n-\n- 'true'", "[true, true, undef, undef, undef, 'true']"},
		{"[0x1f, 0o17, 1_000, +1, -1, 1.5, 1e3, .5, 18446744073709551616, 0b11]", "[31, '0o17', 1000, 1, -1, 1.5, '1e3', 0.5, 18446744073709551616, 3]"},
		{"[4711e65, 08, 017, '017', 1.5e+3, ! 'no', !!str 017, !!float 1, 1e400]", "['4711e65', '08', 15, '017', 1500.0, false, '017', 1.0, '1e400']"},
		{"- :sym\n- :\"a b\"\n- :default\n", "['sym', 'a b', 'default']"},
		{"[2016-01-01, 12:30:45, 'x']", "['2016-01-01', 45045, 'x']"},
		{"2016-01-01 12:30:45.5 +1", "'2016-01-01 12:30:45.5 +1'"},
		{"[{'<<': {a: 1}}, {!!str <<: 2}]", "[{'<<' => {'a' => 1}}, {'<<' => 2}]"},
		{"&a x: &b [*a, &a y, *a]\nb: *b", "{'x' => ['x', 'y', 'y'], 'b' => ['x', 'y', 'y']}"},
		{"- &a\n  k: &b\n  - 1\n  - x: |\n     t\n- *a\n- *b\n- {y: *b}", "[{'k' => [1, {'x' => \"t\\n\"}]}, {'k' => [1, {'x' => \"t\\n\"}]}, [1, {'x' => \"t\\n\"}], {'y' => [1, {'x' => \"t\\n\"}]}]"},
		{"[&a , *a, &b !!str , *b]", "[undef, undef, '', '']"},
		{"{1: a, true: b, null: c, 1.5: d}", "{1 => 'a', true => 'b', undef => 'c', 1.5 => 'd'}"},
		{"a: &x [1]\nb: *x", "{'a' => [1], 'b' => [1]}"},
		{"!!binary YWJj", `Binary("YWJj")`},
		{"!!str 1", "'1'"},
		{"{__ptype: Hash, __pvalue: [1, 2]}", "{1 => 2}"},
		{"{__ptype: Default}", "default"},
		{`"\u263a"`, "'☺'"},
		{"--- |\n  a\n  b\n", `"a\nb\n"`},
		{"--- !ruby/object:Puppet::Resource::Catalog\nname: n\n", "{'name' => 'n'}"},
		{"[!ruby/sym a, !ruby/regexp '/a.b/', !ruby/regexp '/a/ix']", "['a', /a.b/, /(?ix:a)/]"},
	} {
		v, err := yaml.Decode([]byte(c.in), serialization.DecodeOptions{})
		if err != nil || v.String() != c.want {
			t.Errorf("%s: want %s, got %v, %v", c.in, c.want, v, err)
		}
	}
}

// TestRubyReadsTheSame checks that Ruby reads what is written as the same value.
func TestRubyReadsTheSame(t *testing.T) {
	rubytest.NeedPsych(t)
	r := rand.New(rand.NewPCG(1, 3))
	parts := strings.Split("a b é ſ ﬀ K 0 1 08 1e5 0x1f 1_0 1:30 : :a - -- --- ... . .5 .inf ~ null no Yes on y n true falſe << = ! & * # % @ ` ? | > [ ] { } , ' \" \\ / _ + "+
		"2020-01-02 \u0085 \u00a0 \u2028 \ufeff \x7f \x00 \x1b 😀 \u0301", " ")
	texts := make([]string, 0, 30000)
	for range cap(texts) {
		var b strings.Builder
		for range 1 + r.IntN(5) {
			if r.IntN(3) == 0 {
				b.WriteString([]string{" ", "\n", "\t", "\r", "\n  ", " #", ": ", "- "}[r.IntN(8)])
			}
			b.WriteString(parts[r.IntN(len(parts))])
		}
		texts = append(texts, b.String())
	}
	documents := make([]string, 0, len(texts))
	for _, text := range texts {
		h := pcore.NewHash(pcore.Entry{Key: pcore.String(text), Value: pcore.NewArray(pcore.String(text), pcore.NewHash(pcore.Entry{Key: pcore.String("k"), Value: pcore.String(text)}))})
		out, err := yaml.Append(nil, h, inClear)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, string(out))
	}
	answers := rubytest.Ask[map[string][]any](t, "testdata/load.rb", documents)
	for i, text := range texts {
		got := answers[i]
		if want := map[string][]any{text: {text, map[string]any{"k": text}}}; !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read by Ruby as %v from\n%s", text, got, documents[i])
		}
	}
}

func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x]\n")
	for i := range 9 {
		from := string(rune('0' + i))
		b.WriteString("a" + string(rune('1'+i)) + ": &a" + string(rune('1'+i)) + " [" + strings.Repeat("*a"+from+",", 9) + "]\n")
	}
	return b.String()
}

var refused = []struct {
	in   string
	kind error
	path string
}{
	{"", serialization.ErrTruncated, "$"},
	{"a: [1", serialization.ErrSyntax, "$"},
	{"a: *hunter2", serialization.ErrSyntax, "$"},
	{"\xff", serialization.ErrUTF8, "$"},
	{"a:\n  b: 1\n  b: 2", serialization.ErrDuplicateKey, "$['a']['b']"},
	{"a: [1, .inf]", serialization.ErrRange, "$['a'][1]"},
	{"a: .nan", serialization.ErrRange, "$['a']"},
	{"a: 1.0e+400", serialization.ErrRange, "$['a']"},
	{"a: !ruby/object:Gem::Requirement {}", serialization.ErrUnsupported, "$['a']"},
	{"a: !ruby/object:Puppet::Resource [1]", serialization.ErrUnsupported, "$['a']"},
	{"a: !ruby/class String", serialization.ErrUnsupported, "$['a']"},
	{"a: !ruby/regexp 'x'", serialization.ErrSyntax, "$['a']"},
	{"a: !ruby/regexp '/0(0/'", serialization.ErrValue, "$['a']"},
	{"<<: {a: 1}", serialization.ErrUnsupported, "$"},
	{"? [a]\n: 1", serialization.ErrUnsupported, "$"},
	{"a: &a [*a]", serialization.ErrDepth, "$['a']" + strings.Repeat("[0]", 511)},
	{bomb(), serialization.ErrTooLarge, ""},
	{strings.Repeat("[", 600) + strings.Repeat("]", 600), serialization.ErrDepth, "$" + strings.Repeat("[0]", 512)},
	{strings.Repeat("[", 100000), serialization.ErrDepth, ""},
	{"a: " + strings.Repeat("1", 5000), serialization.ErrRange, "$['a']"},
	{"a: [" + strings.Repeat("1,", 1<<20) + "1]", serialization.ErrTooLarge, ""},
	{"a: !!float x", serialization.ErrSyntax, "$['a']"},
	{"a: !!seq {}", serialization.ErrUnsupported, "$['a']"},
	{"\xff\xfea\x00", serialization.ErrUTF8, "$"},
	{"a: \x07", serialization.ErrSyntax, "$"},
	{"a: 1\n---\nb: 2\n", serialization.ErrTrailing, "$"},
	{"a: !!binary '*'", serialization.ErrValue, "$['a']"},
	{"a: {__ptype: Nope}", serialization.ErrUnknownType, "$['a']"},
}

func TestRefused(t *testing.T) {
	for _, c := range refused {
		_, err := yaml.Decode([]byte(c.in), serialization.DecodeOptions{})
		var e *serialization.Error
		if !errors.As(err, &e) || !errors.Is(err, c.kind) || c.path != "" && e.Path.String() != c.path {
			t.Errorf("%.40q: want %v at %.40s, got %v", c.in, c.kind, c.path, err)
			continue
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%.40q: the error quotes the document: %v", c.in, err)
		}
	}
}

// TestMemory checks that reading allocates few times the size of the text, even of very
// short elements.
func TestMemory(t *testing.T) {
	realistic := strings.Repeat("- type: File\n  title: /etc/motd\n  tags: [file, motd]\n  parameters:\n    mode: '0644'\n    content: |\n      hello\n", 2000)
	for _, c := range []struct {
		name, text string
		atMost     uint64
	}{
		{"short", "[" + strings.Repeat("1,", 500000) + "1]", 60},
		{"anchors", strings.Repeat("- &a x\n- *a\n", 50000), 130},
		{"realistic", realistic, 20},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		v, err := yaml.Decode([]byte(c.text), serialization.DecodeOptions{})
		runtime.ReadMemStats(&after)
		if err != nil || v == nil {
			t.Fatal(err)
		}
		if got := (after.TotalAlloc - before.TotalAlloc) / uint64(len(c.text)); got > c.atMost {
			t.Errorf("%s: allocated %d times the text, want at most %d", c.name, got, c.atMost)
		}
		runtime.KeepAlive(v)
	}
}

func TestErrorTellsTheLine(t *testing.T) {
	_, err := yaml.Decode([]byte("a:\n  - 1\n  - .inf\n"), serialization.DecodeOptions{})
	const want = "YAML at line 3, column 5: $['a'][1]: number out of range: the number cannot be represented"
	if err == nil || err.Error() != want {
		t.Errorf("want %s, got %v", want, err)
	}
}

func TestStream(t *testing.T) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b, inClear)
	for _, v := range []pcore.Value{pcore.Integer(1), pcore.NewArray(pcore.String("x")), pcore.String("a\nb")} {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	d := yaml.NewDecoder(&b, serialization.DecodeOptions{})
	var got []string
	for {
		v, err := d.Decode()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, v.String())
	}
	if s := strings.Join(got, " "); s != `1 ['x'] "a\nb"` {
		t.Error(s)
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range refused {
		if len(c.in) < 1000 {
			f.Add([]byte(c.in))
		}
	}
	f.Add([]byte("!ruby/regexp /0#/x"))
	f.Add([]byte("a: &x [1, 2.5, 'x', \"y\\n\", |\n  z\n]\nb: *x\nc: {__ptype: Hash, __pvalue: [1, 2]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := yaml.Decode(data, lenient)
		if err != nil {
			return
		}
		text, err := yaml.Append(nil, v, inClear)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if !anyvalue.ReadsBack(v) {
			return
		}
		back, err := yaml.Decode(text, lenient)
		if err != nil || !pcore.Identical(v, back) {
			t.Fatalf("%s came back as another value: %v", text, err)
		}
	})
}
