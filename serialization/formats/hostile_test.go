package formats_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// Input with false lengths or excessive nesting is rejected with little memory,
// in memory and streamed.
func TestHostileInputs(t *testing.T) {
	const mebibyte = 1 << 20
	for _, c := range []struct {
		name, format, in string
		kind             error
		most             uint64 // bytes that may be allocated
	}{
		{"string of 4 GiB", "rich-msgpack", "\xdb\xff\xff\xff\xff", serialization.ErrTooLarge, mebibyte},
		{"binary of 4 GiB", "rich-msgpack", "\xc6\xff\xff\xff\xff", serialization.ErrTooLarge, mebibyte},
		{"string of 1 GiB", "rich-msgpack", "\xdb\x40\x00\x00\x00abc", serialization.ErrTooLarge, mebibyte},
		{"string of 200 MiB", "rich-msgpack", "\xdb\x0c\x80\x00\x00abc", serialization.ErrTruncated, mebibyte},
		{"array of 4 Gi", "rich-msgpack", "\xdd\xff\xff\xff\xff", serialization.ErrTruncated, mebibyte},
		{"array of 4 Gi nil", "rich-msgpack", "\xdd\xff\xff\xff\xff" + strings.Repeat("\xc0", 1000), serialization.ErrTruncated, mebibyte},
		{"map of 4 Gi", "rich-msgpack", "\xdf\xff\xff\xff\xff", serialization.ErrTruncated, mebibyte},
		{"extension of 4 GiB", "rich-msgpack", "\xc9\xff\xff\xff\xff\x01", serialization.ErrUnsupported, mebibyte},
		{"nested promises", "rich-msgpack", strings.Repeat("\xdd\x00\xff\xff\xff", 500), serialization.ErrTruncated, mebibyte},
		{"100,000 arrays", "rich-msgpack", strings.Repeat("\x91", 100000), serialization.ErrDepth, mebibyte},
		{"100,000 arrays", "rich-json", strings.Repeat("[", 100000), serialization.ErrDepth, mebibyte},
		{"100,000 maps", "rich-json", strings.Repeat(`{"a":`, 100000), serialization.ErrDepth, 2 * mebibyte},
		{"100,000 arrays", "yaml", strings.Repeat("[", 100000), serialization.ErrDepth, 32 * mebibyte},
		{"duplicate key", "rich-json", `{"a":1,"a":2}`, serialization.ErrDuplicateKey, mebibyte},
		{"lone surrogate", "rich-json", `["\ud83d"]`, serialization.ErrUTF8, mebibyte},
		{"NaN", "rich-json", `[NaN]`, serialization.ErrSyntax, mebibyte},
		{"NaN", "rich-msgpack", "\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00", serialization.ErrRange, mebibyte},
		{"number without end", "rich-json", strings.Repeat("1", mebibyte), serialization.ErrRange, 8 * mebibyte},
		{"string without end", "rich-json", `"` + strings.Repeat("a", mebibyte), serialization.ErrTruncated, 8 * mebibyte},
	} {
		f, err := formats.Default().ByName(c.format)
		if err != nil {
			t.Fatal(err)
		}
		for how, read := range map[string]func() error{
			"whole": func() error { _, err := f.Decode([]byte(c.in), serialization.DecodeOptions{}); return err },
			"streamed": func() error {
				_, err := f.NewDecoder(onlyReader{strings.NewReader(c.in)}, serialization.DecodeOptions{}).Decode()
				return err
			},
			"skipped": func() error {
				return f.NewReader(onlyReader{strings.NewReader(c.in)}, serialization.DecodeOptions{}).Skip()
			},
		} {
			var err error
			allocated := allocatedBy(func() { err = read() })
			if !errors.Is(err, c.kind) {
				t.Errorf("%s, %s, %s: want %v, got %v", c.format, c.name, how, c.kind, err)
			}
			if allocated > c.most {
				t.Errorf("%s, %s, %s: %d bytes were allocated, %d would do", c.format, c.name, how, allocated, c.most)
			}
		}
	}
}

// onlyReader hides the methods that give access to the whole input.
type onlyReader struct{ io.Reader }

func allocatedBy(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Many keys take time proportional to their number. Otherwise hundreds of
// thousands of them would take hours.
func TestManyKeys(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("{")
	for i := range 300000 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"k`)
		for n := i; n > 0; n /= 10 {
			b.WriteByte(byte('0' + n%10))
		}
		b.WriteString(`x":0`)
	}
	b.WriteString("}")
	f := formats.RichJSON()
	v, err := f.Decode(b.Bytes(), serialization.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.NewReader(&b, serialization.DecodeOptions{}).Skip(); err != nil {
		t.Fatal(err)
	}
	_ = v
}
