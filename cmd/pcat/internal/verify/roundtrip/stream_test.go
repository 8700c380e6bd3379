package roundtrip_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/cmd/pcat/internal/verify/roundtrip"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// inBatches checks that a document has the same result in batches of any size as
// in memory.
func inBatches(t testing.TB, data, name string, through []serialization.Format, o roundtrip.Options) {
	t.Helper()
	want, wantErr := roundtrip.Document([]byte(data), format(t, name), through, o)
	for _, size := range []int{1, 300, 1 << 20} {
		got, err := roundtrip.StreamInBatches(strings.NewReader(data), format(t, name), through, o, size)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%.200q in batches of %d: want error %v, got %v", data, size, wantErr, err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(roundtrip.Conversion{})); diff != "" {
			t.Errorf("%.200q in batches of %d: %s", data, size, diff)
		}
	}
}

func TestStreamCatalogs(t *testing.T) {
	files, err := filepath.Glob("../../../../../testdata/catalogs/*/rich.*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalogs: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		inBatches(t, string(data), "rich"+strings.Replace(filepath.Ext(file), ".", "-", 1), formats.Default().Formats(), roundtrip.Options{})
	}
}

// resource returns a resource with the parameters p.
func resource(title, p string) string {
	return `{"type":"File","title":"` + title + `","parameters":{` + p + `}}`
}

const timestamp = `{"__ptype":"Timestamp","__pvalue":"1970-01-01T00:00:00.000000000 UTC"}`

// TestStreamDocuments checks locations, losses and the spelling of documents of
// all shapes.
func TestStreamDocuments(t *testing.T) {
	list := []string{
		resource("/a", `"x":1`), resource("/b", `"x":`+timestamp), resource("/c", `"x":[1,`+timestamp+`],"y":`+timestamp),
		resource("/d", `"x":"é\n","n":1.50`), resource("/e", `"x":36893488147419103232`), resource("/f", `"x":`+timestamp),
	}
	const edges = `"edges":[{"source":"A[1]","target":"B[1]"},{"source":"A[2]","target":{"k":` + timestamp + `}}]`
	for _, doc := range []string{
		`{"name":"n","resources":[` + strings.Join(list, ",") + `],` + edges + `,"x":` + timestamp + `}`,
		`{"name":"n","resources":[` + strings.Join(list[:3], ",") + `],` + edges + "}\n",
		`{"name":"n","resources":[` + strings.Join(list[3:], ",") + `]}`,
		`[{"resources":[` + list[0] + `]},{"x":` + timestamp + `,"resources":[],` + edges + `}]`,
		`{"catalog":{"resources":{"data":[` + list[0] + `,{"x":` + timestamp + `},{"type":"T","y":1}],"href":` + timestamp + `}}}`,
		`{"resources":[` + list[0] + `, ` + list[0] + `]}`,
		`{"resources":[` + list[0] + `,` + list[0] + `] }`,
		`{"resources":[` + list[0] + "]}\n\n",
		`{"resources":[` + list[0] + `],"\u006eame":"n"}`,
		"{\n  \"resources\": [\n    {\n      \"type\": \"A\",\n      \"title\": \"b\"\n    },\n    {\n      \"type\": \"A\",\n      \"title\": \"c\"\n    }\n  ],\n  \"edges\": [\n\n  ]\n}\n",
		"{\n  \"resources\": [\n    {\n      \"type\": \"A\",\n      \"title\": \"b\"\n    },\n    {\n      \"type\": \"A\", \"title\": \"c\"\n    }\n  ]\n}\n",
		`{"a":[1],"resources":[` + list[0] + `,{"x":{"__ptype":"LocalRef","__pvalue":"$['a']"}}]}`,
		`{"a":1,"resources":[` + list[0] + `],"a":2}`, `{"resources":[` + list[0] + `,1]}`, `{"resources":[` + list[0] + `}`, `{"a":` + timestamp + `}`, `[]`, `1`, ``,
	} {
		inBatches(t, doc, "rich-json", formats.Default().Formats(), roundtrip.Options{})
		inBatches(t, doc, "rich-json", formats.Default().Formats(), roundtrip.Options{ValuesOnly: true})
		inBatches(t, doc, "json", formats.Default().Formats(), roundtrip.Options{})
		v, err := format(t, "rich-json").Decode([]byte(doc), serialization.DecodeOptions{AllowUnknownTypes: true})
		if err != nil {
			continue
		}
		for _, f := range formats.Default().Formats() {
			if written, err := f.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.PlainSecrets}); err == nil {
				inBatches(t, string(written), f.Name, formats.Default().Formats(), roundtrip.Options{})
			}
		}
	}
}

// TestStreamDifferences checks the first difference of each kind.
func TestStreamDifferences(t *testing.T) {
	doc := `{"name":"n","resources":[` + resource("/a", `"x":"one"`) + "," + resource("/b", `"x":["two"]`) + `,{"odd":"three"},` + resource("/c", `"x":"two"`) + `],"edges":[{},{"source":"four"}]}`
	for _, text := range []string{"n", "one", "two", "three", "four"} {
		changed := broken(t, func(v pcore.Value) pcore.Value {
			if v == pcore.String(text) {
				return pcore.String("other")
			}
			return v
		})
		inBatches(t, doc, "rich-json", []serialization.Format{changed}, roundtrip.Options{})
	}
}

func TestStreamAnyValue(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		values := rapid.SampledFrom([]string{`1`, `"a"`, timestamp, `[` + timestamp + `]`, `{"k":null}`, `1.50`, ` true`, `"\u0041"`, `36893488147419103232`, `{"__ptype":"Sensitive","__pvalue":"s"}`})
		var list []string
		for i := range rapid.IntRange(0, 6).Draw(r, "resources") {
			list = append(list, resource(fmt.Sprint("/", i), `"x":`+values.Draw(r, "value")))
		}
		doc := `{"h":` + values.Draw(r, "header") + `,"resources":[` + strings.Join(list, ",") + `],"t":` + values.Draw(r, "last") + `}`
		inBatches(t, doc, "rich-json", formats.Default().Formats(), roundtrip.Options{})
	})
}

// TestStreamLarge checks a catalog of many batches: a late difference, and losses.
func TestStreamLarge(t *testing.T) {
	const n = 300
	var doc bytes.Buffer
	doc.WriteString(`{"resources":[`)
	for i := range n {
		if i > 0 {
			doc.WriteByte(',')
		}
		doc.WriteString(resource(fmt.Sprint("/", i), `"x":`+timestamp+`,"content":"`+strings.Repeat("x", 60<<10)+`"`))
	}
	doc.WriteString(`],"edges":[` + strings.Repeat(`{},`, 70_000) + `{"source":"late","target":` + timestamp + `}]}`)
	late := broken(t, func(v pcore.Value) pcore.Value {
		if v == pcore.String("late") {
			return pcore.Integer(1)
		}
		return v
	})
	r, err := roundtrip.Stream(bytes.NewReader(doc.Bytes()), format(t, "rich-json"), []serialization.Format{format(t, "json"), format(t, "rich-json"), late}, roundtrip.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := status(t, r, "json"); r.Size != doc.Len() || s.Losses != n+1 || s.Text != "File[/0]/x" {
		t.Errorf("%d bytes, %+v", r.Size, s)
	}
	if s := status(t, r, "rich-json"); s.Status != roundtrip.Same {
		t.Errorf("%+v", s.Difference)
	}
	if s := status(t, r, "broken"); s.Status != roundtrip.Different || s.Difference.Text != "edges/70000/source" {
		t.Errorf("%+v", s.Difference)
	}
}

// TestStreamReadError checks that an error of the input is returned.
func TestStreamReadError(t *testing.T) {
	errGone := errors.New("gone")
	src := struct {
		io.Reader
		io.Seeker
	}{io.MultiReader(strings.NewReader(`{"resources":[`), errReader{errGone}), strings.NewReader("")}
	if _, err := roundtrip.Stream(src, format(t, "rich-json"), nil, roundtrip.Options{}); !errors.Is(err, errGone) {
		t.Error(err)
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

// TestSteps checks that a faulty format is found at each step, and in each batch.
func TestSteps(t *testing.T) {
	doc := `{"name":"n","resources":[` + resource("/a", `"x":"one"`) + "," + resource("/b", `"x":["two"]`) + `]}`
	for step, change := range map[roundtrip.Step]func(f *serialization.Format){
		roundtrip.StepRead: func(f *serialization.Format) {
			f.Append = func(dst []byte, _ pcore.Value, _ serialization.EncodeOptions) ([]byte, error) {
				return append(dst, 0xc1), nil
			}
		},
		roundtrip.StepValue: func(f *serialization.Format) {
			decode := f.Decode
			f.Decode = func(data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
				return decode(bytes.Replace(data, []byte("two"), []byte("TWO"), 1), o)
			}
		},
		roundtrip.StepRewrite: func(f *serialization.Format) {
			write, times := f.Append, 0
			f.Append = func(dst []byte, v pcore.Value, o serialization.EncodeOptions) ([]byte, error) {
				if times++; times%2 == 0 { // equal values, but other bytes
					v = pcore.NewArray(v)
				}
				return write(dst, v, o)
			}
		},
		roundtrip.StepOnePass: func(f *serialization.Format) {
			write, decode := f.Append, f.Decode
			f.Append = func(dst []byte, v pcore.Value, o serialization.EncodeOptions) ([]byte, error) {
				return write(dst, pcore.NewArray(v), o)
			}
			f.Decode = func(data []byte, o serialization.DecodeOptions) (pcore.Value, error) {
				return decode(data[1:], o) // without the header of the array
			}
		},
	} {
		f := format(t, "rich-msgpack")
		newDecoder := f.NewDecoder
		f.NewDecoder = func(r io.Reader, o serialization.DecodeOptions) serialization.Decoder {
			return struct{ serialization.Decoder }{newDecoder(r, o)} // not a Recycler, so that Decode is used
		}
		change(&f)
		through := []serialization.Format{f}
		r, err := roundtrip.Document([]byte(doc), format(t, "rich-json"), through, roundtrip.Options{})
		if err != nil || r.Same() || r.Formats[0].Difference.Step != step {
			t.Errorf("%s: in memory: %+v, %v", step, r, err)
		}
		r, err = roundtrip.StreamInBatches(strings.NewReader(doc), format(t, "rich-json"), through, roundtrip.Options{}, 1)
		if err != nil || r.Same() || r.Formats[0].Difference.Step != step {
			t.Errorf("%s: in batches: %+v, %v", step, r, err)
		}
	}
}
