package formats_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
)

// losses returns the losses of a value in a format, one on each line.
func losses(t *testing.T, format, doc string) (lines []string) {
	t.Helper()
	rich := formats.RichJSON()
	v, err := rich.Decode([]byte(doc), lenient)
	if err != nil {
		t.Fatal(err)
	}
	f, err := formats.Default().ByName(format)
	if err != nil {
		t.Fatal(err)
	}
	o := inClear
	o.OnLoss = func(l serialization.Loss) {
		lines = append(lines, fmt.Sprintf("%s %s %s -> %v %v", l.Path, l.Kind, l.Before, l.After, l.Secret()))
	}
	if _, err := f.Append(nil, v, o); err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestLosses(t *testing.T) {
	const (
		stamp  = `{"__ptype":"Timestamp","__pvalue":"1970-01-01T00:00:00.000000000 UTC"}`
		secret = `{"__ptype":"Sensitive","__pvalue":{"k":{"__ptype":"Default"}}}`
		keys   = `{"__ptype":"Hash","__pvalue":[1,"a","1","b"]}`
	)
	for _, c := range []struct {
		format, doc string
		want        []string
	}{
		{"rich-json", `{"a":[` + stamp + `,` + secret + `,` + keys + `]}`, nil},
		{"json", `{"a":[1,"x",null,{"b":1.5}]}`, nil},
		{"json", `{"a":[` + stamp + `]}`, []string{"$['a'][0] type Timestamp('1970-01-01T00:00:00.000000000 UTC') -> '1970-01-01T00:00:00.000000000 UTC' false"}},
		{"msgpack", `{"a":` + secret + `}`, []string{"$['a']['k'] type default -> 'default' true"}},
		{"stringified-json", `{"a":` + secret + `}`, []string{"$['a'] value Sensitive [value redacted] -> '#<Sensitive [value redacted]:1>' true"}},
		{"json", keys, []string{"$[1] key 1 -> '1' false", "$['1'] entry 'a' -> <nil> false"}},
		{"stringified-json", `{"__pvalue":1}`, []string{"$['__pvalue'] key '__pvalue' -> 'reserved key: __pvalue' false"}},
		{"json", `{"__ptype":"Hash","__pvalue":["__ptype","x"]}`, []string{"$ meaning {'__ptype' => 'x'} -> {'__ptype' => 'x'} false"}},
	} {
		if got := losses(t, c.format, c.doc); !slices.Equal(got, c.want) {
			t.Errorf("%s of %s:\nwant %q\n got %q", c.format, c.doc, c.want, got)
		}
	}
}

// A format that reports no loss returns the same value.
func TestNothingIsLostSilently(t *testing.T) {
	for _, f := range formats.Default().Formats() {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				v, lost := anyvalue.Draw(t), 0
				o := inClear
				o.OnLoss = func(serialization.Loss) { lost++ }
				doc, err := f.Append(nil, v, o)
				if err != nil {
					t.Fatal(err)
				}
				back, err := f.Decode(doc, lenient)
				if same := err == nil && pcore.Identical(v, back); same == (lost > 0) && (!same || f.Rich) {
					t.Fatalf("%d losses, same value %v, %v: %s in %q", lost, same, err, v, doc)
				}
			})
		})
	}
}

// A Writer reports the whole path.
func TestLossesOfAWriter(t *testing.T) {
	f := formats.JSON()
	var got []string
	o := inClear
	o.OnLoss = func(l serialization.Loss) { got = append(got, l.Path.String()) }
	var out bytes.Buffer
	w := f.NewWriter(&out, o)
	lossy := pcore.NewArray(pcore.Integer(1), pcore.Default{})
	err := errors.Join(
		w.BeginMap(-1), w.Key("a"), w.Value(pcore.Default{}),
		w.Key("b"), w.BeginArray(2), w.Value(lossy), w.BeginMap(1), w.Key("c"), w.Value(lossy), w.End(), w.End(),
		w.Key("d"), w.Value(pcore.Default{}), w.End(), w.Close(),
	)
	if want := []string{"$['a']", "$['b'][0][1]", "$['b'][1]['c'][1]", "$['d']"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("want %q, got %q, %v", want, got, err)
	}
}
