package msgpack_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math/big"
	"strings"
	"testing"
	"testing/iotest"

	vmihailenco "github.com/vmihailenco/msgpack/v5"
	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/internal/msgpack"
)

var (
	lenient = serialization.DecodeOptions{AllowUnknownTypes: true, Types: anyvalue.Types{}}
	inClear = serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
)

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyvalue.Draw(t)
		packed, err := msgpack.Append(nil, v, dataconv.Rich, inClear)
		if err != nil {
			t.Fatal(err)
		}
		back, err := msgpack.Decode(packed, lenient)
		if err != nil {
			t.Fatalf("%v in %x", err, packed)
		}
		if !pcore.Identical(v, back) {
			t.Fatalf("came back as another value: %x", packed)
		}
		data, err := dataconv.Encode(v, dataconv.Rich, inClear)
		if err != nil {
			t.Fatal(err)
		}
		if want := oracle(t, data); !bytes.Equal(want, packed) {
			t.Fatalf("msgpack/v5 packs\n%x, not\n%x", want, packed)
		}
	})
}

// oracle packs data with msgpack/v5.
func oracle(t *rapid.T, data pcore.Value) []byte {
	var b bytes.Buffer
	e := vmihailenco.NewEncoder(&b)
	e.UseCompactInts(true)
	if err := pack(e, data); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pack(e *vmihailenco.Encoder, data pcore.Value) error {
	switch data := data.(type) {
	case pcore.Undef:
		return e.EncodeNil()
	case pcore.Boolean:
		return e.EncodeBool(bool(data))
	case pcore.Integer:
		return e.EncodeInt(int64(data))
	case pcore.BigInteger:
		return e.EncodeUint(data.Big().Uint64())
	case pcore.Float:
		return e.EncodeFloat64(float64(data))
	case pcore.String:
		return e.EncodeString(string(data))
	case *pcore.Array:
		err := e.EncodeArrayLen(data.Len())
		for elem := range data.Values() {
			err = errors.Join(err, pack(e, elem))
		}
		return err
	case *pcore.Hash:
		err := e.EncodeMapLen(data.Len())
		for k, v := range data.All() {
			err = errors.Join(err, pack(e, k), pack(e, v))
		}
		return err
	default:
		return errors.New("no data")
	}
}

// A key is in the path of an error once its value begins, except inside a
// possible Sensitive.
func TestPathsOfErrors(t *testing.T) {
	for _, c := range []struct{ in, path string }{
		{"81a161" + "81a162", "$['a']"},
		{"81a161", "$"},
		{"81a161" + "a2ff", "$['a']"},
		{"81a161" + "81a162c1", "$['a']['b']"},
		{"81a161" + "82a85f5f7076616c7565" + "81a162c1", "$['a']"},
		{"81a161" + "82a75f5f7074797065" + "a953656e736974697665" + "a85f5f7076616c7565" + "81a162c1", "$['a']"},
		{"81a161" + "82a75f5f7074797065" + "d90953656e736974697665" + "a85f5f7076616c7565" + "81a162c1", "$['a']"},
	} {
		data, err := hex.DecodeString(c.in)
		if err != nil {
			t.Fatal(err)
		}
		_, whole := msgpack.Decode(data, serialization.DecodeOptions{})
		_, pieces := msgpack.NewDecoder(iotest.OneByteReader(bytes.NewReader(data)), serialization.DecodeOptions{}).Decode()
		for _, err := range []error{whole, pieces} {
			var placed *serialization.Error
			if !errors.As(err, &placed) || withoutSecret(placed.Path).String() != c.path {
				t.Errorf("%s: want the path %s: %v", c.in, c.path, err)
			}
		}
	}
}

// withoutSecret returns a path without the step into a Sensitive.
func withoutSecret(p pcore.Path) pcore.Path {
	if n := len(p); n > 0 && p[n-1].Kind == pcore.StepSecret {
		return p[:n-1]
	}
	return p
}

// The encodings of Ruby's msgpack, and other encodings of the same values.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ in, value, out string }{
		{"7f", "127", "7f"}, {"cc80", "128", "cc80"}, {"ccff", "255", "ccff"}, {"cd0100", "256", "cd0100"}, {"ce00010000", "65536", "ce00010000"},
		{"cf0000000100000000", "4294967296", "cf0000000100000000"}, {"cfffffffffffffffff", "18446744073709551615", "cfffffffffffffffff"},
		{"d37fffffffffffffff", "9223372036854775807", "cf7fffffffffffffff"}, {"d38000000000000000", "-9223372036854775808", "d38000000000000000"},
		{"e0", "-32", "e0"}, {"d0df", "-33", "d0df"}, {"d1ff7f", "-129", "d1ff7f"}, {"d2ffff7fff", "-32769", "d2ffff7fff"}, {"d3ffffffff7fffffff", "-2147483649", "d3ffffffff7fffffff"},
		{"d30000000000000001", "1", "01"}, {"d905" + "6161616161", "'aaaaa'", "a56161616161"}, {"dd0000000101", "[1]", "9101"}, {"df00000001a16101", "{'a' => 1}", "81a16101"},
		{"ca3fc00000", "1.5", "cb3ff8000000000000"}, {"cb8000000000000000", "-0.0", "cb8000000000000000"},
		{"c403616263", `Binary("YWJj")`, "82a75f5f7074797065a642696e617279a85f5f7076616c7565a459574a6a"},
		{"81c0c3", "{undef => true}", "82a75f5f7074797065a448617368a85f5f7076616c756592c0c3"},
	} {
		in, err := hex.DecodeString(c.in)
		if err != nil {
			t.Fatal(err)
		}
		v, err := msgpack.Decode(in, serialization.DecodeOptions{})
		if err != nil || v.String() != c.value {
			t.Errorf("%s: want %s, got %v, %v", c.in, c.value, v, err)
			continue
		}
		if got, err := msgpack.Append(nil, v, dataconv.Rich, serialization.EncodeOptions{}); err != nil || hex.EncodeToString(got) != c.out {
			t.Errorf("%s: want %s, got %x, %v", c.in, c.out, got, err)
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
	{"cd01", serialization.ErrTruncated, 2, "$"},
	{"a3" + "6161", serialization.ErrTruncated, 0, "$"},
	{"92" + "01", serialization.ErrTruncated, 0, "$"},
	{"93" + "0192" + "01", serialization.ErrTruncated, 2, "$[1]"},
	{"dbffffffff", serialization.ErrTooLarge, 0, "$"},
	{"c6ffffffff", serialization.ErrTooLarge, 0, "$"},
	{"db00ffffff", serialization.ErrTruncated, 0, "$"},
	{"ddffffffff", serialization.ErrTruncated, 0, "$"},
	{"dfffffffff", serialization.ErrTruncated, 0, "$"},
	{"c1", serialization.ErrSyntax, 0, "$"},
	{"91c1", serialization.ErrSyntax, 1, "$[0]"},
	{"d501aabb", serialization.ErrUnsupported, 0, "$"},
	{"d6ff00000000", serialization.ErrUnsupported, 0, "$"},
	{"c70305aabbcc", serialization.ErrUnsupported, 0, "$"},
	{"cb7ff8000000000000", serialization.ErrRange, 0, "$"},
	{"91ca7f800000", serialization.ErrRange, 1, "$[0]"},
	{"a1ff", serialization.ErrUTF8, 1, "$"},
	{"81a16192c0a3" + "61ff61", serialization.ErrUTF8, 7, "$['a'][1]"},
	{"82a16101a16102", serialization.ErrDuplicateKey, 4, "$['a']"},
	{"82a16101d9016102", serialization.ErrDuplicateKey, 4, "$['a']"},
	{"8201c0cc01c3", serialization.ErrDuplicateKey, 3, "$[1]"},
	{"819001", serialization.ErrUnsupported, 1, "$"},
	{"0101", serialization.ErrTrailing, 1, "$"},
	{strings.Repeat("91", 513) + "c0", serialization.ErrDepth, 512, "$" + strings.Repeat("[0]", 512)},
	{"9181a75f5f7074797065a44e6f7065", serialization.ErrUnknownType, 15, "$[0]"},
}

func TestRefused(t *testing.T) {
	for _, c := range refused {
		in, err := hex.DecodeString(c.in)
		if err != nil {
			t.Fatal(err)
		}
		_, whole := msgpack.Decode(in, serialization.DecodeOptions{})
		var e *serialization.Error
		if !errors.As(whole, &e) || !errors.Is(whole, c.kind) || e.Offset != c.offset || e.Path.String() != c.path {
			t.Errorf("%.40s: want %v at %d, %s; got %v", c.in, c.kind, c.offset, c.path, whole)
		}
		r := msgpack.NewReader(iotest.OneByteReader(bytes.NewReader(in)), serialization.DecodeOptions{})
		_, streamed := r.Value()
		if streamed == nil {
			streamed = r.End()
		}
		// A stream does not know its remaining length, so it detects a false
		// length later.
		if !errors.As(streamed, &e) || !errors.Is(streamed, c.kind) || e.Offset < c.offset {
			t.Errorf("%.40s streamed: want %v at %d, %s; got %v", c.in, c.kind, c.offset, c.path, streamed)
		}
	}
}

func TestBigIntegersBeyondTheWireAreRefused(t *testing.T) {
	for text, ok := range map[string]bool{"18446744073709551615": true, "18446744073709551616": false, "-9223372036854775809": false} {
		i, _ := new(big.Int).SetString(text, 10)
		v := pcore.NewBigInteger(i)
		_, err := msgpack.Append(nil, pcore.NewArray(v), dataconv.Rich, serialization.EncodeOptions{})
		if ok != (err == nil) || err != nil && (!errors.Is(err, serialization.ErrRange) || !strings.HasPrefix(err.Error(), "MessagePack: $[0]: ")) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestDecoderReadsOneDocumentAfterTheOther(t *testing.T) {
	d := msgpack.NewDecoder(iotest.OneByteReader(bytes.NewReader([]byte("\x01\x92\x02\x03\xa1a"))), serialization.DecodeOptions{})
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
	if s := strings.Join(got, " "); s != "1 [2, 3] 'a'" {
		t.Error(s)
	}
}

// Reading in memory and streaming agree, and msgpack/v5 agrees on documents
// that this package accepts.
func FuzzDecode(f *testing.F) {
	for _, c := range refused {
		in, _ := hex.DecodeString(c.in)
		f.Add(in)
	}
	f.Add([]byte("\x82\xa1a\x93\x01\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00\xc4\x01x\xa1b\x82\xa7__ptype\xa4Hash\xa8__pvalue\x92\x01\x02"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := msgpack.Decode(data, lenient)
		r := msgpack.NewReader(iotest.HalfReader(bytes.NewReader(data)), lenient)
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
		d := vmihailenco.NewDecoder(bytes.NewReader(data))
		if err := d.Skip(); err != nil {
			t.Fatalf("msgpack/v5 refuses it: %v", err)
		}
		packed, err := msgpack.Append(nil, v, dataconv.Rich, inClear)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if !anyvalue.ReadsBack(v) {
			return
		}
		back, err := msgpack.Decode(packed, lenient)
		if err != nil || !pcore.Identical(v, back) {
			t.Fatalf("%x came back as another value: %v", packed, err)
		}
	})
}
