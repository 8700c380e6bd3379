package convert_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/convert"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// recursiveText draws the text of a type that refers to X and Y.
func recursiveText(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
			return rapid.SampledFrom([]string{"X", "Y", "X", "Y", "Integer", "Any"}).Draw(t, "name")
		}
		format := rapid.SampledFrom([]string{
			"Optional[%s]", "NotUndef[%s]", "Init[%s]", "Init[%s, 1]", "Type[%s]", "Iterable[%s]", "Sensitive[%s]", "Array[%s]",
			"Variant[%s, %s]", "Tuple[%s, %s]", "Hash[%s, %s]", "Struct[{a => %s, Optional[b] => %s}]", "Callable[[%s], %s]",
		}).Draw(t, "form")
		inner := recursiveText(depth - 1)
		args := []any{inner.Draw(t, "first")}
		if strings.Count(format, "%s") == 2 {
			args = append(args, inner.Draw(t, "second"))
		}
		return fmt.Sprintf(format, args...)
	})
}

// definition draws the definition of X or Y: an alias or an Object type.
func definition() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		text := recursiveText(2).Draw(t, "type")
		return fmt.Sprintf(rapid.SampledFrom([]string{
			"%s", "%s", "Object[{attributes => {a => %s}}]", "Object[{attributes => {a => {type => %s, value => undef}, b => Any}}]",
			"Object[{attributes => {a => Integer, b => %s}}]",
		}).Draw(t, "kind"), text)
	})
}

// TestRecursiveTypesEnd checks that operations on recursive types return a
// result or an error, and never overflow the stack or deadlock.
func TestRecursiveTypesEnd(t *testing.T) {
	values := []pcore.Value{
		pcore.Undef{}, pcore.Integer(1), pcore.String("a"), pcore.NewArray(pcore.Integer(1), pcore.Integer(1)),
		pcore.NewHash(pcore.Entry{Key: pcore.String("a"), Value: pcore.Integer(1)}), &pcore.IntegerType{},
	}
	rapid.Check(t, func(t *rapid.T) {
		source := "type X = " + definition().Draw(t, "X") + "\ntype Y = " + definition().Draw(t, "Y") + "\n"
		defs, err := typeexpr.Define("", source, nil)
		if err != nil {
			return // refers only to itself
		}
		var types []pcore.Type
		for _, text := range []string{"X", "Y", "Optional[X]", "Init[X]", "Init[Y, 1]", "Array[X]"} {
			typ, err := typeexpr.Parse(text, defs)
			if err != nil {
				t.Fatalf("%s%s: %v", source, text, err)
			}
			types = append(types, typ)
		}
		for _, typ := range types {
			if typ.String() == "" || pcore.TypeText(typ) == "" {
				t.Errorf("%s: no text", source)
			}
			for _, other := range types {
				if common := pcore.Common(typ, other); common == nil {
					t.Errorf("%s: %s and %s have no common type", source, typ, other)
				}
				if pcore.Accepts(typ, other) && pcore.EqualTypes(typ, other) != pcore.EqualTypes(other, typ) {
					t.Errorf("%s: %s equals %s one way only", source, typ, other)
				}
			}
			for _, v := range append(values, typ) {
				instance := pcore.Contains(typ, v)
				if err := pcore.Mismatch("x", typ, v); (err == nil) != instance {
					t.Errorf("%s: %s, %s: instance is %v, the mismatch %v", source, typ, v, instance, err)
				}
				if made, err := convert.New(typ, v); err == nil && !pcore.Contains(typ, made) {
					t.Errorf("%s: %s.new(%s) is %s, which is none", source, typ, v, made)
				}
			}
		}
	})
}

func TestAliasOfOptionalOfItself(t *testing.T) {
	defs, err := typeexpr.Define("", "type X = Optional[X] type Y = Object[{attributes => {a => Init[Y], b => Init[Y, 1]}}]", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"X", "Optional[X]", "Init[Y]", "Init[Y, 1]"} {
		typ, err := typeexpr.Parse(name, defs)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := convert.New(typ, pcore.Integer(1)); err == nil {
			t.Errorf("%s: want an error, got %s", name, v)
		}
	}
}
