package typeexpr_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// typeText draws the text of a type, with every documented form of parameters
// that the printed form can represent.
func typeText(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		pick := func(choices ...string) string { return rapid.SampledFrom(choices).Draw(t, "choice") }
		if depth == 0 {
			return pick(
				"Any", "Undef", "Default", "Scalar", "ScalarData", "Numeric", "Data", "RichData", "Binary", "SemVerRange",
				"Collection", "CatalogEntry", "Callable", "Array", "Hash", "Tuple", "Struct", "Variant", "Optional", "NotUndef",
				"Type", "Iterable", "Iterator", "Init", "Runtime", "Object", "Error", "Deferred", "Oracle::Port", "Oracle::Tree",
				"Integer", "Integer[1]", "Integer[default, 5]", "Integer[-3, 7]", "Float[1.5, 2]", "Float[default, -1.0e-7]",
				"String", "String[1]", "String[0, 3]", "Boolean", "Boolean[false]", "Enum", "Enum[a]", "Enum['it\\'s', \"a\\nb\", '$x']",
				"Regexp", "Regexp[/a\\/b/]", "Pattern", "Pattern[/a/, /[^\\s]+/]", "SemVer", "SemVer['1.x', '>=3.0.0 <4.0.0']",
				"Timespan[1, 90]", "Timespan['1-00:00:00']", "Timestamp['2016-01-01', default]", "URI", "URI['http://h/p?q']",
				"URI[{scheme => 'http', path => NotUndef}]", "Collection[1, 2]", "Array[0, 0]", "Hash[0, 0]", "Class", "Class['a::b']",
				"File", "File['/x']", "Resource", "Resource['exec', 'it\\'s']", "Runtime['ruby', 'A::B']", "Error['k', 'c']",
				"Callable[0, 0]", "Callable[[0, 0], Integer]", "Oracle::Point", "My::Unknown", "Target",
			)
		}
		inner := func() string { return typeText(depth-1).Draw(t, "inner") }
		size := func() string { return pick("", ", 1", ", 0, 3", ", default, 2", ", 2, default") }
		switch form := pick("Array", "Hash", "Tuple", "Struct", "Variant", "Optional", "Callable", "one", "Init", "leaf"); form {
		case "Array", "Tuple":
			return form + "[" + inner() + size() + "]"
		case "Hash", "Variant":
			text := form + "[" + inner() + ", " + inner()
			if form == "Hash" {
				text += size()
			}
			return text + "]"
		case "Struct":
			return fmt.Sprintf("Struct[{%s => %s, %s => %s}]", pick("a", "Optional[a]", "NotUndef[a]"), inner(), pick("'b c'", "Optional['b c']"), inner())
		case "Optional":
			return pick("Optional", "NotUndef") + "[" + pick("'x'", inner()) + "]"
		case "Callable":
			return "Callable[[" + inner() + pick("", ", 0, 2", ", 1, default") + pick("", ", Callable[Integer]", ", Optional[Callable]") + "], " + inner() + "]"
		case "one":
			return pick("Type", "Iterable", "Iterator") + "[" + inner() + "]"
		case "Init":
			return "Init[" + pick("Integer", "String", "Timespan", inner()) + pick("", ", 16", ", 'x', [true]") + "]"
		default:
			return typeText(0).Draw(t, "leaf")
		}
	})
}

// TestPrintedTypesAreTheSame checks that the printed text of a type parses as
// an equal type with the same text. Strings from which a type was inferred are
// not part of its text, and no text of a type can request them. As in the
// reference, a Callable with only a block or a result is not equal to the type
// it is printed as, Callable[[0, 0, Callable], T].
func TestPrintedTypesAreTheSame(t *testing.T) {
	std := standard(t)
	rapid.Check(t, func(t *rapid.T) {
		source := typeText(3).Draw(t, "source")
		typ, err := typeexpr.Parse(source, std)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		text := typ.String()
		again, err := typeexpr.Parse(text, std)
		if err != nil {
			t.Fatalf("%s is printed as %s: %v", source, text, err)
		}
		if again.String() != text {
			t.Fatalf("%s is printed as %s, then as %s", source, text, again)
		}
		if !pcore.EqualTypes(again, typ) && !strings.Contains(text, "[0, 0, ") {
			t.Fatalf("%s is printed as %s, which is another type", source, text)
		}
		if v, err := typeexpr.Evaluate(text, std); err == nil && !strings.Contains(text, "Default") {
			if evaluated, ok := v.(pcore.Type); !ok || evaluated.String() != text {
				t.Fatalf("%s is printed as %s, and evaluated as %s", source, text, v)
			}
		}
	})
}
