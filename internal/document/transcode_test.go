package document_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
	"github.com/pcatdev/pcat/serialization/richdata"
)

var (
	lenient = serialization.DecodeOptions{AllowUnknownTypes: true}
	inClear = serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
)

// direction is a conversion, by [document.Transcode] or by values, with the same result.
type direction struct{ from, to serialization.Format }

var (
	richJSON, richMsgpack = formats.RichJSON(), formats.RichMessagePack()

	packing   = direction{richJSON, richMsgpack}
	unpacking = direction{richMsgpack, richJSON}
)

func (d direction) name() string { return d.from.Name + " to " + d.to.Name }

func (d direction) transcode(dst, data []byte, o serialization.DecodeOptions, e serialization.EncodeOptions) ([]byte, error) {
	return document.Transcode(dst, data, d.from, d.to, o, e)
}

func (d direction) byValues(data []byte, o serialization.DecodeOptions, e serialization.EncodeOptions) ([]byte, error) {
	v, err := d.from.Decode(data, o)
	if err != nil {
		return nil, err
	}
	return d.to.Append(nil, v, e)
}

// compare converts data in one pass and by values and returns the difference.
func (d direction) compare(data []byte, o serialization.DecodeOptions, e serialization.EncodeOptions) error {
	want, wantErr := d.byValues(data, o, e)
	got, err := d.transcode([]byte("before"), data, o, e)
	switch {
	case !bytes.HasPrefix(got, []byte("before")):
		return errors.New("what was in dst is lost")
	case fmt.Sprint(err) != fmt.Sprint(wantErr):
		return fmt.Errorf("%s: %q: want error %w, got %w", d.name(), data, wantErr, err)
	case !bytes.Equal(want, got[len("before"):]):
		return fmt.Errorf("%s: %q:\nwant %q\ngot  %q", d.name(), data, want, got[len("before"):])
	}
	return nil
}

// samples are documents with special cases.
func samples() []string {
	all := []string{
		`null`, ` true `, "\t[ ]\r\n", `{ }`, `[[],{},[{}]]`, `{"a" : [ 1 , 2 ] , "b":{"c":null}}`,
		`0`, `-0`, `-1`, `127`, `128`, `-32`, `-33`, `255`, `256`, `65535`, `65536`, `-32768`, `-32769`, `4294967296`, `-2147483649`,
		`999999999999999999`, `1000000000000000000`, `9223372036854775807`, `-9223372036854775808`, `9223372036854775808`, `-9223372036854775809`,
		`18446744073709551615`, `18446744073709551616`, `1.5`, `1.50`, `-0.0`, `0.1`, `-0.3`, `0.00000000000001`, `0.000000000000001`, `12345678901234.5`, `123456789012345.5`, `1234567.12345678`, `1234567.123456789`, `1.5e1`, `-`, `1.`, `-1.`, `1.x`, `00.5`, `1.5.5`, `1E5`, `1e+2`, `1.0e-7`, `1e-400`, `1e15`, `999999999999999.9`,
		strings.Repeat("1", 100), "0." + strings.Repeat("1", 100),
		`""`, `"a"`, `"\u0000"`, `"é"`, `"\u00e9"`, `"\ud83d\ude00"`, `"😀\n"`, `"\/\b\f\n\r\t\"\\"`, `"</script>&"`, "\"\x7f\u2028\"",
		`"` + strings.Repeat("a", 31) + `"`, `"` + strings.Repeat("a", 32) + `"`, `"` + strings.Repeat("é", 128) + `"`,
		`"` + strings.Repeat(`\n`, 31) + `"`, `"` + strings.Repeat(`\n`, 32) + `"`,
		`{"\u005f_ptype":"Default"}`, `{"__ptype":"Default"}`, `{"__ptype":"Default","__pvalue":1}`, `{ "__ptype" : "Default" }`,
		`{"a":1,"__ptype":"Default"}`, `{"__pvalue":[1,2],"__ptype":"Hash"}`, `{"__pvalue":1}`,
		`{"__ptype":"Hash","__pvalue":["a",1]}`, `{"__ptype":"Hash","__pvalue":[1,2,1,3]}`, `{"__ptype":"Hash","__pvalue":["__ptype",{"__ptype":"Binary","__pvalue":"YQ=="}]}`,
		`{"__ptype":"Sensitive","__pvalue":"s"}`, `{"__ptype":"Sensitive"}`, `{"__ptype":"Sensitive","__pvalue":{"__ptype":"Sensitive","__pvalue":[1.50]}}`,
		`{"__ptype":"Sensitive","__pvalue":1,"x":2}`, `{"__ptype":"Sensitive","x":1}`, `{"__ptype":"Sensitive","__pvalue":{"a":1,"a":2}}`, `{"__ptype":"Sensitive","__pvalue":"\ud800"}`,
		`{"__ptype":"Symbol","__pvalue":"a"}`, `{"__ptype":"Symbol","__pvalue":"default"}`, `{"__ptype":"Symbol","__pvalue":1}`,
		`{"__ptype":"Binary","__pvalue":"YQ=="}`, `{"__ptype":"Binary","__pvalue":"YQ"}`, `{"__ptype":"Binary","__pvalue":"Y\u0051=="}`, `{"__ptype":"Binary","__pvalue":"*"}`, `{"__ptype":"Binary","__pvalue":"YQ==","x":1}`,
		`{"__ptype":"Regexp","__pvalue":"a/b"}`, `{"__ptype":"Regexp","__pvalue":"("}`, `{"__ptype":"SemVer","__pvalue":"1.2.3-rc1"}`, `{"__ptype":"SemVerRange","__pvalue":">= 1.0.0 <2.0.0"}`, `{"__ptype":"SemVerRange","__pvalue":"1.x"}`,
		`{"__ptype":"Timestamp","__pvalue":"2016-09-15T08:32:16.123456789 UTC"}`, `{"__ptype":"Timestamp","__pvalue":"2016-01-01"}`, `{"__ptype":"TIMESTAMP","__pvalue":"2016-01-01"}`,
		`{"__ptype":"Timespan","__pvalue":"0-00:00:05.0"}`, `{"__ptype":"Timespan","__pvalue":"0-00:00:00.005"}`, `{"__ptype":"URI","__pvalue":"http://a/b?c"}`, `{"__ptype":"URI","__pvalue":""}`, `{"__ptype":"String","__pvalue":"x"}`,
		`{"__ptype":"Deferred","name":"f"}`, `{"__ptype":"Deferred","name":"f","arguments":[]}`, `{"__ptype":"Deferred","arguments":[1],"name":"f"}`, `{"__ptype":"Deferred","name":"f","arguments":null}`,
		`{"__ptype":"Deferred","name":"f","arguments":[{"__ptype":"Deferred","name":"$facts","arguments":["a"]}]}`, `{"__ptype":"Deferred","name":1}`, `{"__ptype":"Deferred"}`, `{"__ptype":"Deferred","name":"f","arguments":[1],"x":1}`, `{"__ptype":"Deferred","name":"f","arguments":{"a":1}}`, `{"__ptype":"Deferred","name":"f","x":1}`,
		`{"__ptype":"My::Car","color":"red","parts":[{"__ptype":"Default"}]}`, `{"__ptype":"Pcore::IntegerType","from":1,"to":5}`, `{"__ptype":"Pcore::IntegerType","from":1.5}`, `{"__ptype":"Integer","__pvalue":"0x1f"}`,
		`{"__ptype":null,"a":1}`, `{"__ptype":[1]}`, `{"__ptype":{"__ptype":"Pcore::IntegerType"},"__pvalue":"42"}`, `{"__ptype":""}`, `{"__ptype":"Default","__ptype":"Default"}`,
		`[[1,[2]],{"__ptype":"LocalRef","__pvalue":"$[0][1]"}]`, `[[1],{"__ptype":"Hash","__pvalue":["a",{"__ptype":"LocalRef","__pvalue":"$[0]"}]}]`,
		`[[1],{"__ptype":"My::X","a":{"__ptype":"Local\u0052ef","__pvalue":"$[0]"}}]`, `[[1],{"\u005f_ptype":"L\u006fcalRef","__pvalue":"$[0]"}]`, `[{"__ptype":"My::X","LocalRef":1}]`,
		// Not well-formed, or beyond a limit.
		``, ` `, `[`, `{`, `[1`, `[1,`, `[1,]`, `[,]`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{,}`, `{1:2}`, `{"a" 1}`, `{"a":1 "b":2}`, `[1 2]`, `[1]x`, `[1][2]`,
		`nul`, `nulll`, `tru`, `falsy`, `01`, `-`, `+1`, `.5`, `1.`, `1.e5`, `1e`, `1e+`, `1e999`, `NaN`, `-Infinity`, `0x1`, `"`, `"a`, `"\`, `"\"`, `"\x"`, `"\u12"`, `"\u123g"`, `"\ud800"`, `"\ud800\u0041"`, `"\udc00"`, `"\ud800\ud800"`,
		"\"a\nb\"", "\"\x00\"", "\"\xff\"", "\"\xc3\"", "\"\xed\xa0\x80\"", "\"\\n\xff\"", `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"__ptype":"Sensitive","__pvalue":{"a":1,"\u0061":2}}`, "\xef\xbb\xbf[]", `[1]//`, `'a'`,
		strings.Repeat("[", 512) + strings.Repeat("]", 512), strings.Repeat("[", 513) + strings.Repeat("]", 513),
		strings.Repeat(`{"a":`, 511) + `{"__ptype":"Default"}` + strings.Repeat("}", 511), strings.Repeat(`{"a":`, 511) + `{"__ptype":"My::X","a":[]}` + strings.Repeat("}", 511),
		strings.Repeat(`{"__ptype":"Sensitive","__pvalue":`, 512) + "1" + strings.Repeat("}", 512), strings.Repeat(`{"__ptype":"Sensitive","__pvalue":`, 513) + "1" + strings.Repeat("}", 513),
	}
	for _, n := range []int{15, 16, 17, 33} {
		all = append(all, numbered(n, "[", "]", ""), numbered(n, "{", "}", "k"), "["+numbered(n, "{", "}", "k")+","+numbered(n, "[", "]", "")+"]")
	}
	doubled := numbered(40, "{", "", "k")
	all = append(all, doubled+`,"k7":1}`, doubled+`,"k39":1}`, doubled+`,"\u006b3":1}`, doubled+`,"__ptype":1}`)
	// Short samples far from the end of the document are read in words.
	for _, sample := range slices.Clone(all) {
		if len(sample) < 100 {
			all = append(all, "["+sample+`,"`+behind+`"]`)
		}
	}
	return all
}

// behind is text after the sample.
const behind = "enough that eight bytes can be read at once, and again"

// numbered returns an array of n numbers, or a map with n keys of a common prefix.
func numbered(n int, opening, closing, key string) string {
	var b strings.Builder
	b.WriteString(opening)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		if key != "" {
			b.WriteString(strconv.Quote(key+strconv.Itoa(i)) + ":")
		}
		b.WriteString(strconv.Itoa(i))
	}
	return b.String() + closing
}

// packedSamples are the samples in MessagePack, and unusual spellings.
func packedSamples(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, sample := range samples() {
		if data, err := packing.byValues([]byte(sample), lenient, inClear); err == nil {
			all = append(all, data)
		}
	}
	for _, raw := range []string{
		"", "\xc1", "\xcc", "\xcc\x01", "\xcd\x00\x01", "\xce\x00\x00\x00\x01", "\xcf\x00\x00\x00\x00\x00\x00\x00\x01", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
		"\xd0\x01", "\xd0\xff", "\xd1\xff\xff", "\xd2\x80\x00\x00\x00", "\xd3\x80\x00\x00\x00\x00\x00\x00\x00", "\xd3\x00",
		"\xca\x3f\xc0\x00\x00", "\xca\x7f\xc0\x00\x00", "\xca\x3d\xcc\xcc\xcd", "\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00", "\xcb\x80\x00\x00\x00\x00\x00\x00\x00", "\xcb\x00",
		"\xa1", "\xa1\xff", "\xa1\n", "\xa3a\"\\", "\xd9\x01a", "\xda\x00\x01a", "\xdb\x00\x00\x00\x01a", "\xdb\xff\xff\xff\xffa", "\xd9", "\xda\x00",
		"\xc4\x01a", "\x91\xc4\x01\xff", "\xd4\x01a", "\xc7\x01\x01a", "\x90", "\x91", "\x92\x01", "\xdc\x00\x01\x01", "\xdd\x00\x00\x00\x00", "\xdd\xff\xff\xff\xff", "\xdf\xff\xff\xff\xff", "\xde\x00", "\x90\x90",
		"\x80", "\x81", "\x81\xa1a", "\x81\xa1a\x01", "\xde\x00\x01\xa1a\x01", "\x82\xa1a\x01\xa1a\x02", "\x82\xa1a\x01\xd9\x01a\x02", "\x81\x01\x02", "\x81\xc0\xc0", "\x81\xc4\x01a\x01", "\x81\x90\x01", "\x81\xa1\xff\x01",
		"\x81\xd9\x07__ptype\xa7Default", "\xde\x00\x01\xa7__ptype\xa7Default", "\x82\xa7__ptype\xa9Sensitive\xa8__pvalue\xca\x3f\xc0\x00\x00", "\x82\xa7__ptype\xa9Sensitive\xa8__pvalue\xc4\x01a", "\x82\xa7__ptype\xa9Sensitive\xa8__pvalue\xa1\xff",
		"\x81\xa7__ptype\xa8LocalRef", "\x81\xa7__ptype\xc4\x07Default", "\x81\xc4\x07__ptype\xa7Default", "\x82\xa7__ptype\xa6Binary\xa8__pvalue\xc4\x01a", "\x83\xa7__ptype\xa8Deferred\xa4name\xa1f\xa9arguments\xdc\x00\x01\xcc\x01",
		strings.Repeat("\x91", 511) + "\x90", strings.Repeat("\x91", 512) + "\x90", strings.Repeat("\x81\xa1a", 512) + "\xc0", strings.Repeat("\x81\xa1a", 513) + "\xc0",
	} {
		all = append(all, []byte(raw))
	}
	for _, sample := range slices.Clone(all) {
		if len(sample) < 100 {
			all = append(all, slices.Concat([]byte("\x92"), sample, []byte("\xd9"), []byte{byte(len(behind))}, []byte(behind)))
		}
	}
	return all
}

// optionSets are options that change the output.
func optionSets() map[string]struct {
	decode serialization.DecodeOptions
	encode serialization.EncodeOptions
} {
	type options = struct {
		decode serialization.DecodeOptions
		encode serialization.EncodeOptions
	}
	return map[string]options{
		"lenient":          {lenient, inClear},
		"strict":           {serialization.DecodeOptions{}, serialization.EncodeOptions{}},
		"redacting":        {lenient, serialization.EncodeOptions{Secrets: serialization.RedactSecrets}},
		"indented":         {lenient, serialization.EncodeOptions{Secrets: serialization.PlainSecrets, Indent: "  "}},
		"local references": {lenient, serialization.EncodeOptions{Secrets: serialization.PlainSecrets, LocalReferences: true}},
		"duplicates":       {serialization.DecodeOptions{AllowDuplicates: true, AllowUnknownTypes: true}, inClear},
		"plain":            {serialization.DecodeOptions{Plain: true}, inClear},
		"limits":           {serialization.DecodeOptions{AllowUnknownTypes: true, MaxDepth: 2, MaxString: 30, MaxBytes: 100}, inClear},
		"types":            {serialization.DecodeOptions{AllowUnknownTypes: true, Types: richdata.Types{}}, inClear},
	}
}

func TestSameAsByValues(t *testing.T) {
	for name, o := range optionSets() {
		t.Run(name, func(t *testing.T) {
			for _, sample := range samples() {
				if err := packing.compare([]byte(sample), o.decode, o.encode); err != nil {
					t.Errorf("%.2000v", err)
				}
			}
			for _, sample := range packedSamples(t) {
				if err := unpacking.compare(sample, o.decode, o.encode); err != nil {
					t.Errorf("%.2000v", err)
				}
			}
		})
	}
}

// Headers have their shortest encoding at the limits of each size.
func TestLarge(t *testing.T) {
	for _, n := range []int{255, 256, 65535, 65536} {
		for _, sample := range []string{
			numbered(n, "[", "]", ""), numbered(n, "{", "}", "k"), "[" + numbered(n, "{", "}", "k") + "," + numbered(n, "[", "]", "") + "]",
			`"` + strings.Repeat("a", n) + `"`, `"` + strings.Repeat(`\u0041`, n) + `"`, `["` + strings.Repeat(`\u00e9`, n) + `"]`,
		} {
			if err := packing.compare([]byte(sample), lenient, inClear); err != nil {
				t.Errorf("%.200v", err)
			}
			data, err := packing.byValues([]byte(sample), lenient, inClear)
			if err != nil {
				t.Fatal(err)
			}
			if err := unpacking.compare(data, lenient, inClear); err != nil {
				t.Errorf("%.200v", err)
			}
		}
	}
}

func TestAnyValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyvalue.Draw(t)
		text, err := formats.RichJSON().Append(nil, v, inClear)
		if err != nil {
			t.Fatal(err)
		}
		data, err := formats.RichMessagePack().Append(nil, v, inClear)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := packing.transcode(nil, text, lenient, inClear); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%s: want %q, got %q, %v", text, data, got, err)
		}
		if got, err := unpacking.transcode(nil, data, lenient, inClear); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%q: want %s, got %s, %v", data, text, got, err)
		}
	})
}

// Strings of all lengths, as keys and as values, with special characters at all
// positions, are converted the same as by values.
func TestTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(
			rapid.StringMatching(`[a-z]{0,40}`), rapid.StringMatching(`[ -~]{1,3}`).Filter(func(s string) bool { return !strings.ContainsAny(s, "\"\\") }),
			rapid.SampledFrom([]string{`\n`, `\"`, `\\`, `\/`, `\u00e9`, `\ud83d\ude00`, `\u0061`, "é", "東", "🌞", "\x7f"}),
		)
		text := rapid.Map(rapid.SliceOfN(piece, 0, 5), func(all []string) string { return strings.Join(all, "") })
		key, other, value := text.Draw(t, "key"), text.Draw(t, "other key"), text.Draw(t, "value")
		if rapid.IntRange(0, 9).Draw(t, "wrong") == 0 {
			at := rapid.IntRange(0, len(value)).Draw(t, "at")
			value = value[:at] + rapid.SampledFrom([]string{"\x01", "\n", "\xff", "\xc3", `\x`, `\u12`, `"`}).Draw(t, "what") + value[at:]
		}
		blank := rapid.SampledFrom([]string{"", "", " ", "\r\n\t"}).Draw(t, "blank")
		sample := `[{"` + key + `"` + blank + `:` + blank + `"` + value + `"` + blank + `,` + blank + `"` + other + `":{"` + value + `":"` + key + `"}}` + blank + `,"` + behind[:rapid.IntRange(0, len(behind)).Draw(t, "left")] + `"]`
		if err := packing.compare([]byte(sample), lenient, inClear); err != nil {
			t.Fatal(err)
		}
		data, err := packing.byValues([]byte(sample), lenient, inClear)
		if err != nil {
			return
		}
		if err := unpacking.compare(data, lenient, inClear); err != nil {
			t.Fatal(err)
		}
		broken := rapid.IntRange(0, len(data)-1).Draw(t, "broken")
		data[broken] = rapid.Byte().Draw(t, "byte")
		if err := unpacking.compare(data, lenient, inClear); err != nil {
			t.Fatal(err)
		}
	})
}

// Decimal numbers are rounded as by strconv.
func TestDecimals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sample := "[" + rapid.StringMatching(`-?(0|[1-9][0-9]{0,9})\.[0-9]{1,12}`).Draw(t, "number") + `,"` + behind + `"]`
		if err := packing.compare([]byte(sample), lenient, inClear); err != nil {
			t.Fatal(err)
		}
	})
}

// Catalogs that Puppet wrote in both formats convert to each other, byte for byte.
func TestCatalogs(t *testing.T) {
	for _, dir := range catalogs(t) {
		text, data := read(t, dir, "rich.json"), read(t, dir, "rich.msgpack")
		if got, err := packing.transcode(nil, text, lenient, inClear); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: to MessagePack: %v, %d bytes, want %d", dir, err, len(got), len(data))
		}
		if got, err := unpacking.transcode(nil, data, lenient, inClear); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: to JSON: %v, %d bytes, want %d", dir, err, len(got), len(text))
		}
	}
}

func catalogs(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/catalogs/*/rich.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalogs: %v", err)
	}
	for i := range files {
		files[i] = filepath.Dir(files[i])
	}
	return files
}

func read(t testing.TB, dir, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Errors contain the location, like errors of decoding.
func TestErrors(t *testing.T) {
	_, err := packing.transcode(nil, []byte("{\"a\":[1,\n{\"b\":x}]}"), lenient, inClear)
	var e *serialization.Error
	if !errors.As(err, &e) || !errors.Is(err, serialization.ErrSyntax) {
		t.Fatalf("got %v", err)
	}
	if e.Format != "json" || e.Offset != 14 || e.Line != 2 || e.Column != 6 || e.Path.String() != "$['a'][1]['b']" {
		t.Errorf("got %+v", e)
	}
	_, err = unpacking.transcode(nil, []byte("\x81\xa1a\x91\xa1\xff"), lenient, inClear)
	if !errors.As(err, &e) || !errors.Is(err, serialization.ErrUTF8) || e.Offset != 5 || e.Path.String() != "$['a'][0]" {
		t.Errorf("got %v", err)
	}
	_, err = packing.transcode(nil, []byte(`["18",18446744073709551616]`), lenient, inClear)
	if !errors.As(err, &e) || !errors.Is(err, serialization.ErrRange) || e.Format != "msgpack" || !reflect.DeepEqual(e.Path, pcore.Path{}.Index(1)) {
		t.Errorf("got %v", err)
	}
}

// Transcoding makes no values: the number of allocations does not grow with the document.
func TestAllocations(t *testing.T) {
	element := `{"type":"File","title":"/é","tags":["a","b"],"line":12,"x":1.5,"parameters":{"content":"a\nb\"c","mode":"0644","when":{"__ptype":"Default"},` +
		`"secret":{"__ptype":"Sensitive","__pvalue":{"a":[null,true]}},"late":{"__ptype":"Deferred","name":"f","arguments":["x"]}}},`
	text := []byte("[" + strings.Repeat(element, 1000) + "1]")
	data, err := packing.byValues(text, lenient, inClear)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 0, 2*len(text))
	for _, c := range []struct {
		direction
		in []byte
	}{{packing, text}, {unpacking, data}} {
		if n := testing.AllocsPerRun(5, func() {
			if _, err := c.transcode(out, c.in, lenient, inClear); err != nil {
				t.Error(err)
			}
		}); n > 16 {
			t.Errorf("%s: %.0f allocations", c.name(), n)
		}
	}
}

func FuzzJSONToMessagePack(f *testing.F) {
	for _, sample := range samples() {
		if len(sample) < 4096 {
			f.Add([]byte(sample))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { compareAll(t, packing, data) })
}

func FuzzMessagePackToJSON(f *testing.F) {
	for _, sample := range packedSamples(f) {
		if len(sample) < 4096 {
			f.Add(sample)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { compareAll(t, unpacking, data) })
}

// compareAll compares both ways under all options, with a fixed clock, because a
// Timestamp without a value is the present time. Explicit types take another path, so
// both are tried; types are omitted only if conversion by values is deterministic, which
// it is not if it reads the clock.
func compareAll(t *testing.T, d direction, data []byte) {
	for name, o := range optionSets() {
		still := o.decode
		still.Types = anyvalue.Types{}
		d.compareBoth(t, name+", clock stands still", data, still, o.encode)
		if o.decode.Types == nil && d.isSteady(data, o.decode, o.encode) {
			d.compareBoth(t, name, data, o.decode, o.encode)
		}
	}
}

func (d direction) compareBoth(t *testing.T, name string, data []byte, o serialization.DecodeOptions, e serialization.EncodeOptions) {
	if err := d.compare(data, o, e); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	d.streamed(t, data, o, e, 5)
}

// isSteady reports whether conversion by values is deterministic.
func (d direction) isSteady(data []byte, o serialization.DecodeOptions, e serialization.EncodeOptions) bool {
	one, _ := d.byValues(data, o, e)
	other, _ := d.byValues(data, o, e)
	return bytes.Equal(one, other)
}

func BenchmarkJSONToMessagePack(b *testing.B) { packing.benchmark(b, "rich.json") }
func BenchmarkMessagePackToJSON(b *testing.B) { unpacking.benchmark(b, "rich.msgpack") }

func (d direction) benchmark(b *testing.B, file string) {
	for _, dir := range catalogs(b) {
		data := read(b, dir, file)
		b.Run(filepath.Base(dir), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			out := make([]byte, 0, 2*len(data))
			for b.Loop() {
				if _, err := d.transcode(out, data, lenient, inClear); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
