package json_test

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/json"
	"github.com/pcatdev/pcat/serialization/richdata"
)

func ExampleDecode() {
	v, err := json.Decode([]byte(`{"at":{"__ptype":"Timestamp","__pvalue":"2016-09-06"},"n":[1,2.5]}`), serialization.DecodeOptions{})
	fmt.Println(v, err)
	_, err = json.Decode([]byte(`{"a":1,"a":2}`), serialization.DecodeOptions{})
	fmt.Println(err)
	// Output:
	// {'at' => Timestamp('2016-09-06T00:00:00.000000000 UTC'), 'n' => [1, 2.5]} <nil>
	// JSON at line 1, column 8: $['a']: duplicate key; remove one of the entries
}

func ExampleAppend() {
	v := pcore.NewArray(pcore.NewSensitive(pcore.String("s3cr3t")), pcore.Default{})
	_, err := json.Append(nil, v, richdata.Rich, serialization.EncodeOptions{})
	fmt.Println(err)
	text, err := json.Append(nil, v, richdata.Rich, serialization.EncodeOptions{Secrets: serialization.RedactSecrets})
	fmt.Println(string(text), err)
	// Output:
	// JSON: $[0]: a Sensitive value would be written as plain text
	// ["Sensitive [value redacted]",{"__ptype":"Default"}] <nil>
}

func ExampleNewWriter() {
	w := json.NewWriter(os.Stdout, richdata.Rich, serialization.EncodeOptions{Indent: "  "})
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

// A Value is a field of a struct that encoding/json marshals.
func ExampleValue() {
	var fact struct {
		Name  string
		Value json.Value
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

// A stream contains a sequence of documents.
func ExampleNewDecoder() {
	d := json.NewDecoder(strings.NewReader(`{"name":"a"} {"name":"b"}`), serialization.DecodeOptions{})
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
