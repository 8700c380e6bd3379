package formats_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

func ExampleRichJSON() {
	f := formats.RichJSON()
	v, err := f.Decode([]byte(`{"at":{"__ptype":"Timestamp","__pvalue":"2016-09-06"},"n":[1,2.5]}`), serialization.DecodeOptions{})
	fmt.Println(v, err)
	_, err = f.Decode([]byte(`{"a":1,"a":2}`), serialization.DecodeOptions{})
	fmt.Println(err)
	v = pcore.NewArray(pcore.NewSensitive(pcore.String("s3cr3t")), pcore.Default{})
	_, err = f.Append(nil, v, serialization.EncodeOptions{})
	fmt.Println(err)
	text, err := f.Append(nil, v, serialization.EncodeOptions{Secrets: serialization.RedactSecrets})
	fmt.Println(string(text), err)
	// Output:
	// {'at' => Timestamp('2016-09-06T00:00:00.000000000 UTC'), 'n' => [1, 2.5]} <nil>
	// JSON at line 1, column 8: $['a']: duplicate key; remove one of the entries
	// JSON: $[0]: a Sensitive value would be written as plain text
	// ["Sensitive [value redacted]",{"__ptype":"Default"}] <nil>
}

// A stream contains a sequence of documents.
func ExampleRichJSON_newDecoder() {
	d := formats.RichJSON().NewDecoder(strings.NewReader(`{"name":"a"} {"name":"b"}`), serialization.DecodeOptions{})
	for {
		v, err := d.Decode()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v)
	}
	// Output:
	// {'name' => 'a'}
	// {'name' => 'b'}
}

func ExampleRichJSON_newWriter() {
	w := formats.RichJSON().NewWriter(os.Stdout, serialization.EncodeOptions{Indent: "  "})
	for _, err := range []error{
		w.BeginMap(2),
		w.Key("name"), w.Value(pcore.String("web01")),
		w.Key("list"), w.Raw([]byte(`[1,2]`)),
		w.End(), w.Close(),
	} {
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// {
	//   "name": "web01",
	//   "list": [1,2]
	// }
}

func ExampleRichMessagePack() {
	f := formats.RichMessagePack()
	v := pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: pcore.NewArray(pcore.Integer(1), pcore.Float(1.5))})
	packed, err := f.Append(nil, v, serialization.EncodeOptions{})
	fmt.Printf("%x %v\n", packed, err)
	back, err := f.Decode(packed, serialization.DecodeOptions{})
	fmt.Println(back, err)
	// A header with a false length is rejected before any allocation.
	_, err = f.Decode([]byte{0xdd, 0xff, 0xff, 0xff, 0xff}, serialization.DecodeOptions{})
	fmt.Println(err)
	// Output:
	// 81a1619201cb3ff8000000000000 <nil>
	// {'a' => [1, 1.5]} <nil>
	// invalid MessagePack at byte 0: unexpected end of input: expected at least 4294967295 bytes, got 0
}

func ExampleRichMessagePack_newEncoder() {
	var b bytes.Buffer
	e := formats.RichMessagePack().NewEncoder(&b, serialization.EncodeOptions{})
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

func ExampleYAML() {
	v := pcore.NewHash(
		pcore.Entry{Key: pcore.String("content"), Value: pcore.String("line one\nline two\n")},
		pcore.Entry{Key: pcore.String("mode"), Value: pcore.String("0644")},
		pcore.Entry{Key: pcore.String("span"), Value: pcore.NewTimespan(90, 0)},
	)
	text, err := formats.YAML().Append(nil, v, serialization.EncodeOptions{})
	fmt.Print(string(text), err)
	// Output:
	// content: |
	//   line one
	//   line two
	// mode: "0644"
	// span:
	//   __ptype: Timespan
	//   __pvalue: "0-00:01:30.0"
	// <nil>
}

func ExampleJSONValue() {
	var fact struct {
		Name  string
		Value formats.JSONValue
	}
	doc := `{"Name":"key","Value":{"__ptype":"Binary","__pvalue":"YWJj"}}`
	if err := stdjson.NewDecoder(strings.NewReader(doc)).Decode(&fact); err != nil {
		fmt.Println(err)
	}
	fmt.Println(fact.Name, fact.Value)
	text, err := stdjson.Marshal(fact)
	fmt.Println(string(text), err)
	// Output:
	// key Binary("YWJj")
	// {"Name":"key","Value":{"__ptype":"Binary","__pvalue":"YWJj"}} <nil>
}

func ExampleMessagePackValue() {
	v := formats.MessagePackValue{Value: pcore.NewTimespan(1, 500_000_000)}
	packed, err := msgpack.Marshal(&v)
	fmt.Println(len(packed), err)
	var back formats.MessagePackValue
	err = msgpack.Unmarshal(packed, &back)
	fmt.Println(back, err)
	// Output:
	// 40 <nil>
	// Timespan('0-00:00:01.5') <nil>
}
