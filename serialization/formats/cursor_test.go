package formats_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

var (
	lenient = serialization.DecodeOptions{AllowUnknownTypes: true}
	inClear = serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
)

// rich returns the rich formats.
func rich() []serialization.Format {
	var all []serialization.Format
	for _, f := range formats.Default().Formats() {
		if f.Rich {
			all = append(all, f)
		}
	}
	return all
}

// copyTo copies the next value from r to w: containers down to depth levels
// member by member, and deeper ones as raw bytes or as values.
func copyTo(w serialization.Writer, r serialization.Reader, depth int, counted, raw bool) error {
	t, err := r.Token()
	if err != nil {
		return err
	}
	if depth == 0 || t != serialization.TokenArray && t != serialization.TokenMap {
		if raw {
			value, err := r.Raw()
			if err != nil {
				return err
			}
			return w.Raw(value.Bytes)
		}
		v, err := r.Value()
		if err != nil {
			return err
		}
		return w.Value(v)
	}
	n, err := r.Enter()
	if err != nil {
		return err
	}
	if !counted {
		n = -1
	}
	if t == serialization.TokenMap {
		err = w.BeginMap(n)
	} else {
		err = w.BeginArray(n)
	}
	for err == nil {
		if t, err = r.Token(); err != nil || t == serialization.TokenEnd {
			break
		}
		if t == serialization.TokenKey {
			var key string
			if key, err = r.Key(); err != nil {
				break
			}
			if err = w.Key(key); err != nil {
				break
			}
		}
		err = copyTo(w, r, depth-1, counted, raw)
	}
	return errors.Join(err, r.Leave(), w.End())
}

// Copying a document member by member does not change it.
func TestCopy(t *testing.T) {
	for _, f := range rich() {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				v := anyvalue.Draw(t)
				doc, err := f.Append(nil, v, inClear)
				if err != nil {
					t.Fatal(err)
				}
				in := io.Reader(bytes.NewReader(doc))
				if rapid.Bool().Draw(t, "in pieces") {
					in = iotest.OneByteReader(in)
				}
				// Value decodes rich data only as a whole; a cursor sees its
				// maps.
				depth, raw := rapid.IntRange(0, 3).Draw(t, "depth"), rapid.Bool().Draw(t, "raw")
				if !raw {
					depth = 0
				}
				var out bytes.Buffer
				r, w := f.NewReader(in, lenient), f.NewWriter(&out, inClear)
				err = errors.Join(copyTo(w, r, depth, rapid.Bool().Draw(t, "counted"), raw), w.Close(), r.End())
				if err != nil {
					t.Fatalf("%v in %q", err, doc)
				}
				if !bytes.Equal(doc, out.Bytes()) {
					t.Fatalf("want %q, got %q", doc, out.Bytes())
				}
			})
		})
	}
}

// Equal values of a document are different objects, which some formats
// distinguish.
func TestEqualIsNotTheSame(t *testing.T) {
	const doc = `[{"__ptype":"Regexp","__pvalue":"a"},{"__ptype":"Regexp","__pvalue":"a"},{"__ptype":"URI","__pvalue":"a:b"},{"__ptype":"URI","__pvalue":"a:b"}]`
	for _, f := range rich() {
		if f.Name != "rich-json" {
			continue
		}
		v, err := f.Decode([]byte(doc), lenient)
		if err != nil {
			t.Fatal(err)
		}
		list, _ := v.(*pcore.Array)
		if list.Len() != 4 || list.At(0) == list.At(1) || list.At(2) == list.At(3) {
			t.Errorf("%s: two are one", f.Name)
		}
	}
}

func TestCopyCatalogs(t *testing.T) {
	files, err := filepath.Glob("../../testdata/catalogs/*/rich.*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalogs: %v", err)
	}
	for _, file := range files {
		f, ok := formats.Default().ByExtension("x." + filepath.Base(file))
		if !ok {
			t.Fatal(file)
		}
		for depth := range 5 {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			r, w := f.NewReader(iotest.HalfReader(bytes.NewReader(data)), lenient), f.NewWriter(&out, inClear)
			if err := errors.Join(copyTo(w, r, depth, depth%2 == 0, true), w.Close(), r.End()); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if !bytes.Equal(data, out.Bytes()) {
				t.Errorf("%s, depth %d: differs", file, depth)
			}
		}
	}
}

// TestReader checks the results of a cursor in each step.
func TestReader(t *testing.T) {
	doc := pcore.NewHash(
		pcore.Entry{Key: pcore.String("a"), Value: pcore.NewArray(pcore.Integer(1), pcore.String("x"), pcore.Default{})},
		pcore.Entry{Key: pcore.String("b"), Value: pcore.Undef{}},
		pcore.Entry{Key: pcore.String("c"), Value: pcore.NewArray(pcore.Boolean(true))},
	)
	for _, f := range rich() {
		data, err := f.Append(nil, doc, inClear)
		if err != nil {
			t.Fatal(err)
		}
		r := f.NewReader(bytes.NewReader(data), lenient)
		token := func(want serialization.Token, path string) {
			t.Helper()
			got, err := r.Token()
			if err != nil || got != want || r.Path().String() != path {
				t.Errorf("%s: want token %d at %s, got %d at %s, %v", f.Name, want, path, got, r.Path(), err)
			}
		}
		key := func(want string) {
			t.Helper()
			if got, err := r.Key(); err != nil || got != want {
				t.Errorf("%s: want key %s, got %s, %v", f.Name, want, got, err)
			}
		}
		value := func(want string) {
			t.Helper()
			if got, err := r.Value(); err != nil || got.String() != want {
				t.Errorf("%s: want %s, got %v, %v", f.Name, want, got, err)
			}
		}
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
		enter := func() {
			t.Helper()
			_, err := r.Enter()
			do(err)
		}
		token(serialization.TokenMap, "$")
		enter()
		token(serialization.TokenKey, "$")
		key("a")
		token(serialization.TokenArray, "$['a']")
		enter()
		token(serialization.TokenNumber, "$['a'][0]")
		value("1")
		token(serialization.TokenString, "$['a'][1]")
		do(r.Skip())
		token(serialization.TokenMap, "$['a'][2]")
		value("default")
		token(serialization.TokenEnd, "$['a'][3]")
		do(r.Leave())
		key("b")
		token(serialization.TokenNull, "$['b']")
		value("undef")
		key("c")
		enter()
		do(r.Leave()) // skips the unread members
		token(serialization.TokenEnd, "$")
		do(r.Leave())
		do(r.End())
	}
}

func TestReaderRefuses(t *testing.T) {
	read := func(r serialization.Reader) error { // reads a whole document, like resources
		if _, err := r.Enter(); err != nil {
			return err
		}
		for {
			t, err := r.Token()
			if err != nil {
				return err
			}
			if t == serialization.TokenEnd {
				break
			}
			if _, err := r.Key(); err != nil {
				return err
			}
			if _, err := r.Raw(); err != nil {
				return err
			}
		}
		return errors.Join(r.Leave(), r.End())
	}
	for _, c := range []struct {
		format, in string
		kind       error
		path       string
	}{
		{"rich-json", `{"a":1,"b":2,"a":3}`, serialization.ErrDuplicateKey, "$['a']"},
		{"rich-json", `{"a":[{"b":"\ud800"}]}`, serialization.ErrUTF8, "$['a'][0]['b']"},
		{"rich-json", `{"a":{"x":1,"x":2}}`, serialization.ErrDuplicateKey, "$['a']['x']"},
		{"rich-json", `{"a":1`, serialization.ErrTruncated, "$"},
		{"rich-json", `{"a":1}}`, serialization.ErrTrailing, "$"},
		{"rich-json", `[1]`, serialization.ErrValue, "$[0]"},
		{"rich-json", `1`, serialization.ErrValue, "$"},
		{"rich-msgpack", "\x83\xa1a\x01\xa1b\x02\xa1a\x03", serialization.ErrDuplicateKey, "$['a']"},
		{"rich-msgpack", "\x81\xa1a\x91\xa1\xff", serialization.ErrUTF8, "$['a'][0]"},
		{"rich-msgpack", "\x81\x01\x01", serialization.ErrUnsupported, "$"},
		{"rich-msgpack", "\x82\xa1a\x01", serialization.ErrTruncated, "$"},
		{"rich-msgpack", "\x80\x01", serialization.ErrTrailing, "$"},
		{"yaml", "a: 1\nb: 2\na: 3\n", serialization.ErrDuplicateKey, "$['a']"},
		{"yaml", "a:\n  - .inf\n", serialization.ErrRange, "$['a'][0]"},
		{"yaml", "a:\n  x: 1\n  x: 2\n", serialization.ErrDuplicateKey, "$['a']['x']"},
		{"yaml", "1: 2\n", serialization.ErrUnsupported, "$"},
		{"yaml", "a: 1\n---\nb: 1\n", serialization.ErrTrailing, "$"},
	} {
		f, err := formats.Default().ByName(c.format)
		if err != nil {
			t.Fatal(err)
		}
		for name, in := range map[string]io.Reader{"whole": bytes.NewBufferString(c.in), "streamed": iotest.OneByteReader(strings.NewReader(c.in))} {
			err := read(f.NewReader(in, serialization.DecodeOptions{}))
			var e *serialization.Error
			if !errors.As(err, &e) || !errors.Is(err, c.kind) || e.Path.String() != c.path {
				t.Errorf("%s, %s, %q: want %v at %s, got %v", c.format, name, c.in, c.kind, c.path, err)
			}
		}
	}
}

// A repeated member with an equal value is dropped from values and from raw values.
func TestRepeatedMembersAreDropped(t *testing.T) {
	for _, c := range []struct{ format, in, raw string }{
		{"rich-json", `{"a":1,"b":[2],"a":1}`, `{"a":1,"b":[2]}`},
		{"rich-json", "{ \"a\": 1 ,\n \"a\": 1,\n \"b\": \",\",\n \"\\u0061\": 1 }", "{ \"a\": 1 ,\n \"b\": \",\" }"},
		{"rich-json", `{"a":{"x":1,"y":2},"a":{"y":2,"x":1,"y":2}}`, `{"a":{"x":1,"y":2}}`},
		{"rich-json", `[{"x":{"y":0,"y":0},"z":1,"x":{"y":0},"x":{"y":0},"z":1}]`, `[{"x":{"y":0},"z":1}]`},
		{"rich-json", `{"a":1,"a":1.0}`, ""},
		{"rich-json", `{"a":{"b":1},"a":{"b":1,"b":2}}`, ""},
		{"rich-json", `{"a":1,"a":1,"a":2}`, ""},
		{"rich-msgpack", "\x83\xa1a\x01\xa1b\x02\xa1a\x01", "\x82\xa1a\x01\xa1b\x02"},
		{"rich-msgpack", "\x91\xde\x00\x02\xa1x\x82\xa1y\x00\xa1y\x00\xa1x\x81\xa1y\x00", "\x91\x81\xa1x\x81\xa1y\x00"},
		{"rich-msgpack", "\x82\xa1a\x01\xa1a\x02", ""},
		{"yaml", "a: {x: 1, y: [2], x: 1}\nb: c\na: {x: 1, 'y': [ 2 ]}\n", `{"a": {"x": 1, "y": [2]}, "b": "c"}`},
		{"yaml", "a: 1\na: 2\n", ""},
	} {
		f, err := formats.Default().ByName(c.format)
		if err != nil {
			t.Fatal(err)
		}
		for name, in := range map[string]func() io.Reader{
			"whole":    func() io.Reader { return bytes.NewBufferString(c.in) },
			"streamed": func() io.Reader { return iotest.OneByteReader(strings.NewReader(c.in)) },
		} {
			raw, rawErr := f.NewReader(in(), serialization.DecodeOptions{}).Raw()
			v, err := f.NewReader(in(), serialization.DecodeOptions{}).Value()
			if c.raw == "" {
				if !errors.Is(rawErr, serialization.ErrDuplicateKey) || !errors.Is(err, serialization.ErrDuplicateKey) {
					t.Errorf("%s, %s, %q: %v, %v", c.format, name, c.in, rawErr, err)
				}
				continue
			}
			want, wantErr := f.Decode([]byte(c.raw), serialization.DecodeOptions{})
			if errors.Join(rawErr, err, wantErr) != nil || string(raw.Bytes) != c.raw || !pcore.Identical(v, want) {
				t.Errorf("%s, %s, %q: got %q and %v (%v, %v)", c.format, name, c.in, raw.Bytes, v, rawErr, err)
			}
		}
	}
}

// The depth limit is that of the document, wherever the cursor is.
func TestReaderDepth(t *testing.T) {
	for format, doc := range map[string]string{"rich-json": `[[[[1]]]]`, "rich-msgpack": "\x91\x91\x91\x91\x01", "yaml": `[[[[1]]]]`} {
		f, err := formats.Default().ByName(format)
		if err != nil {
			t.Fatal(err)
		}
		for entered := range 5 {
			for what, next := range map[string]func(serialization.Reader) error{
				"Raw":   func(r serialization.Reader) error { _, err := r.Raw(); return err },
				"Value": func(r serialization.Reader) error { _, err := r.Value(); return err },
			} {
				r := f.NewReader(strings.NewReader(doc), serialization.DecodeOptions{MaxDepth: 3})
				var err error
				for range entered {
					if _, err = r.Enter(); err != nil {
						break
					}
				}
				if err == nil {
					err = next(r)
				}
				if !errors.Is(err, serialization.ErrDepth) {
					t.Errorf("%s, %s after %d: want ErrDepth, got %v", format, what, entered, err)
				}
			}
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	for name, use := range map[string]func(serialization.Writer) error{
		"a value without key": func(w serialization.Writer) error {
			return errors.Join(w.BeginMap(1), w.Value(pcore.Integer(1)))
		},
		"a key outside of a map": func(w serialization.Writer) error { return w.Key("a") },
		"a key after a key":      func(w serialization.Writer) error { return errors.Join(w.BeginMap(1), w.Key("a"), w.Key("b")) },
		"an end of nothing":      func(w serialization.Writer) error { return w.End() },
		"an end after a key":     func(w serialization.Writer) error { return errors.Join(w.BeginMap(1), w.Key("a"), w.End()) },
		"fewer than announced":   func(w serialization.Writer) error { return errors.Join(w.BeginArray(1), w.End()) },
		"more than announced": func(w serialization.Writer) error {
			return errors.Join(w.BeginArray(0), w.Value(pcore.Undef{}), w.End())
		},
		"a close before the end":   func(w serialization.Writer) error { return errors.Join(w.BeginArray(-1), w.Close()) },
		"a secret that is refused": func(w serialization.Writer) error { return w.Value(pcore.NewSensitive(pcore.Undef{})) },
	} {
		for _, f := range rich() {
			if err := use(f.NewWriter(io.Discard, serialization.EncodeOptions{})); err == nil {
				t.Errorf("%s: %s is accepted", f.Name, name)
			}
		}
	}
}

// A catalog is read resource by resource; values that are not needed remain
// bytes.
func ExampleDefault_cursor() {
	const doc = `{"name":"web01","resources":[{"title":"a","n":1},{"title":"b","n":2}]}`
	f := formats.RichJSON()
	r := f.NewReader(strings.NewReader(doc), serialization.DecodeOptions{})
	if _, err := r.Enter(); err != nil {
		fmt.Println(err)
		return
	}
	for {
		t, err := r.Token()
		if err != nil || t == serialization.TokenEnd {
			fmt.Println(r.Leave(), r.End())
			return
		}
		key, err := r.Key()
		if err != nil {
			fmt.Println(err)
			return
		}
		raw, err := r.Raw()
		fmt.Printf("%s at %d: %s %v\n", key, raw.Offset, raw.Bytes, err)
	}
	// Output:
	// name at 8: "web01" <nil>
	// resources at 28: [{"title":"a","n":1},{"title":"b","n":2}] <nil>
	// <nil> <nil>
}
