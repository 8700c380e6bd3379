package serialization_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// A format is found by its name, its media type, the extension of a file or the
// beginning of a document.
func ExampleRegistry() {
	r := formats.Default()
	byName, err := r.ByName("rich-json")
	fmt.Println(byName.Name, err)
	byMediaType, ok := r.ByMediaType("application/vnd.puppet.rich+msgpack; charset=binary")
	fmt.Println(byMediaType.Name, ok)
	byExtension, ok := r.ByExtension("web01.tabulated.json")
	fmt.Println(byExtension.Name, ok)
	byContent, err := r.Detect("auto", []byte(`{"name":"web01"}`), "web01")
	fmt.Println(byContent.Name, err)
	_, err = r.ByName("pson")
	fmt.Println(errors.Is(err, serialization.ErrFormat))
	// Output:
	// rich-json <nil>
	// rich-msgpack true
	// tabulated-json true
	// rich-json <nil>
	// true
}

// A sequence of documents is read from one format and written in another, one at
// a time.
func ExampleFormat() {
	r := formats.Default()
	from, err := r.ByName("rich-json")
	if err != nil {
		fmt.Println(err)
		return
	}
	to, err := r.ByName("yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	in := from.NewDecoder(strings.NewReader(`{"mode":"0644"} {"wait":{"__ptype":"Timespan","__pvalue":"0-00:00:05.0"}}`), serialization.DecodeOptions{})
	out := to.NewEncoder(os.Stdout, serialization.EncodeOptions{})
	for {
		v, err := in.Decode()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := out.Encode(v); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(out.Close())
	// Output:
	// mode: "0644"
	// ---
	// wait:
	//   __ptype: Timespan
	//   __pvalue: "0-00:00:05.0"
	// <nil>
}

// One decoder decodes many small documents. Documents of which nothing is kept
// can reuse the memory of the previous one.
func ExampleRecycler() {
	rich := formats.RichJSON()
	d, ok := rich.NewDecoder(new(bytes.Buffer), serialization.DecodeOptions{}).(serialization.Recycler)
	if !ok {
		fmt.Println("it decodes one document after the other only")
		return
	}
	kept, err := d.DecodeBytes([]byte(`{"name":"web01"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	sum := pcore.Integer(0)
	for _, line := range []string{`{"n":1}`, `{"n":20}`, `{"n":300}`} {
		v, err := d.Recycle([]byte(line))
		if err != nil {
			fmt.Println(err)
			return
		}
		h, _ := v.(*pcore.Hash)
		n, _ := h.GetString("n")
		i, _ := n.(pcore.Integer)
		sum += i
	}
	fmt.Println(kept, sum)
	// Output: {'name' => 'web01'} 321
}

// OnLoss is called during writing for each value that the format cannot
// represent.
func ExampleLoss() {
	plain := formats.JSON()
	v := pcore.NewHash(
		pcore.Entry{Key: pcore.String("wait"), Value: pcore.NewTimespan(5, 0)},
		pcore.Entry{Key: pcore.Integer(80), Value: pcore.String("http")},
	)
	text, err := plain.Append(nil, v, serialization.EncodeOptions{OnLoss: func(l serialization.Loss) {
		fmt.Printf("%s of %s: %s -> %s\n", l.Kind, l.Path, l.Before, l.After)
	}})
	fmt.Println(string(text), err)
	// Output:
	// key of $[80]: 80 -> '80'
	// type of $['wait']: Timespan('0-00:00:05.0') -> '0-00:00:05.0'
	// {"wait":"0-00:00:05.0","80":"http"} <nil>
}
