package pcore

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/bits"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plainTypes returns the types that are not composed of others, without
// parameters.
func plainTypes() []Type {
	return []Type{
		AnyType{}, &ArrayType{}, BinaryType{}, &BooleanType{}, &CallableType{}, CatalogEntryType{}, &ClassType{},
		&CollectionType{}, DefaultType{}, &EnumType{}, &FloatType{}, &HashType{}, &InitType{}, &IntegerType{},
		&IterableType{}, &IteratorType{}, NumericType{}, &ObjectType{}, &ObjectTypeExtension{base: ErrorType()},
		&PatternType{}, &RegexpType{}, &ResourceType{}, &RuntimeType{}, ScalarType{}, ScalarDataType{}, &SemVerType{},
		SemVerRangeType{}, &SensitiveType{}, &StringType{}, &StructType{}, &TimespanType{}, &TimestampType{},
		&TupleType{}, &TypeType{}, &TypeReferenceType{}, &TypeSetType{}, UndefType{}, UnitType{}, &URIType{},
	}
}

// composedTypes returns types that are composed of others, created without a
// constructor.
func composedTypes() []Type {
	return []Type{&NotUndefType{}, &OptionalType{}, &TypeAliasType{}, &VariantType{}}
}

// Every Go type of this package that implements Type has its own facts, and the
// kind of types.
func TestFactsOfEveryType(t *testing.T) {
	all := slices.Concat(plainTypes(), composedTypes())
	var names []string
	for _, u := range all {
		names = append(names, goName(u))
		if kindsOf(u) != setOf(kindType) {
			t.Errorf("%T is not a type", u)
		}
	}
	slices.Sort(names)
	if want := declaredTypes(t); !slices.Equal(names, want) {
		t.Errorf("there are the types %v, and the test has %v", want, names)
	}
	seen := setOf(tagUnknown, tagNotUndef) // of composed types
	for _, u := range plainTypes() {
		parts := factsOf(u).parts
		if bits.OnesCount64(uint64(parts)) != 1 || parts&seen != 0 {
			t.Errorf("%T has the facts of another type", u)
		}
		seen |= parts
	}
	if seen != 1<<len(factsByTag)-1 {
		t.Errorf("the tags in use are %b", seen)
	}
}

// goName returns the name of the Go type of v.
func goName(v Value) string {
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}

// declaredTypes finds the Go types of types in the source code, which embed
// typeKind.
func declaredTypes(t *testing.T) (types []string) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			types = append(types, embedding(d, "typeKind")...)
		}
	}
	slices.Sort(types)
	return types
}

// embedding returns the struct types of a declaration that embed the named
// type.
func embedding(d ast.Decl, name string) (found []string) {
	g, ok := d.(*ast.GenDecl)
	if !ok {
		return nil
	}
	for _, spec := range g.Specs {
		if t, ok := spec.(*ast.TypeSpec); ok {
			s, ok := t.Type.(*ast.StructType)
			if ok && slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool { return f.Names == nil && isNamed(f.Type, name) }) {
				found = append(found, t.Name.Name)
			}
		}
	}
	return found
}

func isNamed(e ast.Expr, name string) bool {
	i, ok := e.(*ast.Ident)
	return ok && i.Name == name
}

// Nothing is known about nil.
func TestFactsOfNil(t *testing.T) {
	if f := factsOf(nil); *f != (typeFacts{setOf(tagUnknown), rule{possible: everything}, rule{possible: everything}}) {
		t.Errorf("%+v", f)
	}
	if k := kindsOf(nil); k != setOf(kindNil) {
		t.Errorf("the kind is %b", k)
	}
}

// above lists for each kind the kinds of types that accept it regardless of
// parameters, in addition to Any and Unit: the hierarchy of the specification.
func TestRulesAreTheHierarchy(t *testing.T) {
	const scalar, scalarData = "Scalar ", "ScalarData Scalar "
	above := map[string]string{
		"Integer": "Numeric " + scalarData, "Float": "Numeric " + scalarData, "Numeric": scalarData,
		"String": scalarData, "Enum": scalarData, "Pattern": scalarData, "Boolean": scalarData, "ScalarData": scalar,
		"Regexp": scalar, "SemVer": scalar, "SemVerRange": scalar, "Timespan": scalar, "Timestamp": scalar,
		"Class": "CatalogEntry ", "Resource": "CatalogEntry ",
	}
	for _, typ := range plainTypes() {
		if always := factsOf(typ).accepts.always; always == setOf(tagUnit) || always == everything {
			continue
		}
		for _, u := range plainTypes() {
			if u == Type(UnitType{}) {
				continue
			}
			want := slices.Contains(append(strings.Fields(above[tagName(u)]), tagName(u)), tagName(typ))
			if got := Accepts(typ, u); got != want {
				t.Errorf("%T accepts %T: %v", typ, u, got)
			}
		}
	}
}

func tagName(t Type) string { return strings.TrimSuffix(goName(t), "Type") }

// difficultTypes returns leaf types with exceptional facts.
func difficultTypes() []Type {
	init, _ := newInitType(&IntegerType{})
	anything, resolve := NewTypeAliasType("Anything")
	_ = resolve(AnyType{})
	return append(leafTypes(), UnitType{}, variant(), NewOptionalType(nil), NewOptionalType(AnyType{}), newNotUndefType(nil),
		newNotUndefType(NewOptionalType(&StringType{})), &InitType{}, init, anything, &ObjectTypeExtension{base: ErrorType()},
		&TypeSetType{}, NewTypeReferenceType("X"))
}

// withoutFacts returns t without facts, so that all types are compared.
func withoutFacts(t Type) Type {
	switch t := t.(type) {
	case *OptionalType:
		if t.elem != nil {
			return &OptionalType{elem: withoutFacts(t.elem)}
		}
		return &OptionalType{}
	case *NotUndefType:
		if t.elem != nil {
			return &NotUndefType{elem: withoutFacts(t.elem)}
		}
		return &NotUndefType{}
	case *VariantType:
		return &VariantType{types: allWithoutFacts(t.types)}
	case *TupleType:
		return NewTupleType(allWithoutFacts(t.types), t.size)
	case *ArrayType:
		return NewArrayType(withoutFacts(t.Elem()), t.size)
	}
	return t
}

func allWithoutFacts(types []Type) []Type {
	var all []Type
	for _, t := range types {
		all = append(all, withoutFacts(t))
	}
	return all
}

func TestAcceptsIsTheSameWithoutFacts(t *testing.T) {
	leaves := difficultTypes()
	rapid.Check(t, func(t *rapid.T) {
		a, b := genType(3, leaves).Draw(t, "a"), genType(3, leaves).Draw(t, "b")
		if got, want := Accepts(a, b), Accepts(withoutFacts(a), withoutFacts(b)); got != want {
			t.Fatalf("%s accepts %s: %v, compared: %v", FormatType(a, TypeDebug), FormatType(b, TypeDebug), got, want)
		}
	})
}

func TestContainsIsTheSameWithoutFacts(t *testing.T) {
	leaves := difficultTypes()
	rapid.Check(t, func(t *rapid.T) {
		typ, v := genType(3, leaves).Draw(t, "type"), genValue(2).Draw(t, "value")
		if got, want := Contains(typ, v), Contains(withoutFacts(typ), v); got != want {
			t.Fatalf("%s contains %s: %v, examined: %v", FormatType(typ, TypeDebug), v, got, want)
		}
	})
}

// The answers of rules agree with full comparisons.
func TestAnswersAgreeWithComparing(t *testing.T) {
	leaves := difficultTypes()
	rapid.Check(t, func(t *rapid.T) {
		typ := genType(2, leaves).Draw(t, "type")
		if isDecidedByKind(typ) {
			return
		}
		u, v := genType(2, leaves).Draw(t, "u"), genValue(1).Draw(t, "value")
		var a acceptor
		if answer := factsOf(typ).accepts.answer(factsOf(u).parts); answer != unsure && (answer == yes) != a.acceptsUnsure(typ, u) {
			t.Fatalf("%s accepts %s by its facts: %v", FormatType(typ, TypeDebug), FormatType(u, TypeDebug), answer)
		}
		var c container
		if answer := factsOf(typ).contains.answer(kindsOf(v)); answer != unsure && (answer == yes) != c.containsUnsure(typ, v) {
			t.Fatalf("%s contains %s by its facts: %v", FormatType(typ, TypeDebug), v, answer)
		}
	})
}

// isDecidedByKind reports whether t never compares the parameters of types.
func isDecidedByKind(t Type) bool {
	f := *factsOf(t)
	if !slices.Contains(factsByTag[:], f) {
		return false // composed
	}
	return f.accepts.possible&^f.accepts.always&^setOf(tagUnknown) == 0
}
