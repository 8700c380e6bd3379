package json_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/json"
)

var (
	lenient = serialization.DecodeOptions{AllowUnknownTypes: true, Types: anyvalue.Types{}}
	inClear = serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
)

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyvalue.Draw(t)
		o := inClear
		o.Indent = rapid.SampledFrom([]string{"", "  "}).Draw(t, "indent")
		text, err := json.Append(nil, v, dataconv.Rich, o)
		if err != nil {
			t.Fatal(err)
		}
		back, err := json.Decode(text, lenient)
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if !pcore.Identical(v, back) {
			t.Fatalf("came back as another value: %s", text)
		}
		if again, _ := json.Append(nil, back, dataconv.Rich, o); !bytes.Equal(text, again) {
			t.Fatalf("written again:\n%s\n%s", text, again)
		}
	})
}

// Valid documents, and the decoded value as Ruby's JSON.generate writes it.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ in, out string }{
		{"0", "0"}, {"-0", "0"}, {" 1 ", "1"}, {"-0.0", "-0.0"}, {"1E5", "100000.0"}, {"1.0e+2", "100.0"}, {"1e-400", "0.0"},
		{"1e15", "1.0e+15"}, {"999999999999999.9", "999999999999999.9"}, {"1e-4", "0.0001"}, {"1e-5", "1.0e-05"},
		{"9223372036854775807", "9223372036854775807"}, {"-9223372036854775808", "-9223372036854775808"},
		{"9223372036854775808", "9223372036854775808"}, {"18446744073709551616", "18446744073709551616"},
		{`"\ud83d\ude00\/\u00e9"`, `"😀/é"`}, {`"\u0000\b\f\n\r\t\"\\\u001f"`, `"\u0000\b\f\n\r\t\"\\\u001f"`},
		{"\"\x7f\u2028</script>&\"", "\"\x7f\u2028</script>&\""},
		{"\t[ ]\r\n", "[]"}, {`{ "a" : [ true , false , null ] }`, `{"a":[true,false,null]}`},
		{`{"\u005f_ptype":"Default"}`, `{"__ptype":"Default"}`},
	} {
		v, err := json.Decode([]byte(c.in), serialization.DecodeOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if got, err := json.Append(nil, v, dataconv.Rich, serialization.EncodeOptions{}); err != nil || string(got) != c.out {
			t.Errorf("%s: want %s, got %s, %v", c.in, c.out, got, err)
		}
	}
}

var refused = []struct {
	in     string
	kind   error
	offset int64
	path   string
}{
	{"", serialization.ErrTruncated, 0, "$"},
	{"  ", serialization.ErrTruncated, 2, "$"},
	{"\xef\xbb\xbf[]", serialization.ErrSyntax, 0, "$"},
	{"nul", serialization.ErrTruncated, 3, "$"},
	{"nulL", serialization.ErrSyntax, 0, "$"},
	{"NaN", serialization.ErrSyntax, 0, "$"},
	{"[1,-Infinity]", serialization.ErrSyntax, 4, "$[1]"},
	{"+1", serialization.ErrSyntax, 0, "$"},
	{"01", serialization.ErrSyntax, 0, "$"},
	{"-", serialization.ErrTruncated, 1, "$"},
	{"-a", serialization.ErrSyntax, 1, "$"},
	{"1.", serialization.ErrTruncated, 2, "$"},
	{"1.e3", serialization.ErrSyntax, 2, "$"},
	{".5", serialization.ErrSyntax, 0, "$"},
	{`{"a":1e400}`, serialization.ErrRange, 5, "$['a']"},
	{strings.Repeat("9", 5000), serialization.ErrRange, 0, "$"},
	{"[1,]", serialization.ErrSyntax, 3, "$[1]"},
	{"[1 2]", serialization.ErrSyntax, 3, "$[1]"},
	{`{"a":1,}`, serialization.ErrSyntax, 7, "$"},
	{`{a:1}`, serialization.ErrSyntax, 1, "$"},
	{`{"a" 1}`, serialization.ErrSyntax, 5, "$"},
	{`{"b":{"a"}}`, serialization.ErrSyntax, 9, "$['b']"},
	{`{"a":`, serialization.ErrTruncated, 5, "$"},
	{`{"b":[1,{"a"`, serialization.ErrTruncated, 12, "$['b'][1]"},
	{`{"a":{"__pvalue":{"hunter2":"\x"},"__ptype":"Sensitive"}}`, serialization.ErrSyntax, 29, "$['a']"},
	{`{"a":{"__ptype":"\u0053ensitive","__pvalue":{"hunter2":"\x"}}}`, serialization.ErrSyntax, 56, "$['a']"},
	{`{"a":{"__ptype":"Sensitive","value":{"hunter2":"\x"}}}`, serialization.ErrSyntax, 48, "$['a']"},
	{`{"a":1,"b":{"c":1,"c":2}}`, serialization.ErrDuplicateKey, 18, "$['b']['c']"},
	{`{"a":1,"\u0061":2}`, serialization.ErrDuplicateKey, 7, "$['a']"},
	{`["a\x"]`, serialization.ErrSyntax, 3, "$[0]"},
	{`["\u12"]`, serialization.ErrSyntax, 2, "$[0]"},
	{"[\"a\nb\"]", serialization.ErrSyntax, 3, "$[0]"},
	{`["\ud800"]`, serialization.ErrUTF8, 2, "$[0]"},
	{`["\udc00\ud800"]`, serialization.ErrUTF8, 2, "$[0]"},
	{`["\ud800x"]`, serialization.ErrUTF8, 2, "$[0]"},
	{"[\"ab\xff\"]", serialization.ErrUTF8, 4, "$[0]"},
	{"[\"\\n\xff\"]", serialization.ErrUTF8, 4, "$[0]"},
	{"{\"\xc3\x28\":1}", serialization.ErrUTF8, 2, "$"},
	{`[1] x`, serialization.ErrTrailing, 4, "$"},
	{`[1][2]`, serialization.ErrTrailing, 3, "$"},
	{`/**/[1]`, serialization.ErrSyntax, 0, "$"},
	{strings.Repeat("[", 513) + strings.Repeat("]", 513), serialization.ErrDepth, 512, "$" + strings.Repeat("[0]", 512)},
	{`{"a":[{"__ptype":"Nope::Missing"}]}`, serialization.ErrUnknownType, 33, "$['a'][0]"},
	{`{"a":{"__ptype":"Sensitive","__pvalue":{"hunter2":"\x"}}}`, serialization.ErrSyntax, 51, "$['a']"},
}

func TestRefused(t *testing.T) {
	for _, c := range refused {
		_, err := json.Decode([]byte(c.in), serialization.DecodeOptions{})
		checkRefused(t, "Decode", c.in, err, c.kind, c.offset, c.path)
	}
}

// Reading byte by byte finds the same errors at the same positions.
func TestRefusedStreaming(t *testing.T) {
	for _, c := range refused {
		r := json.NewReader(iotest.OneByteReader(strings.NewReader(c.in)), serialization.DecodeOptions{})
		_, err := r.Value()
		if err == nil {
			err = r.End()
		}
		checkRefused(t, "Reader", c.in, err, c.kind, c.offset, c.path)
	}
}

func checkRefused(t *testing.T, how, in string, err, kind error, offset int64, path string) {
	t.Helper()
	if len(in) > 60 {
		in = in[:60] + "..."
	}
	var e *serialization.Error
	if !errors.As(err, &e) || !errors.Is(err, kind) {
		t.Errorf("%s %q: want %v, got %v", how, in, kind, err)
		return
	}
	if e.Offset != offset || e.Path.String() != path {
		t.Errorf("%s %q: want offset %d, path %s; got offset %d, path %s: %v", how, in, offset, path, e.Offset, e.Path, err)
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%s %q: the error tells a secret: %v", how, in, err)
	}
}

func TestErrorTellsLineAndColumn(t *testing.T) {
	const doc = "{\n  \"a\": [\n    1,\n    nil\n  ]\n}\n"
	for name, decode := range map[string]func() error{
		"whole": func() error { _, err := json.Decode([]byte(doc), serialization.DecodeOptions{}); return err },
		"stream": func() error {
			_, err := json.NewDecoder(iotest.OneByteReader(strings.NewReader(doc)), serialization.DecodeOptions{}).Decode()
			return err
		},
	} {
		const want = "invalid JSON at line 4, column 5: $['a'][1]: invalid literal, expected null"
		if err := decode(); err == nil || err.Error() != want {
			t.Errorf("%s: want %q, got %v", name, want, err)
		}
	}
}

func TestDecoderReadsOneDocumentAfterTheOther(t *testing.T) {
	d := json.NewDecoder(iotest.OneByteReader(strings.NewReader(" 1 [2]\n{\"a\":3}4")), serialization.DecodeOptions{})
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
	if s := strings.Join(got, " "); s != "1 [2] {'a' => 3} 4" {
		t.Error(s)
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		in string
		o  serialization.DecodeOptions
		ok bool
	}{
		{`"12345"`, serialization.DecodeOptions{MaxString: 5}, true},
		{`"123456"`, serialization.DecodeOptions{MaxString: 5}, false},
		{`{"123456":1}`, serialization.DecodeOptions{MaxString: 5}, false},
		{`[1,2,3]`, serialization.DecodeOptions{MaxBytes: 7}, true},
		{`[1,2,34]`, serialization.DecodeOptions{MaxBytes: 7}, false},
	} {
		_, whole := json.Decode([]byte(c.in), c.o)
		_, streamed := json.NewDecoder(iotest.HalfReader(strings.NewReader(c.in)), c.o).Decode()
		for _, err := range []error{whole, streamed} {
			if c.ok != (err == nil) || err != nil && !errors.Is(err, serialization.ErrTooLarge) {
				t.Errorf("%s: %v", c.in, err)
			}
		}
	}
	if _, err := json.Decode([]byte(`[[1]]`), serialization.DecodeOptions{MaxDepth: 1}); !errors.Is(err, serialization.ErrDepth) {
		t.Error(err)
	}
	v, err := json.Decode([]byte(`{"a":1,"b":2,"a":3}`), serialization.DecodeOptions{AllowDuplicates: true})
	if err != nil || v.String() != "{'a' => 3, 'b' => 2}" {
		t.Error(v, err)
	}
}

func TestPretty(t *testing.T) {
	v, err := json.Decode([]byte(`{"a":[],"b":{},"c":[1,[2,{"x":[]}]],"d":null}`), serialization.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Append(nil, v, dataconv.Rich, serialization.EncodeOptions{Indent: "  "})
	const want = `{
  "a": [],
  "b": {},
  "c": [
    1,
    [
      2,
      {
        "x": []
      }
    ]
  ],
  "d": null
}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestWriteRefuses(t *testing.T) {
	at := func(v pcore.Value) pcore.Value {
		return pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: pcore.NewArray(v)})
	}
	for _, c := range []struct {
		v    pcore.Value
		kind error
	}{
		{pcore.Float(math.Inf(1)), serialization.ErrRange},
		{pcore.String("a\xffb"), serialization.ErrUTF8},
		{pcore.NewSensitive(pcore.String("s")), serialization.ErrSecret},
		{pcore.NewIterator(pcore.NewTypeReferenceType("X"), nil), serialization.ErrUnsupported},
	} {
		got, err := json.Append([]byte("kept"), at(c.v), dataconv.Rich, serialization.EncodeOptions{})
		var e *serialization.Error
		if !errors.Is(err, c.kind) || !errors.As(err, &e) || e.Path.String() != "$['a'][0]" || e.Format != "json" {
			t.Errorf("want %v at $['a'][0], got %v", c.kind, err)
		}
		if string(got) != "kept" {
			t.Errorf("%q was written", got)
		}
	}
}

// The cursor and the decoder agree on every document, whatever the size of the
// pieces in which it arrives.
func FuzzDecode(f *testing.F) {
	for _, c := range refused {
		f.Add([]byte(c.in))
	}
	f.Add([]byte(`{"a":[1,2.5,"x\n\u00e9",{"__ptype":"Hash","__pvalue":[1,2]},{"__ptype":"LocalRef","__pvalue":"$['a'][2]"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := json.Decode(data, lenient)
		r := json.NewReader(iotest.HalfReader(bytes.NewReader(data)), lenient)
		streamed, streamErr := r.Value()
		if streamErr == nil {
			streamErr = r.End()
		}
		if (err == nil) != (streamErr == nil) {
			t.Fatalf("whole: %v, streamed: %v", err, streamErr)
		}
		if err != nil {
			return
		}
		if !pcore.Identical(v, streamed) {
			t.Fatal("whole and streamed differ")
		}
		text, err := json.Append(nil, v, dataconv.Rich, inClear)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if !anyvalue.ReadsBack(v) {
			return
		}
		back, err := json.Decode(text, lenient)
		if err != nil || !pcore.Identical(v, back) {
			t.Fatalf("%s came back as another value: %v", text, err)
		}
	})
}
