package pcore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

// hash returns a Hash of alternating names and values.
func hash(pairs ...any) *pcore.Hash {
	var b pcore.HashBuilder
	for i := 0; i < len(pairs); i += 2 {
		b.SetString(pairs[i].(string), pairs[i+1].(pcore.Value))
	}
	return b.Hash()
}

func declare(t testing.TB, init *pcore.Hash) *pcore.ObjectType {
	t.Helper()
	typ, err := pcore.NewObjectType(init)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

func newObject(t testing.TB, typ *pcore.ObjectType, args ...pcore.Value) *pcore.Object {
	t.Helper()
	o, err := typ.New(args...)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func point(t testing.TB) *pcore.ObjectType {
	return declare(t, hash(
		"name", pcore.String("My::Point"),
		"attributes", hash(
			"x", &pcore.IntegerType{},
			"y", hash("type", &pcore.IntegerType{}, "value", pcore.Integer(0)),
			"unit", hash("type", &pcore.StringType{}, "kind", pcore.String("constant"), "value", pcore.String("mm"))),
	))
}

func TestObjects(t *testing.T) {
	typ := point(t)
	byPosition := newObject(t, typ, pcore.Integer(1))
	byName := newObject(t, typ, hash("y", pcore.Integer(0), "x", pcore.Integer(1)))
	if !pcore.Equal(byPosition, byName) || byPosition.String() != "My::Point({'x' => 1})" {
		t.Errorf("%s and %s", byPosition, byName)
	}
	for name, want := range map[string]pcore.Value{"x": pcore.Integer(1), "y": pcore.Integer(0), "unit": pcore.String("mm")} {
		if got, ok := byPosition.Get(name); !ok || got != want {
			t.Errorf("%s is %v, %v", name, got, ok)
		}
	}
	if _, ok := byPosition.Get("z"); ok {
		t.Error("it has no attribute z")
	}
	if !pcore.Contains(typ, byPosition) || !pcore.Contains(&pcore.ObjectType{}, byPosition) || pcore.Contains(pcore.ErrorType(), byPosition) {
		t.Error("it is an instance of its type, and of Object, only")
	}
}

func TestObjectsAreRefused(t *testing.T) {
	typ := point(t)
	for _, c := range []struct {
		args []pcore.Value
		says string
	}{
		{nil, "expects between 1 and 2 arguments, got none"},
		{[]pcore.Value{pcore.String("a")}, "parameter 'x' expects an Integer value, got String"},
		{[]pcore.Value{hash("y", pcore.Integer(1))}, "parameter 'hash' expects a value for key 'x'"},
		{[]pcore.Value{hash("x", pcore.Integer(1), "z", pcore.Integer(1))}, "unrecognized key 'z'"},
		{[]pcore.Value{pcore.Integer(1), pcore.Integer(2), pcore.Integer(3)}, "expects between 1 and 2 arguments, got 3"},
	} {
		_, err := typ.New(c.args...)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v does not say %q", c.args, err, c.says)
		}
	}
}

func TestObjectsInheritAttributes(t *testing.T) {
	parent := point(t)
	child := declare(t, hash("name", pcore.String("My::Named"), "parent", parent,
		"attributes", hash("label", &pcore.StringType{})))
	o := newObject(t, child, pcore.Integer(1), pcore.String("l"), pcore.Integer(3))
	if want := "My::Named({'x' => 1, 'y' => 3, 'label' => 'l'})"; o.String() != want {
		t.Errorf("got %s, want %s", o, want)
	}
	if !pcore.Contains(parent, o) || pcore.Contains(child, newObject(t, parent, pcore.Integer(1))) {
		t.Error("a child is an instance of the parent, not the other way round")
	}
	if !pcore.Accepts(parent, child) || pcore.Accepts(child, parent) {
		t.Error("the parent accepts the child, not the other way round")
	}
}

// The type of the first object decides: B does not set equality_include_type,
// and so also compares the types.
func TestEqualityOfObjects(t *testing.T) {
	a := declare(t, hash("name", pcore.String("A"), "attributes", hash("x", &pcore.IntegerType{}),
		"equality_include_type", pcore.Boolean(false)))
	b := declare(t, hash("name", pcore.String("B"), "parent", a))
	named := declare(t, hash("name", pcore.String("N"), "equality", pcore.NewArray(pcore.String("n")),
		"attributes", hash("n", &pcore.StringType{}, "v", pcore.AnyType{})))
	a1, b1, a2 := newObject(t, a, pcore.Integer(1)), newObject(t, b, pcore.Integer(1)), newObject(t, a, pcore.Integer(2))
	n1, n2 := newObject(t, named, pcore.String("n"), pcore.Integer(1)), newObject(t, named, pcore.String("n"), pcore.Integer(2))
	for _, c := range []struct {
		a, b pcore.Value
		want bool
	}{
		{a1, a1, true}, {a1, newObject(t, a, pcore.Integer(1)), true}, {a1, a2, false}, {a1, b1, true}, {b1, a1, false},
		{n1, n2, true}, {a1, n1, false},
	} {
		if got := pcore.Equal(c.a, c.b); got != c.want {
			t.Errorf("%s == %s: %v", c.a, c.b, got)
		}
	}
	keys := pcore.NewHash(pcore.Entry{Key: n1, Value: pcore.String("found")})
	if v, ok := keys.Get(n2); !ok || v != pcore.Value(pcore.String("found")) {
		t.Error("an equal object is not found as a key")
	}
}

func TestObjectTypeParameters(t *testing.T) {
	boxed := declare(t, hash("name", pcore.String("My::Boxed"),
		"type_parameters", hash("kind", &pcore.StringType{}),
		"attributes", hash("kind", &pcore.StringType{}, "v", pcore.AnyType{})))
	o := newObject(t, boxed, pcore.String("a"), pcore.Integer(1))
	if got := pcore.Infer(o).String(); got != "Boxed['a']" {
		t.Errorf("its type is %s", got)
	}
	for kind, want := range map[pcore.Value]bool{pcore.String("a"): true, pcore.String("b"): false, pcore.Default{}: false} {
		typ, err := boxed.Parameterize(kind)
		if err != nil {
			if kind != pcore.Value(pcore.Default{}) {
				t.Error(err)
			}
			continue
		}
		if got := pcore.Contains(typ, o); got != want {
			t.Errorf("it is an instance of %s: %v", typ, got)
		}
	}
	for _, args := range [][]pcore.Value{{pcore.Integer(1)}, {hash("bogus", pcore.Integer(1))}, {}} {
		if typ, err := boxed.Parameterize(args...); err == nil {
			t.Errorf("%v: no error but %s", args, typ)
		}
	}
	if _, err := point(t).Parameterize(pcore.Integer(1)); err == nil {
		t.Error("a type without type parameters takes none")
	}
}

// A type may refer to itself, and two types with the same declaration are
// equal.
func TestObjectTypesThatReferToThemselves(t *testing.T) {
	list := func() *pcore.ObjectType {
		typ, declare := pcore.DeclareObjectType("My::List")
		if err := declare(hash("attributes", hash("head", pcore.AnyType{},
			"tail", hash("type", pcore.NewOptionalType(typ), "value", pcore.Undef{})))); err != nil {
			t.Fatal(err)
		}
		return typ
	}
	a, b := list(), list()
	if !pcore.EqualTypes(a, b) {
		t.Error("they are declared alike")
	}
	inner := newObject(t, a, pcore.Integer(2))
	o := newObject(t, a, pcore.Integer(1), inner)
	if !pcore.Contains(b, o) || o.String() != "My::List({'head' => 1, 'tail' => My::List({'head' => 2})})" {
		t.Errorf("got %s", o)
	}
	if _, _, err := pcore.MetaOf(a); !errors.Is(err, pcore.ErrEndlessType) {
		t.Errorf("MetaOf: %v", err)
	}
}

func TestTypeSets(t *testing.T) {
	number := pcore.Type(&pcore.IntegerType{})
	set, err := pcore.NewTypeSetType(hash("pcore_version", pcore.String("1.0.0"), "name", pcore.String("My::Set"),
		"version", pcore.String("1.2.3"), "types", hash("Number", number)))
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := set.Type("NUMBER"); !ok || got != number {
		t.Errorf("NUMBER is %v", got)
	}
	if _, ok := set.Type("Nope"); ok {
		t.Error("it has no type Nope")
	}
	for _, bad := range []*pcore.Hash{
		hash("pcore_version", pcore.String("2.0.0"), "name", pcore.String("S")),
		hash("name", pcore.String("S")),
		hash("pcore_version", pcore.String("1.0.0"), "types", hash("number", number)),
		hash("pcore_version", pcore.String("1.0.0"), "references", hash("R", hash("name", pcore.String("X"), "version_range", pcore.String("1.x")))),
	} {
		if got, err := pcore.NewTypeSetType(bad); err == nil {
			t.Errorf("%s: no error but %s", bad, got)
		}
	}
}

func ExampleObjectType_New() {
	t, err := pcore.NewObjectType(hash(
		"name", pcore.String("Point"),
		"attributes", hash(
			"x", &pcore.IntegerType{},
			"y", hash("type", &pcore.IntegerType{}, "value", pcore.Integer(0))),
	))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, _ := t.New(pcore.Integer(3))
	q, _ := t.New(hash("x", pcore.Integer(3), "y", pcore.Integer(4)))
	fmt.Println(p, q, pcore.Equal(p, q))
	// Output: Point({'x' => 3}) Point({'x' => 3, 'y' => 4}) false
}
