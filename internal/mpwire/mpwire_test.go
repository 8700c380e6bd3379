package mpwire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// samples are headers, each with its kind and number.
var samples = []struct {
	header string
	kind   Kind
	value  uint64
}{
	{"\xc0", Nil, 0}, {"\xc2", Bool, 0}, {"\xc3", Bool, 1},
	{"\x00", Int, 0}, {"\x7f", Int, 127}, {"\xff", Int, math.MaxUint64}, {"\xe0", Int, math.MaxUint64 - 31},
	{"\xcc\xff", Uint, 255}, {"\xcd\x01\x02", Uint, 0x102}, {"\xce\x01\x02\x03\x04", Uint, 0x1020304}, {"\xcf\xff\x02\x03\x04\x05\x06\x07\x08", Uint, 0xff02030405060708},
	{"\xd0\x80", Int, math.MaxUint64 - 127}, {"\xd0\x7f", Int, 127}, {"\xd1\xff\xfe", Int, math.MaxUint64 - 1}, {"\xd2\x80\x00\x00\x00", Int, 0xffffffff80000000}, {"\xd3\x7f\xff\xff\xff\xff\xff\xff\xff", Int, math.MaxInt64},
	{"\xca\x3f\x80\x00\x00", Float, 0x3ff0000000000000}, {"\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", Float, 0x3ff8000000000000}, {"\xca\x7f\x80\x00\x00", Float, 0x7ff0000000000000},
	{"\xa0", String, 0}, {"\xbf", String, 31}, {"\xd9\x20", String, 32}, {"\xda\x01\x00", String, 256}, {"\xdb\xff\xff\xff\xff", String, math.MaxUint32},
	{"\xc4\x01", Binary, 1}, {"\xc5\x01\x00", Binary, 256}, {"\xc6\x00\x01\x00\x00", Binary, 1 << 16},
	{"\x90", Array, 0}, {"\x9f", Array, 15}, {"\xdc\x00\x10", Array, 16}, {"\xdd\x00\x01\x00\x00", Array, 1 << 16},
	{"\x80", Map, 0}, {"\x8f", Map, 15}, {"\xde\x00\x10", Map, 16}, {"\xdf\x00\x01\x00\x00", Map, 1 << 16},
	{"\xd4\x05", Ext, 1}, {"\xd5\x05", Ext, 2}, {"\xd6\x05", Ext, 4}, {"\xd7\x05", Ext, 8}, {"\xd8\x05", Ext, 16},
	{"\xc7\x03\x05", Ext, 3}, {"\xc8\x01\x00\x05", Ext, 256}, {"\xc9\x00\x01\x00\x00\x05", Ext, 1 << 16},
	{"\xc1", Invalid, 0},
}

func TestHeaders(t *testing.T) {
	for _, s := range samples {
		f := First(s.header[0])
		if f.Kind != s.kind || f.Size() != len(s.header) {
			t.Errorf("%x: %+v has %d bytes", s.header, f, f.Size())
			continue
		}
		for _, before := range []string{"", "before"} {
			n, ok := f.Number([]byte(before+s.header), len(before))
			if !ok || f.Value(n) != s.value {
				t.Errorf("%x: %x, %v, want %x", s.header, f.Value(n), ok, s.value)
			}
		}
		number := 1 + int(f.Width)
		for i := range number {
			if _, ok := f.Number([]byte(s.header[:i]), 0); ok {
				t.Errorf("%x: %d bytes are enough", s.header, i)
			}
		}
		n, ok := Short(s.header[0])
		if short := s.kind == String && f.Width == 0; ok != short || ok && n != int(s.value) {
			t.Errorf("%x: Short is %d, %v", s.header, n, ok)
		}
	}
}

// First agrees with msgpack/v5 on the kind of each first byte.
func TestFirst(t *testing.T) {
	for b := range 256 {
		c := byte(b)
		want := Invalid
		switch {
		case c == msgpcode.Nil:
			want = Nil
		case c == msgpcode.True || c == msgpcode.False:
			want = Bool
		case msgpcode.IsFixedNum(c) || c >= msgpcode.Int8 && c <= msgpcode.Int64:
			want = Int
		case c >= msgpcode.Uint8 && c <= msgpcode.Uint64:
			want = Uint
		case c == msgpcode.Float || c == msgpcode.Double:
			want = Float
		case msgpcode.IsString(c):
			want = String
		case msgpcode.IsBin(c):
			want = Binary
		case msgpcode.IsFixedArray(c) || c == msgpcode.Array16 || c == msgpcode.Array32:
			want = Array
		case msgpcode.IsFixedMap(c) || c == msgpcode.Map16 || c == msgpcode.Map32:
			want = Map
		case msgpcode.IsExt(c):
			want = Ext
		}
		if got := First(c).Kind; got != want {
			t.Errorf("%#x: %d, want %d", c, got, want)
		}
	}
}

// The length and the number of a header agree with msgpack/v5.
func FuzzHeader(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s.header + "behind it"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		form := First(data[0])
		n, ok := form.Number(data, 0)
		if form.Kind == Ext {
			ok = ok && len(data) >= form.Size()
		}
		r := bytes.NewReader(data)
		want, err := read(msgpack.NewDecoder(r), form.Kind)
		if form.Kind == Invalid {
			return
		}
		if ok != (err == nil) {
			t.Fatalf("%x: %v, want %v", data, ok, err)
		}
		if !ok {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%x: %v", data, err)
			}
			return
		}
		if got := form.Value(n); got != want || r.Len() != len(data)-form.Size() {
			t.Fatalf("%x: %x behind %d bytes, want %x behind %d", data, got, form.Size(), want, len(data)-r.Len())
		}
	})
}

// read reads a header of a kind with the token methods of msgpack/v5.
func read(d *msgpack.Decoder, k Kind) (uint64, error) {
	switch k {
	case Nil:
		return 0, d.DecodeNil()
	case Bool:
		v, err := d.DecodeBool()
		if v {
			return 1, err
		}
		return 0, err
	case Int:
		v, err := d.DecodeInt64()
		return uint64(v), err
	case Uint:
		return d.DecodeUint64()
	case Float:
		v, err := d.DecodeFloat64()
		return math.Float64bits(v), err
	case String, Binary:
		n, err := d.DecodeBytesLen()
		return uint64(n), err
	case Array:
		n, err := d.DecodeArrayLen()
		return uint64(n), err
	case Map:
		n, err := d.DecodeMapLen()
		return uint64(n), err
	case Ext:
		_, n, err := d.DecodeExtHeader()
		return uint64(n), err
	default:
		return 0, nil
	}
}

// Numbers of all widths are read as they were written.
func TestNumbers(t *testing.T) {
	for c, width := range map[byte]int{0xcc: 1, 0xcd: 2, 0xce: 4, 0xcf: 8, 0xd0: 1, 0xd1: 2, 0xd2: 4, 0xd3: 8} {
		for shift := range 64 {
			for _, v := range []uint64{1 << shift, 1<<shift - 1, math.MaxUint64 << shift} {
				b := binary.BigEndian.AppendUint64(nil, v)[8-width:]
				want := v << (64 - 8*width) >> (64 - 8*width)
				if c >= 0xd0 {
					want = uint64(int64(v) << (64 - 8*width) >> (64 - 8*width))
				}
				f := First(c)
				n, ok := f.Number(append([]byte{c}, b...), 0)
				if got := f.Value(n); !ok || got != want {
					t.Errorf("%x %x: %x, want %x", c, b, got, want)
				}
			}
		}
	}
}
