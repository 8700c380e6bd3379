package dataconv_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/internal/test/anyvalue"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
	"github.com/pcatdev/pcat/serialization/richdata"
)

var (
	lenient = serialization.DecodeOptions{AllowUnknownTypes: true, Types: anyvalue.Types{}}
	inClear = serialization.EncodeOptions{Secrets: serialization.PlainSecrets}
)

func h(entries ...any) *pcore.Hash {
	var b pcore.HashBuilder
	for i := 0; i < len(entries); i += 2 {
		key, ok := entries[i].(pcore.Value)
		if !ok {
			key = pcore.String(entries[i].(string))
		}
		b.Set(key, entries[i+1].(pcore.Value))
	}
	return b.Hash()
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyvalue.Draw(t)
		o := inClear
		o.LocalReferences = rapid.Bool().Draw(t, "local references")
		data, err := dataconv.Encode(v, dataconv.Rich, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := onlyData(data); err != nil {
			t.Fatal(err)
		}
		back, err := dataconv.Decode(data, lenient)
		if err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if !pcore.Identical(v, back) {
			t.Fatalf("%s came back as %s", v, back)
		}
		for _, mode := range []dataconv.Mode{dataconv.Plain, dataconv.Stringified} {
			data, err := dataconv.Encode(v, mode, inClear)
			if err != nil {
				t.Fatal(err)
			}
			if err := onlyData(data); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// onlyData returns an error unless JSON can represent v.
func onlyData(v pcore.Value) error {
	return pcore.Walk(v, func(c *pcore.Cursor) error {
		switch c.Value().(type) {
		case pcore.Undef, pcore.Boolean, pcore.Integer, pcore.BigInteger, pcore.Float, pcore.String, *pcore.Array, *pcore.Hash:
			return nil
		default:
			return fmt.Errorf("a %s at %s", pcore.KindOf(c.Value()), c.Path())
		}
	})
}

const definitions = `
type My::Port = Integer[1, 65535]
type My::Point = Object[{ attributes => { x => Integer, y => { type => Integer, value => 0 } } }]
type My::Line = Object[{ attributes => { from => My::Point, note => { type => Optional[String], value => undef }, to => My::Point } }]
`

func withTypes(t *testing.T) serialization.DecodeOptions {
	t.Helper()
	types, err := typeexpr.Define("types.pp", definitions, nil)
	if err != nil {
		t.Fatal(err)
	}
	return serialization.DecodeOptions{Types: richdata.Types{Resolver: types}}
}

func TestDecode(t *testing.T) {
	o := withTypes(t)
	for _, c := range []struct{ in, want string }{
		{`{"__pvalue":1}`, `{'__pvalue' => 1}`},
		{`{"__pvalue":[1,2],"__ptype":"Hash"}`, `{1 => 2}`},
		{`{"__ptype":"Hash","__pvalue":[1,2,3]}`, `{1 => 2, 3 => undef}`},
		{`{"__ptype":"Hash","__pvalue":["a",1,"b",2,"a",3]}`, `{'a' => 3, 'b' => 2}`},
		{`{"__ptype":"Hash","__pvalue":{"a":1}}`, `{undef => undef}`},
		{`{"__ptype":null,"a":1}`, `{'__ptype' => undef, 'a' => 1}`},
		{`{"__ptype":[1]}`, `{'__ptype' => [1]}`},
		{`{"__ptype":"Symbol","__pvalue":"default"}`, `default`},
		{`{"__ptype":"Symbol","__pvalue":"a"}`, `:a`},
		{`{"__ptype":"Default","__pvalue":1}`, `default`},
		{`{"__ptype":"TIMESTAMP","__pvalue":"2016-01-01"}`, `Timestamp('2016-01-01T00:00:00.000000000 UTC')`},
		{`{"__ptype":"Timespan","__pvalue":"0-00:00:00.005"}`, `Timespan('0-00:00:00.005')`},
		{`{"__ptype":"Integer","__pvalue":"0x1f"}`, `31`},
		{`{"__ptype":"My::Port","__pvalue":"80"}`, `80`},
		{`{"__ptype":"Optional[Integer]","__pvalue":"5"}`, `5`},
		{`{"__ptype":"Variant[Integer,String]","__pvalue":"5"}`, `'5'`},
		{`{"__ptype":{"__ptype":"Pcore::IntegerType"},"__pvalue":"42"}`, `42`},
		{`{"__ptype":"Deferred","name":"f"}`, `Deferred({'name' => 'f'})`},
		{`{"__ptype":"Deferred","arguments":[],"name":"f"}`, `Deferred({'name' => 'f', 'arguments' => []})`},
		{`{"__ptype":"Deferred","name":"f","arguments":null}`, `Deferred({'name' => 'f'})`},
		{`{"__ptype":"Pcore::IntegerType","from":1,"to":5}`, `Integer[1, 5]`},
		{`{"__ptype":"Pcore::IntegerType","__pvalue":{"from":1}}`, `Integer[1]`},
		{`{"__ptype":"PCORE::INTEGERTYPE","from":1,"to":5}`, `Integer[1, 5]`},
		{`{"__ptype":"PCore::AnyType"}`, `Any`},
		{`{"__ptype":"My::Line","to":{"__ptype":"My::Point","y":3,"x":2},"from":{"__ptype":"My::Point","x":1}}`, ``},
		{`[[1,[2]],{"__ptype":"LocalRef","__pvalue":"$[0][1]"}]`, `[[1, [2]], [2]]`},
		{`{"a":{"b":[1]},"c":{"__ptype":"LocalRef","__pvalue":"$.a.b"}}`, `{'a' => {'b' => [1]}, 'c' => [1]}`},
		{`{"it's":[1],"c":{"__ptype":"LocalRef","__pvalue":"$['it\\'s']"}}`, `{'it\'s' => [1], 'c' => [1]}`},
		{`{"a\nb":[1],"c":{"__ptype":"LocalRef","__pvalue":"$[\"a\\nb\"]"}}`, `{"a\nb" => [1], 'c' => [1]}`},
		{`{"a":{"__ptype":"LocalRef","__pvalue":"$['b']"},"b":[1]}`, `{'a' => undef, 'b' => [1]}`},
		{`{"b":{"c":[1],"d":{"__ptype":"LocalRef","__pvalue":"$['b']['c']"}}}`, `{'b' => {'c' => [1], 'd' => [1]}}`},
		{`{"b":{"__ptype":"Hash","__pvalue":[1,[5],2,{"__ptype":"LocalRef","__pvalue":"$['b'][1]"}]}}`, `{'b' => {1 => [5], 2 => [5]}}`},
		{`{"b":{"__ptype":"Hash","__pvalue":[1.5,"x",true,"y",null,"z"]},"a":[{"__ptype":"LocalRef","__pvalue":"$.b[true]"},{"__ptype":"LocalRef","__pvalue":"$.b[1.5]"},{"__ptype":"LocalRef","__pvalue":"$.b[null]"}]}`,
			`{'b' => {1.5 => 'x', true => 'y', undef => 'z'}, 'a' => ['y', 'x', 'z']}`},
		{`{"b":{"__ptype":"Deferred","name":"f","arguments":[[1]]},"a":{"__ptype":"LocalRef","__pvalue":"$['b']['arguments'][0]"}}`,
			`{'b' => Deferred({'name' => 'f', 'arguments' => [[1]]}), 'a' => [1]}`},
		{`{"t":{"__ptype":"Pcore::StructType","elements":[{"__ptype":"Pcore::StructElement","key_type":{"__ptype":"Pcore::StringType","size_type_or_value":"a"},"value_type":{"__ptype":"Pcore::IntegerType","from":1}}]},"a":{"__ptype":"LocalRef","__pvalue":"$['t']['elements'][0]['value_type']"},"b":{"__ptype":"LocalRef","__pvalue":"$.t.elements[0].value_type.from"}}`,
			`{'t' => Struct[{'a' => Integer[1]}], 'a' => Integer[1], 'b' => 1}`},
		{`{"t":{"__ptype":"Pcore::ObjectType","_pcore_init_hash":{"name":"X","attributes":{"a":{"__ptype":"Pcore::FloatType"}}}},"a":{"__ptype":"LocalRef","__pvalue":"$['t']['_pcore_init_hash']['attributes']['a']"}}`,
			`{'t' => X, 'a' => Float}`},
		{`{"a":null,"b":{"__ptype":"LocalRef","__pvalue":"$['a']['b']"}}`, `{'a' => undef, 'b' => undef}`},
		{`{"__ptype":"LocalRef","__pvalue":"$"}`, `undef`},
	} {
		v, err := formats.RichJSON().Decode([]byte(c.in), o)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if c.want != "" && v.String() != c.want {
			t.Errorf("%s: want %s, got %s", c.in, c.want, v)
		}
	}
}

// An object is read by the names of its attributes and written in their order,
// without trailing defaults.
func TestObjects(t *testing.T) {
	o := withTypes(t)
	for in, want := range map[string]string{
		`{"__ptype":"My::Point","y":2,"x":1}`:  `{"__ptype":"My::Point","x":1,"y":2}`,
		`{"__ptype":"My::Point","x":1,"y":0}`:  `{"__ptype":"My::Point","x":1}`,
		`{"__ptype":"my::point","x":1}`:        ``,
		`{"__ptype":"My::Point","y":2}`:        ``,
		`{"__ptype":"My::Point","x":1,"z":2}`:  ``,
		`{"__ptype":"My::Point","__pvalue":1}`: ``,
		`{"__ptype":"My::Line","to":{"__ptype":"My::Point","x":2},"from":{"__ptype":"My::Point","x":1},"note":"n"}`:                                  `{"__ptype":"My::Line","from":{"__ptype":"My::Point","x":1},"to":{"__ptype":"My::Point","x":2},"note":"n"}`,
		`{"__ptype":{"__ptype":"Pcore::ObjectType","_pcore_init_hash":{"name":"Dyn::A","attributes":{"a":{"__ptype":"Pcore::IntegerType"}}}},"a":5}`: `{"__ptype":"Dyn::A","a":5}`,
	} {
		v, err := formats.RichJSON().Decode([]byte(in), o)
		if want == "" {
			if !errors.Is(err, serialization.ErrValue) && !errors.Is(err, serialization.ErrUnknownType) && !errors.Is(err, serialization.ErrSyntax) {
				t.Errorf("%s: want an error, got %v, %v", in, v, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got, err := formats.RichJSON().Append(nil, v, inClear); err != nil || string(got) != want {
			t.Errorf("%s: want %s, got %s, %v", in, want, got, err)
		}
	}
}

func TestUnknownTypesAreKept(t *testing.T) {
	for _, in := range []string{
		`{"__ptype":"My::Car","color":"red","parts":[{"__ptype":"My::Wheel"},{"__ptype":"Binary","__pvalue":"YQ=="}]}`,
		`{"__ptype":"My::Scalar","__pvalue":"x"}`,
		`{"__ptype":"My::List","__pvalue":[1,{"__ptype":"Default"}]}`,
		`{"__ptype":"My::Box[Integer]","a":null}`,
		`{"__ptype":"Pcore::NoSuchType","a":1}`,
	} {
		if _, err := formats.RichJSON().Decode([]byte(in), serialization.DecodeOptions{}); !errors.Is(err, serialization.ErrUnknownType) {
			t.Errorf("%s: want ErrUnknownType, got %v", in, err)
		}
		v, err := formats.RichJSON().Decode([]byte(in), lenient)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got, err := formats.RichJSON().Append(nil, v, inClear); err != nil || string(got) != in {
			t.Errorf("%s came back as %s, %v", in, got, err)
		}
	}
}

// MessagePack and YAML allow keys that no attribute can have.
func TestUnknownTypeWithOtherKeys(t *testing.T) {
	_, err := dataconv.Decode(h(dataconv.TypeKey, pcore.String("My::Car"), pcore.Integer(0), pcore.Integer(1)), lenient)
	if !errors.Is(err, serialization.ErrValue) {
		t.Errorf("want ErrValue, got %v", err)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		in   string
		kind error
		path string
	}{
		{`{"a":[{"__ptype":"Timestamp","__pvalue":"2016-13-45"}]}`, serialization.ErrValue, "$['a'][0]"},
		{`{"__ptype":"Hash","__pvalue":null}`, serialization.ErrValue, "$"},
		{`{"__ptype":"Hash","__pvalue":["k",{"__ptype":"Binary","__pvalue":"YQ"}]}`, serialization.ErrValue, "$['k']"},
		{`{"__ptype":"Deferred","name":"f","arguments":[1,{"__ptype":"Regexp","__pvalue":"["}]}`, serialization.ErrValue, "$['arguments'][1]"},
		{`{"__ptype":"Deferred"}`, serialization.ErrValue, "$"},
		{`{"__ptype":"Timestamp","__pvalue":[1]}`, serialization.ErrValue, "$"},
		{`{"__ptype":"Integer["}`, serialization.ErrValue, "$"},
		{`{"__ptype":"1"}`, serialization.ErrValue, "$"},
		{`{"__ptype":"Pcore::ResourceType","__pvalue":"000"}`, serialization.ErrValue, "$"},
		{`{"__ptype":"Pcore::StructElement"}`, serialization.ErrValue, "$"},
		{`{"__ptype":"Pcore::StructElement","key_type":{"__ptype":"Pcore::StringType"}}`, serialization.ErrValue, "$"},
		{`{"__ptype":"PCore::ResourceType","type_name":"000"}`, serialization.ErrValue, "$"},
		{`{"__ptype":{"a":1}}`, serialization.ErrUnknownType, "$"},
		{`{"a":{"__ptype":"LocalRef","__pvalue":"$"}}`, serialization.ErrReference, "$['a']"},
		{`{"a":[{"__ptype":"LocalRef","__pvalue":"$['a']"}]}`, serialization.ErrReference, "$['a'][0]"},
		{`{"a":{"__ptype":"LocalRef","__pvalue":"a"}}`, serialization.ErrReference, "$['a']"},
		{`{"a":{"__ptype":"LocalRef","__pvalue":"$['a'"}}`, serialization.ErrReference, "$['a']"},
		{`{"a":{"__ptype":"Sensitive","__pvalue":{"hunter2":{"__ptype":"Timestamp","__pvalue":"hunter2"}}}}`, serialization.ErrValue, "$['a']"},
		{`{"a":{"__ptype":"Sensitive","__pvalue":[{"__ptype":"Hunter2"}]}}`, serialization.ErrUnknownType, "$['a']"},
		{`{"a":{"__ptype":"Sensitive","__pvalue":{"hunter2":1,"hunter2":2}}}`, serialization.ErrDuplicateKey, "$['a']"},
	} {
		_, err := formats.RichJSON().Decode([]byte(c.in), serialization.DecodeOptions{})
		var e *serialization.Error
		if !errors.As(err, &e) || !errors.Is(err, c.kind) || e.Path.String() != c.path {
			t.Errorf("%s: want %v at %s, got %v", c.in, c.kind, c.path, err)
			continue
		}
		if strings.Contains(strings.ToLower(err.Error()), "hunter2") {
			t.Errorf("%s: the error tells a secret: %v", c.in, err)
		}
	}
}

func TestLocalReferences(t *testing.T) {
	shared := pcore.NewArray(pcore.Integer(1), pcore.NewArray(pcore.Integer(2)))
	secret := pcore.NewSensitive(shared)
	v := h("a", shared, "b", shared.At(1), pcore.Integer(1), secret, "d", pcore.NewArray(secret, pcore.NewDeferred("f", shared)), shared, pcore.Undef{})
	o := inClear
	o.LocalReferences = true
	got, err := formats.RichJSON().Append(nil, v, o)
	const want = `{"__ptype":"Hash","__pvalue":["a",[1,[2]],"b",{"__ptype":"LocalRef","__pvalue":"$['a'][1]"},` +
		`1,{"__ptype":"Sensitive","__pvalue":{"__ptype":"LocalRef","__pvalue":"$['a']"}},` +
		`"d",[{"__ptype":"LocalRef","__pvalue":"$[1]"},{"__ptype":"Deferred","name":"f","arguments":[1,{"__ptype":"LocalRef","__pvalue":"$['a'][1]"}]}],` +
		`{"__ptype":"LocalRef","__pvalue":"$['a']"},null]}`
	if err != nil || string(got) != want {
		t.Fatalf("got %s, %v", got, err)
	}
	back, err := formats.RichJSON().Decode(got, serialization.DecodeOptions{})
	if err != nil || !pcore.Identical(v, back) {
		t.Errorf("came back as %v, %v", back, err)
	}
}

// TestLocalReferenceBelowUndef checks that a path through the key undef has the key null, as Puppet writes it.
func TestLocalReferenceBelowUndef(t *testing.T) {
	shared := pcore.NewArray(pcore.Integer(1))
	v := pcore.NewHash(pcore.Entry{Key: pcore.Undef{}, Value: pcore.NewArray(h("a", shared), shared)})
	o := inClear
	o.LocalReferences = true
	got, err := formats.RichJSON().Append(nil, v, o)
	const want = `{"__ptype":"Hash","__pvalue":[null,[{"a":[1]},{"__ptype":"LocalRef","__pvalue":"$[null][0]['a']"}]]}`
	if err != nil || string(got) != want {
		t.Fatalf("got %s, %v", got, err)
	}
	if back, err := formats.RichJSON().Decode(got, serialization.DecodeOptions{}); err != nil || !pcore.Identical(v, back) {
		t.Errorf("came back as %v, %v", back, err)
	}
}

// TestLocalReferenceToType checks that the type of a value is the same as the type with that name, as in Puppet.
func TestLocalReferenceToType(t *testing.T) {
	v, err := typeexpr.Parse("Callable[2, -1, Integer]", nil)
	if err != nil {
		t.Fatal(err)
	}
	o := inClear
	o.LocalReferences = true
	got, err := formats.RichJSON().Append(nil, v, o)
	const want = `{"__ptype":"Pcore::CallableType","param_types":{"__ptype":"Pcore::TupleType","types":[{"__ptype":"Pcore::IntegerType"},` +
		`{"__ptype":"LocalRef","__pvalue":"$['param_types']['types'][0]"},{"__ptype":"LocalRef","__pvalue":"$['param_types']['types'][0]"}]},"block_type":null,"return_type":null}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestSecrets(t *testing.T) {
	v := h("a", pcore.NewArray(pcore.NewSensitive(h("k", pcore.NewSensitive(pcore.String("s"))))))
	for _, c := range []struct {
		format serialization.Format
		o      serialization.SecretMode
		want   string
		secret bool
	}{
		{formats.RichJSON(), serialization.RefuseSecrets, "", true},
		{formats.JSON(), serialization.RefuseSecrets, "", true},
		{formats.RichJSON(), serialization.PlainSecrets, `{"a":[{"__ptype":"Sensitive","__pvalue":{"k":{"__ptype":"Sensitive","__pvalue":"s"}}}]}`, false},
		{formats.JSON(), serialization.PlainSecrets, `{"a":[{"__ptype":"Sensitive","__pvalue":{"k":{"__ptype":"Sensitive","__pvalue":"s"}}}]}`, false},
		{formats.RichJSON(), serialization.RedactSecrets, `{"a":["Sensitive [value redacted]"]}`, false},
		{formats.StringifiedJSON(), serialization.RefuseSecrets, `{"a":["#<Sensitive [value redacted]:1>"]}`, false},
	} {
		got, err := c.format.Append(nil, v, serialization.EncodeOptions{Secrets: c.o})
		if c.secret {
			var e *serialization.Error
			if !errors.Is(err, serialization.ErrSecret) || !errors.As(err, &e) || e.Path.String() != "$['a'][0]" || got != nil {
				t.Errorf("%s, %d: want ErrSecret, got %s, %v", c.format.Name, c.o, got, err)
			}
			continue
		}
		if err != nil || string(got) != c.want {
			t.Errorf("%s, %d: want %s, got %s, %v", c.format.Name, c.o, c.want, got, err)
		}
	}
}

func TestPlainAndStringified(t *testing.T) {
	o := withTypes(t)
	for _, c := range []struct{ in, plain, stringified string }{
		{`{"__ptype":"Hash","__pvalue":[1,"a",1.5,"b",true,"c",null,"d",{"__ptype":"Default"},"e"]}`,
			`{"1":"a","1.5":"b","true":"c","":"d","default":"e"}`, ``},
		{`{"__ptype":"Hash","__pvalue":["1","a",1,"b","z","c"]}`, `{"1":"b","z":"c"}`, ``},
		{`{"__ptype":"Hash","__pvalue":["__ptype","a"]}`, `{"__ptype":"a"}`, `{"reserved key: __ptype":"a"}`},
		{`{"__pvalue":"a"}`, `{"__pvalue":"a"}`, `{"reserved key: __pvalue":"a"}`},
		{`{"__ptype":"Hash","__pvalue":[[1,"a",null,{"__ptype":"Default"},{"b":2}],"x"]}`, `{"[1, \"a\", nil, :default, {\"b\"=>2}]":"x"}`, ``},
		{`{"__ptype":"Regexp","__pvalue":"a/b"}`, `"/a\\/b/"`, ``},
		{`{"__ptype":"Binary","__pvalue":"YQ=="}`, `"YQ=="`, ``},
		{`{"__ptype":"My::Line","from":{"__ptype":"My::Point","x":1},"to":{"__ptype":"My::Point","x":2,"y":3}}`,
			`"My::Line({'from' => My::Point({'x' => 1}), 'to' => My::Point({'x' => 2, 'y' => 3})})"`, ``},
		{`{"__ptype":"Deferred","name":"f","arguments":[{"__ptype":"Sensitive","__pvalue":"s"},{"__ptype":"Timestamp","__pvalue":"1970-01-01"}]}`,
			`"Deferred({'name' => 'f', 'arguments' => [Instance of Sensitive[String], '1970-01-01T00:00:00.000000000 UTC']})"`, ``},
		{`{"__ptype":"Pcore::ObjectType","_pcore_init_hash":{"attributes":{"a":{"__ptype":"Pcore::IntegerType"}}}}`,
			`"Object[{attributes => {'a' => Integer}}]"`, `null`},
	} {
		v, err := formats.RichJSON().Decode([]byte(c.in), o)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if c.stringified == "" {
			c.stringified = c.plain
		}
		for _, to := range []struct {
			format serialization.Format
			want   string
		}{{formats.JSON(), c.plain}, {formats.StringifiedJSON(), c.stringified}} {
			if got, err := to.format.Append(nil, v, inClear); err != nil || string(got) != to.want {
				t.Errorf("%s, %s: want %s, got %s, %v", c.in, to.format.Name, to.want, got, err)
			}
		}
	}
}

// Errors in a value have its path.
func TestEncodeRefuses(t *testing.T) {
	bad := pcore.Float(math.NaN())
	for path, v := range map[string]pcore.Value{
		"$['a'][1]":         h("a", pcore.NewArray(pcore.Integer(1), bad)),
		"$[1]":              h(pcore.Integer(1), bad),
		"$['arguments'][0]": pcore.NewDeferred("f", pcore.NewArray(bad)),
		"$['x']":            pcore.NewObject(pcore.NewTypeReferenceType("T"), h("x", bad)),
		"$['s']":            h("s", pcore.NewSensitive(h("hunter2", bad))),
	} {
		_, err := dataconv.Encode(v, dataconv.Rich, inClear)
		var e *serialization.Error
		if !errors.As(err, &e) || !errors.Is(err, serialization.ErrRange) || e.Path.String() != path {
			t.Errorf("want ErrRange at %s, got %v", path, err)
		}
	}
}

func ExampleDecode() {
	data := pcore.NewHash(
		pcore.Entry{Key: pcore.String("__ptype"), Value: pcore.String("Timespan")},
		pcore.Entry{Key: pcore.String("__pvalue"), Value: pcore.String("1-02:03:04.5")},
	)
	v, err := dataconv.Decode(data, serialization.DecodeOptions{})
	fmt.Println(v, err)
	// Output: Timespan('1-02:03:04.5') <nil>
}

func ExampleEncode() {
	v := pcore.NewHash(pcore.Entry{Key: pcore.Integer(1), Value: pcore.Default{}})
	data, err := dataconv.Encode(v, dataconv.Rich, serialization.EncodeOptions{})
	fmt.Println(data, err)
	// Output: {'__ptype' => 'Hash', '__pvalue' => [1, {'__ptype' => 'Default'}]} <nil>
}

// References into a large map take time proportional to their number. Otherwise
// this test would take minutes.
func TestManyLocalReferences(t *testing.T) {
	var doc strings.Builder
	doc.WriteString("{")
	const n = 100_000
	for i := range n {
		fmt.Fprintf(&doc, `"k%d":[%d],`, i, i)
	}
	doc.WriteString(`"refs":[`)
	for i := range n {
		fmt.Fprintf(&doc, `{"__ptype":"LocalRef","__pvalue":"$['k%d']"},`, i)
	}
	doc.WriteString("null]}")
	v, err := formats.RichJSON().Decode([]byte(doc.String()), serialization.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	h, _ := v.(*pcore.Hash)
	refs, _ := h.GetString("refs")
	if a, ok := refs.(*pcore.Array); !ok || a.At(n-1).String() != fmt.Sprintf("[%d]", n-1) {
		t.Error("the last reference does not lead to the last key")
	}
}

// Each list refers ten times to the previous one: expanded, the last one would
// have 10^30 elements.
func TestReferenceBomb(t *testing.T) {
	var doc strings.Builder
	doc.WriteString(`{"k0":["x"]`)
	for i := range 30 {
		ref := fmt.Sprintf(`{"__ptype":"LocalRef","__pvalue":"$['k%d']"}`, i)
		fmt.Fprintf(&doc, `,"k%d":[%s]`, i+1, strings.Repeat(ref+",", 9)+ref)
	}
	doc.WriteString("}")
	if _, err := formats.RichJSON().Decode([]byte(doc.String()), serialization.DecodeOptions{}); !errors.Is(err, serialization.ErrTooLarge) {
		t.Errorf("want ErrTooLarge, got %v", err)
	}
}
