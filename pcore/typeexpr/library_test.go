package typeexpr_test

import (
	"errors"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/internal/syntax"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// texts are definitions by name, each in its own text.
type texts map[string]string

func (s texts) find(name string) (typeexpr.Definition, error) {
	text, ok := s[name]
	if !ok {
		return typeexpr.Definition{}, typeexpr.ErrUnknownType
	}
	p, err := syntax.ParseProgram(name+".pp", text)
	if err != nil {
		return typeexpr.Definition{}, err
	}
	return typeexpr.NewDefinition(p.Body.Statements[0].(*syntax.TypeAlias), p.Locator), nil
}

func TestLibrary(t *testing.T) {
	outer, err := typeexpr.Define("", "type Outer = Integer", nil)
	if err != nil {
		t.Fatal(err)
	}
	l := typeexpr.NewLibrary(texts{
		"a":      "type A = Variant[Integer, Array[B]]",
		"b":      "type B = Optional[A]",
		"over":   "type Over = Array[Outer]",
		"set":    "type Set = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {Car => Object[{}], Cars => Array[Car]}}]",
		"wrong":  "type Wrong = Integer['a']",
		"uses":   "type Uses = Array[Wrong]",
		"unread": "type Unread = [",
	}.find, outer)
	for name, want := range map[string]string{
		"a": "A = Variant[Integer, Array[B = Optional[A]]]", "over": "Over = Array[Outer = Integer]", "set::cars": "Set::Cars = Array[Object[{name => 'Set::Car'}]]", "outer": "Outer = Integer",
	} {
		got, err := l.ResolveType(name)
		if err != nil || pcore.TypeText(got) != want {
			t.Errorf("%s: got %s, %v, want %s", name, pcore.TypeText(got), err, want)
		}
	}
	for range 2 { // an error each time
		for name, unknown := range map[string]bool{"nope": true, "set::nope": true, "nope::nope": true, "wrong": false, "uses": false, "unread": false} {
			if got, err := l.ResolveType(name); err == nil || errors.Is(err, typeexpr.ErrUnknownType) != unknown {
				t.Errorf("%s: got %v, %v", name, got, err)
			}
		}
	}
}

func TestLibraryDeclare(t *testing.T) {
	l := typeexpr.NewLibrary(nil, nil)
	p, err := syntax.ParseProgram("", `
		type T = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {A => Integer}}]
		type Wrong = Integer['a']
		type Integer = String
		type File = String
		type Pcore::IntegerType = String
		type T = String`)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range p.Body.Statements {
		if err := l.Declare(typeexpr.NewDefinition(s.(*syntax.TypeAlias), p.Locator)); (err == nil) != (i < 2) {
			t.Errorf("definition %d: %v", i, err)
		}
	}
	if _, err := l.ResolveType("t::a"); !errors.Is(err, typeexpr.ErrUnknownType) {
		t.Errorf("a type of a set that nobody asked for: %v", err)
	}
	for _, name := range []string{"t", "t::a"} {
		if _, err := l.ResolveType(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
