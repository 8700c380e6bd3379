package msgpack_test

import (
	"bytes"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/msgpack"
	"github.com/pcatdev/pcat/serialization/richdata"

	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

func ExampleAppend() {
	v := pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: pcore.NewArray(pcore.Integer(1), pcore.Float(1.5))})
	packed, err := msgpack.Append(nil, v, richdata.Rich, serialization.EncodeOptions{})
	fmt.Printf("%x %v\n", packed, err)
	back, err := msgpack.Decode(packed, serialization.DecodeOptions{})
	fmt.Println(back, err)
	// Output:
	// 81a1619201cb3ff8000000000000 <nil>
	// {'a' => [1, 1.5]} <nil>
}

// A header with a false length is rejected before any allocation.
func ExampleDecode() {
	_, err := msgpack.Decode([]byte{0xdd, 0xff, 0xff, 0xff, 0xff}, serialization.DecodeOptions{})
	fmt.Println(err)
	// Output: invalid MessagePack at byte 0: unexpected end of input: expected at least 4294967295 bytes, got 0
}

// A Value is a field of a struct that msgpack/v5 encodes, and decodes within
// the limits of this package.
func ExampleValue() {
	v := msgpack.Value{Value: pcore.NewTimespan(1, 500_000_000)}
	packed, err := vmihailenco.Marshal(&v)
	fmt.Println(len(packed), err)
	var back msgpack.Value
	err = vmihailenco.Unmarshal(packed, &back)
	fmt.Println(back, err)
	// Output:
	// 40 <nil>
	// Timespan('0-00:00:01.5') <nil>
}

func ExampleNewEncoder() {
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b, richdata.Rich, serialization.EncodeOptions{})
	for _, v := range []pcore.Value{pcore.Integer(1), pcore.NewArray(pcore.String("a"), pcore.Undef{})} {
		if err := e.Encode(v); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("% x\n", b.Bytes())
	fmt.Println(e.Encode(pcore.NewSensitive(pcore.String("s3cr3t"))))
	// Output:
	// 01 92 a1 61 c0
	// MessagePack: a Sensitive value would be written as plain text
}
