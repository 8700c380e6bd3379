package pcore

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ruledTypes returns the types that have a rule.
func ruledTypes() []Type {
	var all []Type
	for _, r := range typeRules() {
		if r.of != nil {
			all = append(all, r.of)
		}
	}
	return all
}

// Every Go type of this package that implements Value is in the tables, with
// its own kind and tag.
func TestEveryValueIsInTheTables(t *testing.T) {
	types, values := declaredValues(t)
	var known []string
	for _, u := range slices.Concat(ruledTypes(), composedTypes()) {
		known = append(known, goName(u))
		if kindOf(u) != setOf(KindType) {
			t.Errorf("%T is not known to be a type", u)
		}
	}
	if slices.Sort(known); !slices.Equal(known, types) {
		t.Errorf("there are the types %v, and rules for %v", types, known)
	}
	known = nil
	for _, v := range otherValues() {
		known = append(known, goName(v))
		if kindOf(v) != setOf(v.Kind()) {
			t.Errorf("%T is not of the kind %d", v, v.Kind())
		}
	}
	if slices.Sort(known); !slices.Equal(known, values) {
		t.Errorf("there are the values %v, and known are %v", values, known)
	}
	for tag, r := range typeRules() {
		if r.of != nil && outlineOf(r.of).parts != 1<<tag {
			t.Errorf("%T has the outline of another type", r.of)
		}
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

// declaredValues finds the Go types of values in the source code: types that
// have the method Kind, and types that embed typeKind.
func declaredValues(t *testing.T) (types, values []string) {
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
			types, values = append(types, embedding(d, "typeKind")...), append(values, havingKind(d)...)
		}
	}
	slices.Sort(types)
	slices.Sort(values)
	return types, values
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

// havingKind returns the receiver type if the declaration is a method Kind.
func havingKind(d ast.Decl) []string {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv == nil || f.Name.Name != "Kind" || !isNamed(f.Type.Results.List[0].Type, "Kind") {
		return nil
	}
	of := f.Recv.List[0].Type
	if p, ok := of.(*ast.StarExpr); ok {
		of = p.X
	}
	if isNamed(of, "typeKind") {
		return nil
	}
	return []string{of.(*ast.Ident).Name}
}

func isNamed(e ast.Expr, name string) bool {
	i, ok := e.(*ast.Ident)
	return ok && i.Name == name
}

// Types of other packages, and nil, are not mistaken for a type of this
// package.
func TestUnknownValuesHaveNoOutline(t *testing.T) {
	type foreign struct{ Type }
	for _, u := range []Type{foreign{&IntegerType{}}, &foreign{&IntegerType{}}, nil} {
		if o := outlineOf(u); *o != (outline{parts: setOf(tagUnknown)}) {
			t.Errorf("%T: %+v", u, o)
		}
		if kindOf(u) != setOf(kindUnknown) {
			t.Errorf("%T: kind %x", u, kindOf(u))
		}
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
	for _, rule := range typeRules() {
		if rule.of == nil || rule.accepts == 0 || rule.accepts == everything {
			continue
		}
		for _, u := range ruledTypes() {
			if u == Type(UnitType{}) {
				continue
			}
			want := slices.Contains(append(strings.Fields(above[tagName(u)]), tagName(u)), tagName(rule.of))
			if got := Accepts(rule.of, u); got != want {
				t.Errorf("%T accepts %T: %v", rule.of, u, got)
			}
		}
	}
}

func tagName(t Type) string { return strings.TrimSuffix(goName(t), "Type") }

// outlinedTypes returns leaf types that are difficult for outlines.
func outlinedTypes() []Type {
	init, _ := NewInitType(&IntegerType{})
	anything, resolve := NewTypeAliasType("Anything")
	_ = resolve(AnyType{})
	return append(leafTypes(), UnitType{}, variant(), NewOptionalType(nil), NewOptionalType(AnyType{}), NewNotUndefType(nil),
		NewNotUndefType(NewOptionalType(&StringType{})), &InitType{}, init, anything, &ObjectTypeExtension{base: ErrorType()},
		&TypeSetType{}, NewTypeReferenceType("X"))
}

// withoutOutlines returns t without outlines, so that all types are compared.
func withoutOutlines(t Type) Type {
	switch t := t.(type) {
	case *OptionalType:
		if t.elem != nil {
			return &OptionalType{elem: withoutOutlines(t.elem)}
		}
		return &OptionalType{}
	case *NotUndefType:
		if t.elem != nil {
			return &NotUndefType{elem: withoutOutlines(t.elem)}
		}
		return &NotUndefType{}
	case *VariantType:
		return &VariantType{types: allWithoutOutlines(t.types)}
	case *TupleType:
		return NewTupleType(allWithoutOutlines(t.types), t.size)
	case *ArrayType:
		return NewArrayType(withoutOutlines(t.Elem()), t.size)
	}
	return t
}

func allWithoutOutlines(types []Type) []Type {
	var all []Type
	for _, t := range types {
		all = append(all, withoutOutlines(t))
	}
	return all
}

func TestAcceptsIsTheSameWithoutOutlines(t *testing.T) {
	leaves := outlinedTypes()
	rapid.Check(t, func(t *rapid.T) {
		a, b := genType(3, leaves).Draw(t, "a"), genType(3, leaves).Draw(t, "b")
		if got, want := Accepts(a, b), Accepts(withoutOutlines(a), withoutOutlines(b)); got != want {
			t.Fatalf("%s accepts %s: %v, compared: %v", FormatType(a, TypeDebug), FormatType(b, TypeDebug), got, want)
		}
	})
}

func TestContainsIsTheSameWithoutOutlines(t *testing.T) {
	leaves := outlinedTypes()
	rapid.Check(t, func(t *rapid.T) {
		typ, v := genType(3, leaves).Draw(t, "type"), genValue(2).Draw(t, "value")
		if got, want := Contains(typ, v), Contains(withoutOutlines(typ), v); got != want {
			t.Fatalf("%s contains %s: %v, looked into: %v", FormatType(typ, TypeDebug), v, got, want)
		}
	})
}

// Verdicts agree with full comparisons.
func TestVerdictsAgreeWithComparing(t *testing.T) {
	leaves := outlinedTypes()
	rapid.Check(t, func(t *rapid.T) {
		typ := genType(2, leaves).Draw(t, "type")
		if isDecidedByKind(typ) {
			return
		}
		u, v := genType(2, leaves).Draw(t, "u"), genValue(1).Draw(t, "value")
		var a acceptor
		if verdict := outlineOf(typ).accepts.on(outlineOf(u).parts); verdict != unsure && (verdict == yes) != a.acceptsUnsure(typ, u) {
			t.Fatalf("%s accepts %s at a look: %v", FormatType(typ, TypeDebug), FormatType(u, TypeDebug), verdict)
		}
		var c container
		if verdict := outlineOf(typ).contains.on(kindOf(v)); verdict != unsure && (verdict == yes) != c.containsUnsure(typ, v) {
			t.Fatalf("%s contains %s at a look: %v", FormatType(typ, TypeDebug), v, verdict)
		}
	})
}

// isDecidedByKind reports whether the kind of t alone decides all comparisons.
func isDecidedByKind(t Type) bool {
	return slices.ContainsFunc(typeRules(), func(r typeRule) bool {
		return r.of != nil && r.compares == 0 && reflect.TypeOf(r.of) == reflect.TypeOf(t)
	})
}
