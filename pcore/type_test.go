package pcore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

func integers(t testing.TB, from, to int64) *pcore.IntegerType {
	t.Helper()
	typ, err := pcore.NewIntegerType(pcore.At(from), pcore.At(to))
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

func TestConstructorsRefuseBadParameters(t *testing.T) {
	title := "/tmp"
	for name, err := range map[string]error{
		"Integer":   second(pcore.NewIntegerType(pcore.At[int64](2), pcore.At[int64](1))),
		"Float":     second(pcore.NewFloatType(pcore.At(2.0), pcore.At(1.0))),
		"Timespan":  second(pcore.NewTimespanType(pcore.At(pcore.NewTimespan(2, 0)), pcore.At(pcore.NewTimespan(1, 0)))),
		"Timestamp": second(pcore.NewTimestampType(pcore.At(pcore.NewTimestamp(2, 0)), pcore.At(pcore.NewTimestamp(1, 0)))),
		"Resource":  second(pcore.NewResourceType("no such name", nil)),
		"a title":   second(pcore.NewResourceType("", &title)),
		"Struct":    second(pcore.NewStructType(pcore.NewStructElement("", false, pcore.AnyType{}))),
		"Init":      second(pcore.NewInitType(nil, pcore.Integer(1))),
		"URI":       second(pcore.NewURIType(pcore.NewHash(pcore.Entry{Key: pcore.String("bogus"), Value: pcore.String("x")}))),
		"a key":     second(pcore.NewStructElementKey(&pcore.StringType{}, pcore.AnyType{})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func initOf(t *testing.T, args ...pcore.Value) pcore.Type {
	t.Helper()
	typ, err := pcore.NewInitType(&pcore.CollectionType{}, args...)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

func TestConstructorsNormalize(t *testing.T) {
	for _, c := range []struct {
		typ  pcore.Type
		want string
	}{
		{pcore.NewEnumType(false, "b", "a", "b"), "Enum['a', 'b']"},
		{pcore.NewVariantType(&pcore.StringType{}), "String"},
		{pcore.NewVariantType(&pcore.StringType{}, pcore.NewVariantType(pcore.UndefType{}, &pcore.StringType{})), "Variant[String, Undef]"},
		{pcore.NewNotUndefType(pcore.AnyType{}), "NotUndef"},
		{pcore.NewStringType(integers(t, -5, 3)), "String[0, 3]"},
		{pcore.NewArrayType(&pcore.StringType{}, integers(t, 0, 0)), "Array[0, 0]"},
		{pcore.NewSensitiveType(integers(t, 1, 2)), "Sensitive[Integer]"},
		{pcore.NewClassType("::a::b"), "Class[a::b]"},
		{pcore.NewPatternType(pcore.NewRegexp("a"), pcore.NewRegexp("a")), "Pattern[/a/]"},
		{pcore.NewCallableType(nil, nil, pcore.AnyType{}), "Callable"},
		{initOf(t, pcore.NewIterator(integers(t, 1, 3), nil)), "Init[Collection, Instance of Iterator[Integer[1, 3]]]"},
	} {
		if got := c.typ.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// Accessors return copies: a caller cannot modify the type through them.
func TestTypesAreImmutable(t *testing.T) {
	enum := pcore.NewEnumType(false, "a", "b")
	enum.Values()[0] = "changed"
	tuple := pcore.NewTupleType([]pcore.Type{&pcore.IntegerType{}}, nil)
	tuple.Types()[0] = pcore.AnyType{}
	if enum.String() != "Enum['a', 'b']" || tuple.String() != "Tuple[Integer]" {
		t.Errorf("they changed: %s, %s", enum, tuple)
	}
}

func TestElementType(t *testing.T) {
	hash := pcore.NewHashType(&pcore.StringType{}, &pcore.IntegerType{}, nil)
	for _, c := range []struct {
		typ  pcore.Type
		want string // empty if it cannot be iterated
	}{
		{&pcore.StringType{}, "String[1, 1]"},
		{&pcore.IntegerType{}, "Integer"},
		{pcore.NewArrayType(&pcore.BooleanType{}, nil), "Boolean"},
		{hash, "Tuple[String, Integer, 2, 2]"},
		{pcore.NewTupleType([]pcore.Type{&pcore.StringType{}, &pcore.IntegerType{}}, nil), "Variant[String, Integer]"},
		{pcore.NewTypeType(integers(t, 1, 3)), "Integer[1, 3]"},
		{pcore.NewTypeType(&pcore.IntegerType{}), ""},
		{&pcore.FloatType{}, ""},
		{&pcore.TypeType{}, ""},
	} {
		elem, ok := pcore.ElementType(c.typ)
		if ok != (c.want != "") || ok && elem.String() != c.want {
			t.Errorf("%s is iterated by %v, %v; want %q", c.typ, elem, ok, c.want)
		}
	}
}

func TestMatch(t *testing.T) {
	semver := func(text string) pcore.Value {
		v, err := pcore.ParseSemVer(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	versions, err := pcore.ParseSemVerRange(">=1.0.0 <2.0.0")
	if err != nil {
		t.Fatal(err)
	}
	list := func(v ...pcore.Value) pcore.Value { return pcore.NewArray(v...) }
	for _, c := range []struct {
		pattern, v pcore.Value
		want       bool
	}{
		{pcore.String("ABC"), pcore.String("abc"), true},
		{pcore.NewRegexp("B"), pcore.String("abc"), false},
		{pcore.NewRegexp("b"), pcore.String("abc"), true},
		{pcore.NewRegexp("1"), pcore.Integer(1), false},
		{&pcore.IntegerType{}, pcore.Integer(1), true},
		{pcore.Default{}, pcore.Undef{}, true},
		{versions, semver("1.5.0"), true},
		{versions, pcore.String("1.5.0"), true},
		{versions, pcore.String("not a version"), false},
		{semver("1.0.0"), pcore.String("1.0.0"), true},
		{list(pcore.Default{}, &pcore.StringType{}), list(pcore.Integer(1), pcore.String("x")), true},
		{list(pcore.Default{}), list(pcore.Integer(1), pcore.Integer(2)), false},
		{pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: &pcore.IntegerType{}}),
			pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: pcore.Integer(1)}, pcore.Entry{Key: pcore.String("b"), Value: pcore.Undef{}}), true},
		{pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: &pcore.IntegerType{}}), pcore.NewHash(), false},
	} {
		if got := pcore.Match(c.pattern, c.v); got != c.want {
			t.Errorf("%s matches %s: %v", c.pattern, c.v, got)
		}
	}
}

func TestMetaErrors(t *testing.T) {
	if _, _, err := pcore.MetaOf(pcore.DataType()); !errors.Is(err, pcore.ErrEndlessType) {
		t.Errorf("MetaOf(Data): %v", err)
	}
	one := func(name string, v pcore.Value) *pcore.Hash {
		return pcore.NewHash(pcore.Entry{Key: pcore.String(name), Value: v})
	}
	for _, c := range []struct {
		name  string
		attrs *pcore.Hash
		says  string
	}{
		{"Pcore::IntegerType", one("from", pcore.String("x")), "the attribute from cannot be made of the given value of type String"},
		{"Pcore::IntegerType", one("bogus", pcore.Integer(1)), "there is no attribute 'bogus'"},
		{"Pcore::ArrayType", one("element_type", pcore.Integer(1)), "the attribute element_type cannot be of type Integer"},
		{"Pcore::VariantType", one("types", pcore.NewArray(pcore.Integer(1))), "the element 0 of the attribute types"},
		{"Pcore::SemVerType", one("ranges", pcore.NewArray(pcore.String("x y z"), pcore.String("not a range"))), "is no range of versions"},
		{"Pcore::RuntimeType", one("runtime", pcore.String("ruby")), "the attribute name_or_pattern is missing"},
		{"Pcore::TypeAliasType", one("name", pcore.String("X")), "the attribute type_expr is missing"},
		{"Pcore::NoSuchType", nil, "no such meta type"},
		{"Integer", nil, "no such meta type"},
	} {
		_, err := pcore.FromMeta(c.name, c.attrs)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v does not say %q", c.name, err, c.says)
		}
	}
}

// TestMetaLenient checks forms that the reference implementation reads but
// never writes.
func TestMetaLenient(t *testing.T) {
	one := func(name string, v pcore.Value) *pcore.Hash {
		return pcore.NewHash(pcore.Entry{Key: pcore.String(name), Value: v})
	}
	for _, c := range []struct {
		name  string
		attrs *pcore.Hash
		want  string
	}{
		{"Pcore::IntegerType", one("from", pcore.Default{}), "Integer"},
		{"Pcore::FloatType", one("to", pcore.Integer(5)), "Float[default, 5.0]"},
		{"Pcore::TimespanType", one("from", pcore.Integer(1)), "Timespan['0-00:00:01.0']"},
		{"Pcore::TimespanType", one("from", pcore.String("1-00:00:00")), "Timespan['1-00:00:00.0']"},
		{"Pcore::TimestampType", one("to", pcore.Float(0.5)), "Timestamp[default, '1970-01-01T00:00:00.500000000 UTC']"},
		{"Pcore::BooleanType", one("value", pcore.Boolean(false)), "Boolean[false]"},
		{"Pcore::SensitiveType", one("type", &pcore.IntegerType{}), "Sensitive[Integer]"},
		{"Pcore::TypeReferenceType", nil, "TypeReference['UnresolvedReference']"},
	} {
		v, err := pcore.FromMeta(c.name, c.attrs)
		if err != nil || v.String() != c.want {
			t.Errorf("%s: got %v, %v, want %s", c.name, v, err, c.want)
		}
	}
}

// Only the general type of a secret is shown.
func TestTypesDoNotTellSecrets(t *testing.T) {
	secret := pcore.NewSensitive(pcore.String("hunter2"))
	v := pcore.NewArray(secret, pcore.NewHash(pcore.Entry{Key: pcore.String("password"), Value: secret}))
	for _, typ := range []pcore.Type{pcore.Infer(v), pcore.InferDetailed(v)} {
		for _, n := range []pcore.TypeNotation{pcore.TypeByName, pcore.TypeExpanded, pcore.TypeDebug} {
			if text := pcore.FormatType(typ, n); strings.Contains(text, "hunter2") {
				t.Errorf("the type tells the secret: %s", text)
			}
		}
	}
	wanted := pcore.NewArrayType(pcore.NewSensitiveType(pcore.NewEnumType(false, "other")), nil)
	if err := pcore.Mismatch("", wanted, v); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the mismatch tells the secret: %v", err)
	}
}

// The size of a description and the time to create it are bounded, regardless
// of the size of the value.
func TestMismatchIsBounded(t *testing.T) {
	bad := make([]pcore.Value, 100_000)
	for i := range bad {
		bad[i] = pcore.String("x")
	}
	typ := pcore.NewArrayType(&pcore.IntegerType{}, nil)
	if n := len(pcore.Mismatch("", typ, pcore.NewArray(bad...)).Error()); n > 1_000_000 {
		t.Errorf("the description has %d bytes", n)
	}
	tree, resolve := pcore.NewTypeAliasType("Tree")
	if err := resolve(pcore.NewVariantType(&pcore.IntegerType{},
		pcore.NewArrayType(tree, integers(t, 0, 5)), pcore.NewArrayType(tree, integers(t, 0, 6)))); err != nil {
		t.Fatal(err)
	}
	v := pcore.Value(pcore.String("x"))
	for range 60 {
		v = pcore.NewArray(v)
	}
	if pcore.Contains(tree, v) || pcore.Mismatch("", tree, v) == nil {
		t.Error("a tree of strings is no tree of integers")
	}
}

func ExampleContains() {
	t := pcore.NewOptionalType(pcore.NewArrayType(&pcore.StringType{}, nil))
	for _, v := range []pcore.Value{pcore.Undef{}, pcore.NewArray(pcore.String("a")), pcore.Integer(1)} {
		fmt.Println(t, pcore.Contains(t, v))
	}
	// Output:
	// Optional[Array[String]] true
	// Optional[Array[String]] true
	// Optional[Array[String]] false
}

func ExampleInfer() {
	v := pcore.NewArray(pcore.Integer(1), pcore.Integer(5), pcore.Float(2.5))
	fmt.Println(pcore.Infer(v))
	fmt.Println(pcore.InferDetailed(v))
	fmt.Println(pcore.Generalize(pcore.Infer(v)))
	// Output:
	// Array[Numeric, 3, 3]
	// Tuple[Integer[1, 1], Integer[5, 5], Float[2.5, 2.5]]
	// Array[Numeric]
}

// An Init without a constructor has no instances. It accepts only itself, as any type does.
func TestInitWithoutConstructor(t *testing.T) {
	collection := initOf(t)
	other, err := pcore.NewInitType(&pcore.IntegerType{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		typ  pcore.Type
		want bool
	}{
		{initOf(t), true},
		{initOf(t, pcore.Integer(1)), false},
		{other, false},
		{&pcore.CollectionType{}, false},
		{pcore.UndefType{}, false},
	} {
		if got := pcore.Accepts(collection, tt.typ); got != tt.want {
			t.Errorf("%s accepts %s: got %t, want %t", collection, tt.typ, got, tt.want)
		}
	}
	for _, v := range []pcore.Value{pcore.NewArray(), pcore.Integer(1), pcore.Undef{}} {
		if pcore.Contains(collection, v) {
			t.Errorf("%s is an instance of %s", v, collection)
		}
	}
}
