package typeexpr_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

func TestErrorsTellTheLocation(t *testing.T) {
	for _, c := range []struct {
		text string
		is   error
		says string
	}{
		{"Array[Nope, 'x']", nil, "line 1, column 1: <Array[Nope, 'x']>: wrong type parameter: Array needs an Integer or default, not String"},
		{"Hash[\n  String]", nil, "line 1, column 1: <Hash[\n  String]>: wrong number of type parameters"},
		{"Struct[{\n  a => Integer,\n  b => Array[1.5, 2]}]", nil, "line 3, column 8: <Array[1.5, 2]>: wrong type parameter"},
		{"Variant[Integer, 1]", nil, "wrong type parameter: Variant needs a type, not Integer"},
		{"Any[1]", nil, "not a parameterized type: Any"},
		{"1 + 1", typeexpr.ErrNotType, "<1 + 1>"},
		{"Integer(1)", typeexpr.ErrNotType, "<Integer(1)>"},
		{"Pattern['(']", nil, "cannot be read"},
		{"Resource['']", nil, "wrong type parameter: Resource needs the name of a resource type"},
		{"Integer[2, 1]", nil, "the lower bound 2 must not be above the upper bound 1"},
	} {
		_, err := typeexpr.Parse(c.text, nil)
		var where *typeexpr.Error
		switch {
		case err == nil:
			t.Errorf("%s: no error", c.text)
		case c.is != nil && !errors.Is(err, c.is):
			t.Errorf("%s: %v is not %v", c.text, err, c.is)
		case !errors.As(err, &where):
			t.Errorf("%s: %v does not tell the place", c.text, err)
		case !strings.Contains(err.Error(), c.says):
			t.Errorf("%s: %q does not say %q", c.text, err, c.says)
		}
	}
}

func TestUnknownTypes(t *testing.T) {
	typ, err := typeexpr.Parse("Array[My::Own['x']]", nil)
	if err != nil || typ.String() != `Array[TypeReference['My::Own[\'x\']']]` {
		t.Errorf("Parse: %v, %v", typ, err)
	}
	if _, err := typeexpr.Evaluate("Array[My::Own]", nil); !errors.Is(err, typeexpr.ErrUnknownType) {
		t.Errorf("Evaluate: %v is not ErrUnknownType", err)
	}
	if _, err := typeexpr.Named("My::Own", nil); !errors.Is(err, typeexpr.ErrUnknownType) {
		t.Errorf("Named: %v is not ErrUnknownType", err)
	}
}

func TestAccessGivesLists(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Class['a', 'B::C']", "[Class[a], Class[b::c]]"},
		{"Class[['a']]", "[Class[a]]"},
		{"Class['::a']", "Class[a]"},
		{"File['/a', ['/b', '/c']]", "[File['/a'], File['/b'], File['/c']]"},
		{"Resource['my::thing']['x']", "My::Thing['x']"},
		{"Resource[File, 'x', 'y']", "[File['x'], File['y']]"},
		{"Resource[File]", "File"},
	} {
		v, err := typeexpr.Evaluate(c.text, nil)
		if err != nil || v.String() != c.want {
			t.Errorf("%s = %v, %v, want %s", c.text, v, err, c.want)
		}
	}
}

func TestDefinitions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       map[string]string // by lower-case name
		says       string            // text of the error
	}{
		{name: "a type that refers to itself", text: "type Tree = Array[Variant[Integer, Tree]]",
			want: map[string]string{"tree": "Tree = Array[Variant[Integer, Tree]]"}},
		{name: "types that refer to each other", text: "type A = Array[B]\ntype B = Variant[Integer, A]",
			want: map[string]string{"a": "A = Array[B = Variant[Integer, A]]"}},
		{name: "later ones", text: "type A = Optional[B]\ntype B = Integer[1]",
			want: map[string]string{"a": "A = Optional[B = Integer[1]]"}},
		{name: "nothing but itself", text: "type A = B\ntype B = A", says: "cannot be resolved to a real type"},
		{name: "itself among others", text: "type A = Variant[A, Integer]", want: map[string]string{"a": "A = Integer"}},
		{name: "twice", text: "type A = Integer\ntype A = String", says: "the type A is defined already"},
		{name: "of the language", text: "type Integer = String", says: "the language has a type Integer"},
		{name: "something else", text: "type A = Integer\n$x = 1", says: "not a definition of a type"},
		{name: "an Object type in short", text: "type A = {attributes => {x => Integer, next => {type => Optional[A], value => undef}}}",
			want: map[string]string{"a": "Object[{name => 'A', attributes => {'x' => Integer, 'next' => {type => Optional[A], value => undef}}}]"}},
		{name: "an Object type that inherits from itself", text: "type A = Object[{parent => A}]", says: "the type A inherits from itself"},
		{name: "a TypeSet", text: `type S = TypeSet[{pcore_version => '1.0.0', version => '1.2.0', types => {
				Car => {attributes => {wheels => Array[Wheel]}}, Wheel => Integer[1], Fast => {parent => Car}}}]`,
			want: map[string]string{
				"s::fast": "Object[{name => 'S::Fast', parent => S::Car}]",
				"s": "TypeSet[{pcore_version => '1.0.0', name_authority => 'http://puppet.com/2016.1/runtime', name => 'S', " +
					"version => '1.2.0', types => {Car => Object[{attributes => {'wheels' => Array[Wheel]}}], " +
					"Wheel => Integer[1], Fast => Object[{parent => Car}]}}]",
			}},
		{name: "a TypeSet that refers to another", text: `type S = TypeSet[{pcore_version => '1.0.0', version => '1.2.0', types => {A => Integer}}]
			type T = TypeSet[{pcore_version => '1.0.0', types => {B => Array[M::A]}, references => {M => {name => 'S', version_range => '1.x'}}}]`,
			want: map[string]string{"t::b": "T::B = Array[S::A = Integer]"}},
		{name: "a version that does not fit", text: `type S = TypeSet[{pcore_version => '1.0.0', version => '1.2.0', types => {A => Integer}}]
			type T = TypeSet[{pcore_version => '1.0.0', types => {B => Array[M::A]}, references => {M => {name => 'S', version_range => '2.x'}}}]`,
			says: "resolves to an incompatible version, expected 2.x"},
		{name: "a pcore version of the future", text: "type S = TypeSet[{pcore_version => '2.0.0'}]", says: "expected 1.x, got 2.0.0"},
	} {
		d, err := typeexpr.Define("types.pp", c.text, nil)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v does not say %q", c.name, err, c.says)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for name, want := range c.want {
			typ, err := d.ResolveType(name)
			if err != nil {
				t.Errorf("%s: %s: %v", c.name, name, err)
				continue
			}
			if got := pcore.FormatType(typ, pcore.TypeExpanded); got != want {
				t.Errorf("%s: %s is\n     %s\nwant %s", c.name, name, got, want)
			}
		}
	}
}

func TestTypesThatReferToEachOther(t *testing.T) {
	d, err := typeexpr.Define("", "type A = Array[B]\ntype B = Variant[Integer, A]", nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"[1, [2, [3]]]": true, "[]": true, "[[[[]]]]": true, "[1, ['x']]": false, "1": false} {
		if got := pcore.Contains(evaluateType(t, "A", d), evaluate(t, text, d)); got != want {
			t.Errorf("%s =~ A: %v", text, got)
		}
	}
}

// TestBuiltinTypes checks that all definitions of Puppet itself are valid and
// complete.
func TestBuiltinTypes(t *testing.T) {
	for name, want := range map[string]string{
		"Pcore::AnyType":     "Object[{name => 'Pcore::AnyType', parent => Any}]",
		"Pcore::IntegerType": "Object[{name => 'Pcore::IntegerType', parent => Pcore::NumericType}]",
		"pcore::enumtype": "Object[{name => 'Pcore::EnumType', parent => Pcore::ScalarDataType, attributes => " +
			"{'values' => Array[String[1]], 'case_insensitive' => {type => Boolean, value => false}}}]",
		"Puppet::LookupKey": "Puppet::LookupKey",
	} {
		typ, err := typeexpr.Named(name, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := pcore.FormatType(typ, pcore.TypeExpanded); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
	for _, base := range []string{"Integer", "String[1]", "Struct[{a => Any}]", "Callable[String]", "Runtime[ruby, 'X']", "Oracle::Port"} {
		typ, err := typeexpr.Parse(base, standard(t))
		if err != nil {
			t.Fatal(err)
		}
		meta, err := typeexpr.Named(pcore.MetaName(typ), nil)
		if err != nil {
			t.Errorf("%s: the meta type is not known: %v", base, err)
		} else if _, ok := meta.(*pcore.ObjectType); !ok {
			t.Errorf("%s: the meta type is %s", base, meta)
		}
	}
}

// TestPrintedTypesAreReadAgain checks that a printed type parses and prints the
// same. The exceptions are the reference's: an Object type, its parameters and
// a TypeSet print as a name only, an unknown resource type becomes a
// TypeReference, a Sensitive generalizes its parameter each time, and a
// Callable with only a block gets a size.
func TestPrintedTypesAreReadAgain(t *testing.T) {
	std := standard(t)
	read := 0
	for _, c := range cases[struct {
		Type   string
		Parsed answer
	}](t, "types.jsonl") {
		if c.Parsed.Error != "" {
			continue
		}
		typ, err := typeexpr.Parse(c.Type, std)
		if err != nil {
			t.Errorf("%s: %v", c.Type, err)
			continue
		}
		if hasNoText(typ.String()) || strings.HasPrefix(c.Type, "Object[") {
			continue
		}
		again, err := typeexpr.Parse(typ.String(), std)
		if err != nil {
			t.Errorf("%s: %v", typ, err)
			continue
		}
		if again.String() != typ.String() {
			t.Errorf("%s is read as %s", typ, again)
		}
		if !pcore.Equal(again, typ) && pcore.Accepts(typ, typ) && !strings.Contains(typ.String(), "[0, 0, Callable") {
			t.Errorf("%s is not equal when read again", typ)
		}
		read++
	}
	if read < 200 {
		t.Errorf("only %d types were read again", read)
	}
}

func hasNoText(text string) bool {
	for _, word := range []string{"Object[", "Boxed", "TypeSet", "Foo::Bar", "Sensitive["} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

func TestResolverErrorsAreTold(t *testing.T) {
	broken := errors.New("the file cannot be read")
	r := resolverFunc(func(string) (pcore.Type, error) { return nil, broken })
	for _, f := range []func(string, typeexpr.Resolver) error{
		func(text string, r typeexpr.Resolver) error { _, err := typeexpr.Parse(text, r); return err },
		func(text string, r typeexpr.Resolver) error { _, err := typeexpr.Evaluate(text, r); return err },
	} {
		if err := f("Array[My::Type]", r); !errors.Is(err, broken) {
			t.Errorf("%v is not the error of the resolver", err)
		}
	}
}

type resolverFunc func(string) (pcore.Type, error)

func (f resolverFunc) ResolveType(name string) (pcore.Type, error) { return f(name) }

// TestResolverIsAskedForOtherNames checks that a Resolver gets lower-case names
// without leading colons, and never the names of built-in types.
func TestResolverIsAskedForOtherNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`(::)?[A-Z][a-zA-Z0-9_]{0,5}(::[A-Z][a-zA-Z]{0,3}){0,2}`).Draw(t, "name")
		var asked []string
		_, err := typeexpr.Named(name, resolverFunc(func(name string) (pcore.Type, error) {
			asked = append(asked, name)
			return pcore.AnyType{}, nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		want := strings.ToLower(strings.TrimPrefix(name, "::"))
		if len(asked) > 1 || len(asked) == 1 && asked[0] != want {
			t.Fatalf("%s: asked for %q", name, asked)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, c := range cases[struct{ Type string }](f, "types.jsonl") {
		f.Add(c.Type)
	}
	std := standard(f)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := typeexpr.Evaluate(text, std); err != nil {
			var where *typeexpr.Error
			if errors.As(err, &where) && where.Line < 1 {
				t.Errorf("%v has no place", err)
			}
		}
		typ, err := typeexpr.Parse(text, std)
		if err != nil {
			return
		}
		if !pcore.Accepts(pcore.AnyType{}, typ) {
			t.Errorf("Any does not accept %s", typ)
		}
		printed := typ.String()
		if strings.Contains(printed, `\`) { // ambiguous in single quotes
			return
		}
		again, err := typeexpr.Parse(printed, std)
		if err == nil && again.String() != printed && !hasNoText(printed) && !strings.Contains(again.String(), "TypeReference") {
			t.Errorf("%s is read as %s", typ, again)
		}
	})
}

// TestSizeOfTuple checks that default is 0 as the least size of a Tuple in a parsed text, unlike in other types and in
// evaluation.
func TestSizeOfTuple(t *testing.T) {
	for _, c := range []struct{ text, parsed, evaluated string }{
		{"Tuple[Integer, default, -1]", "", "Tuple[Integer, 0, 0]"},
		{"Tuple[Integer, default, 0]", "Tuple[Integer, 0, 0]", "Tuple[Integer, 0, 0]"},
		{"Tuple[Integer, -5, -3]", "Tuple[Integer, 0, 0]", "Tuple[Integer, 0, 0]"},
		{"Array[Integer, default, -1]", "Array[0, 0]", "Array[0, 0]"},
		{"Callable[Integer, default, -1]", "Callable[Integer, 0, 0]", "Callable[Integer, 0, 0]"},
	} {
		switch parsed, err := typeexpr.Parse(c.text, nil); {
		case c.parsed == "" && err == nil:
			t.Errorf("%s is parsed as %s, want an error", c.text, parsed)
		case c.parsed != "" && (err != nil || parsed.String() != c.parsed):
			t.Errorf("%s is parsed as %v, %v, want %s", c.text, parsed, err, c.parsed)
		}
		if v, err := typeexpr.Evaluate(c.text, nil); err != nil || v.String() != c.evaluated {
			t.Errorf("%s is evaluated to %v, %v, want %s", c.text, v, err, c.evaluated)
		}
	}
}
