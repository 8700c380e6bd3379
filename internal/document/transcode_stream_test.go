package document_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/document"
	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// streamed compares transcoding in pieces with transcoding in memory.
func (d direction) streamed(t interface{ Fatalf(string, ...any) }, data []byte, o serialization.DecodeOptions, e serialization.EncodeOptions, piece int) (done bool) {
	want, wantErr := d.transcode(nil, data, o, e)
	var got bytes.Buffer
	done, err := document.TranscodeInPieces(&got, bytes.NewReader(data), d.from, d.to, o, e, piece, nil)
	switch {
	case err != nil:
		t.Fatalf("%s: %.300q: %v", d.name(), data, err)
	case done && (wantErr != nil || !bytes.Equal(got.Bytes(), want)):
		t.Fatalf("%s: %.300q in pieces of %d:\nwant %.300q, %v\ngot  %.300q", d.name(), data, piece, want, wantErr, got.Bytes())
	}
	return done
}

func TestTranscodeInPieces(t *testing.T) {
	for name, o := range optionSets() {
		t.Run(name, func(t *testing.T) {
			for _, piece := range []int{1, 2, 7, 64, 4096} {
				for _, sample := range samples() {
					packing.streamed(t, []byte(sample), o.decode, o.encode, piece)
				}
				for _, sample := range packedSamples(t) {
					unpacking.streamed(t, sample, o.decode, o.encode, piece)
				}
			}
		})
	}
}

// Transcoding in pieces succeeds if transcoding in memory does.
func TestStreamAnyValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyvalue.Draw(t)
		text, err := formats.RichJSON().Append(nil, v, inClear)
		if err != nil {
			t.Fatal(err)
		}
		data, err := packing.byValues(text, lenient, inClear)
		if err != nil {
			t.Fatal(err)
		}
		piece := rapid.IntRange(1, 200).Draw(t, "piece")
		if done := packing.streamed(t, text, lenient, inClear, piece); done != unpacking.streamed(t, data, lenient, inClear, piece) {
			t.Fatalf("%s: done in one direction only", text)
		}
	})
}

func TestStreamCatalogs(t *testing.T) {
	for _, dir := range catalogs(t) {
		for _, piece := range []int{100, 5000, 1 << 20} {
			if !packing.streamed(t, read(t, dir, "rich.json"), lenient, inClear, piece) || !unpacking.streamed(t, read(t, dir, "rich.msgpack"), lenient, inClear, piece) {
				t.Errorf("%s: not done", dir)
			}
		}
	}
}

// repeated is a document with a beginning, an end, and n equal parts in between. It is
// never in memory as a whole.
type repeated struct {
	begin, middle, end string
	n                  int
	pos                int64
}

func (r *repeated) len() int64 { return int64(len(r.begin) + r.n*len(r.middle) + len(r.end)) }

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) && r.pos < r.len() {
		text, at := r.end, r.pos-r.len()+int64(len(r.end))
		if begin := int64(len(r.begin)); r.pos < begin {
			text, at = r.begin, r.pos
		} else if r.pos < r.len()-int64(len(r.end)) {
			text, at = r.middle, (r.pos-begin)%int64(len(r.middle))
		}
		k := copy(p[n:], text[at:])
		n += k
		r.pos += int64(k)
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (r *repeated) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart {
		r.pos = offset
	}
	return r.pos, nil
}

// counter counts the bytes written to it and measures the memory in use.
type counter struct {
	n    int64
	peak uint64
}

func (c *counter) Write(p []byte) (int, error) {
	if c.n += int64(len(p)); c.n>>22 != (c.n-int64(len(p)))>>22 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		c.peak = max(c.peak, m.HeapInuse)
	}
	return len(p), nil
}

const element = `{"type":"File","title":"/é","tags":["a","b"],"line":12,"x":1.5,"parameters":{"content":"a\nb\"c","mode":"0644","when":{"__ptype":"Default"},` +
	`"at":{"__ptype":"Timestamp","__pvalue":"2016-09-06T01:02:03.000000000 UTC"},"own":{"__ptype":"My::Thing","x":[1]},` +
	`"secret":{"__ptype":"Sensitive","__pvalue":{"a":[null,true]}},"late":{"__ptype":"Deferred","name":"f","arguments":["x"]}}}`

// The memory used does not depend on the length of the document.
func TestStreamInBoundedMemory(t *testing.T) {
	const size, most = 48 << 20, 12 << 20
	data, err := packing.byValues([]byte(element), lenient, inClear)
	if err != nil {
		t.Fatal(err)
	}
	n := size / len(element)
	for name, c := range map[string]struct {
		direction
		doc  *repeated
		want int64
	}{
		"packing":   {packing, &repeated{begin: `{"resources":[`, middle: element + ",", end: `1],"name":"x"}`, n: n}, int64(1 + 10 + 5 + n*len(data) + 1 + 5 + 2)},
		"unpacking": {unpacking, &repeated{begin: "\x82\xa9resources\xdd" + string([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}), middle: string(data), end: "\xa4name\xa1x", n: n}, int64(len(`{"resources":[`) + n*(len(element)+1) - 1 + len(`],"name":"x"}`))},
	} {
		runtime.GC()
		var before runtime.MemStats
		runtime.ReadMemStats(&before)
		var out counter
		done, err := document.TranscodeInPieces(&out, c.doc, c.from, c.to, lenient, inClear, 64<<10, nil)
		if !done || err != nil {
			t.Errorf("%s: %v, %v", name, done, err)
		}
		if out.n != c.want {
			t.Errorf("%s: %d bytes, want %d", name, out.n, c.want)
		}
		if used := int64(out.peak) - int64(before.HeapInuse); used > most {
			t.Errorf("%s: %d bytes of memory for a document of %d", name, used, c.doc.len())
		}
	}
}

var errBroken = errors.New("broken")

type brokenWriter struct{ n int }

func (b *brokenWriter) Write(p []byte) (int, error) {
	if b.n -= len(p); b.n < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

type brokenReader struct {
	io.Reader
}

func (brokenReader) Seek(int64, int) (int64, error) { return 0, nil }

// Errors of the input and of the output are returned unchanged.
func TestStreamErrors(t *testing.T) {
	text := []byte("[" + strings.Repeat(element+",", 1000) + "1]")
	data, err := packing.byValues(text, lenient, inClear)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		direction
		in []byte
	}{{packing, text}, {unpacking, data}} {
		if _, err := document.TranscodeInPieces(&brokenWriter{100_000}, bytes.NewReader(c.in), c.from, c.to, lenient, inClear, 1000, nil); !errors.Is(err, errBroken) {
			t.Errorf("%s: to a broken writer: %v", c.name(), err)
		}
		broken := brokenReader{io.MultiReader(bytes.NewReader(c.in[:5000]), iotest.ErrReader(errBroken))}
		if _, err := document.TranscodeInPieces(io.Discard, broken, c.from, c.to, lenient, inClear, 1000, nil); !errors.Is(err, errBroken) {
			t.Errorf("%s: from a broken reader: %v", c.name(), err)
		}
		small := lenient
		small.MaxBytes = 10_000
		if done, err := document.TranscodeInPieces(io.Discard, bytes.NewReader(c.in), c.from, c.to, small, inClear, 1000, nil); done || err != nil {
			t.Errorf("%s: more than is allowed: %v, %v", c.name(), done, err)
		}
	}
}

// TestStreamMapsOnly checks that arrays of anything else are refused where maps
// are required.
func TestStreamMapsOnly(t *testing.T) {
	for doc, want := range map[string]bool{
		`{"resources":[{},{"a":1}]}`:                      true,
		`{"resources":[{},1]}`:                            false,
		`{"resources":[[]]}`:                              false,
		`{"resources":[],"name":[1]}`:                     true,
		`{"resources":{"data":[1]}}`:                      true,
		`{"a":{"b":{"c":{"d":{"resources":[1]}}}}}`:       true,
		`{"catalog":{"resources":[{}, {} , "x" ]}}`:       false,
		`{"resources":1,"a":[1]}`:                         true,
		`[{"resources":[]},{}]`:                           true,
		`[{"resources":[]},1]`:                            false,
		`{"resources":{},"a":{"resources":["x"]},"b":[]}`: false,
	} {
		for _, c := range bothWays(t, doc) {
			done, err := document.TranscodeInPieces(io.Discard, bytes.NewReader(c.in), c.from, c.to, lenient, inClear, 3, &document.Watch{Maps: []string{"resources"}})
			if done != want || err != nil {
				t.Errorf("%s: %s: %v, %v", c.name(), doc, done, err)
			}
		}
	}
}

// TestStreamLateType checks maps whose `__ptype` is not the first key, at each
// position relative to the end of a piece.
func TestStreamLateType(t *testing.T) {
	const late, filling = `"a":[1,[2],{"b":3}],"c":"long enough to be passed on",`, `"x":"\"__ptype\" in \\ text","__ptypes":"__ptype",`
	for _, doc := range []string{
		`{` + late + `"__ptype":"Hash","__pvalue":[1,2]}`,
		`{` + late + `"\u005f_ptype":"Hash","__pvalue":[1,2]}`,
		`{` + late + `"__\u0070type":"Hash","__pvalue":[1,2]}`,
		`{` + late + `"z": [ { "__ptype" : "Default" } , [ ] , [ 5 ], {} ] , "__ptype" : "My::Type" }`,
		`{` + late + filling + `"z":{"__ptype":"Sensitive","__pvalue":{"__ptype":"Default"}}}`,
	} {
		for n := range 70 {
			text := []byte(strings.Repeat(" ", n) + "[1," + strings.Repeat(" ", 70-n) + doc + "]")
			data, err := packing.byValues([]byte(doc), lenient, inClear)
			if err != nil {
				t.Fatal(err)
			}
			for _, piece := range []int{1, 20, 64} {
				packing.streamed(t, text, lenient, inClear, piece)
				unpacking.streamed(t, data, lenient, inClear, piece)
			}
		}
	}
	for _, data := range []string{"\x82\xa1a\x93\x01\x02\x03\xa7__ptype\xa7Default", "\x82\xa1a\x93\x01\x02\x03\xd9\x07__ptype\xa7Default", "\x82\xa1a\x93\x01\x02\x03\x05\x06"} {
		unpacking.streamed(t, []byte(data), lenient, inClear, 3)
	}
}

// way is a document and the direction to convert it in.
type way struct {
	direction
	in []byte
}

// bothWays returns a JSON document for both directions.
func bothWays(t *testing.T, doc string) []way {
	t.Helper()
	data, err := packing.byValues([]byte(doc), lenient, inClear)
	if err != nil {
		t.Fatal(err)
	}
	return []way{{packing, []byte(doc)}, {unpacking, data}}
}

func TestStreamReportsSecrets(t *testing.T) {
	for doc, want := range map[string]bool{
		`{"a":"Sensitive","b":"__ptype","c":["sensitive_parameters"]}`:                               false,
		`{"parameters":{"a":1},"sensitive_parameters":[]}`:                                           false,
		`{"parameters":{"a":1},"sensitive_parameters":["a"]}`:                                        true,
		`{"data":[{"x":{"parameters":{"a":1},"sensitive_\u0070arameters":["a"]}}]}`:                  true,
		`{"x":"é","a":[{"__ptype":"Sensitive","__pvalue":1}]}`:                                       true,
		`{"a":{"__ptype":"Hash","__pvalue":[1,{"__ptype":"Sensitive","__pvalue":1}]}}`:               true,
		`{"a":{"__ptype":"Hash","__pvalue":[1,{"__ptype":"Default"}]}}`:                              false,
		`{"a":{"__ptype":"My::Type","x":1,"y":{"__ptype":"Sensitive","__pvalue":1}}}`:                true,
		`{"a":{"__ptype":"Deferred","name":"f","arguments":[{"__ptype":"Sensitive","__pvalue":1}]}}`: true,
	} {
		for _, c := range bothWays(t, doc) {
			for _, piece := range []int{3, 4096} {
				watch := document.Watch{SecretList: "sensitive_parameters"}
				done, err := document.TranscodeInPieces(io.Discard, bytes.NewReader(c.in), c.from, c.to, lenient, inClear, piece, &watch)
				if !done || err != nil || watch.Secrets != want {
					t.Errorf("%s: %s: %v, %v, secrets %v", c.name(), doc, done, err, watch.Secrets)
				}
			}
		}
	}
}
