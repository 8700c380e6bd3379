package main

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/pcatdev/pcat/internal/test/conformance"
	"github.com/pcatdev/pcat/pcore"
)

func TestReplaceBracketed(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Array[Init[Enum[a], [1]], 2]", "Array[<Init[Enum[a], [1]]>, 2]"},
		{"Init[Init[Any]] | Init[Any]", "<Init[Init[Any]]> | <Init[Any]>"},
		{"Init, Array[1]", "Init, Array[1]"},
		{"Init[Any", "<Init[Any>"},
	} {
		if got := replaceBracketed(c.text, "Init[", ']', func(s string) string { return "<" + s + ">" }); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
	}
}

// language returns what evaluates types and answers questions like OpenVox 8, and the names of differences.
func language(t *testing.T) *comparison {
	t.Helper()
	folder := conformance.Folder(filepath.Join("..", "..", "..", "..", "testdata", "vectors"))
	runners, err := conformance.Families(folder, pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	typeOf, err := conformance.TypeOf(folder, pcore.OpenVox8)
	if err != nil {
		t.Fatal(err)
	}
	named, err := namings(filepath.Join("testdata", "named.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return &comparison{runners: runners, typeOf: typeOf, clusters: clusters{named: named, all: map[[3]string]*cluster{}}, out: io.Discard}
}

// Only the Init that Puppet's error names is replaced, at any depth, and everywhere it occurs.
func TestWithoutInit(t *testing.T) {
	never := func(n string) string {
		return "Init[Object[{name => 'Never" + n + "', attributes => {a => Runtime[go, 'Nope" + n + "'], b => Integer}}], 1]"
	}
	for _, c := range []struct{ t1, t2, refusal, want1, want2 string }{
		{
			"Init[Array[Init[Boolean, [1]]]]", "Init[Integer]",
			"The type 'Init[Boolean, [1]]' does not represent a valid set of parameters for Boolean.new()",
			"Init[Array[" + never("0_0") + "]]", "Init[Integer]",
		},
		{
			"Variant[Init[Enum[b, a]], Init[String, '/etc/x']]", "Array[Init[Enum[a, b]]]",
			"Creation of new instance of type 'Enum['a', 'b']' is not supported",
			"Variant[" + never("0_0") + ", Init[String, '/etc/x']]", "Array[" + never("0_0") + "]",
		},
		{
			"Init[Oracle::Host, '0x10']", "Init[Oracle::Json]", "Creation of new instance of type 'Oracle::Json' is not supported",
			"Init[Oracle::Host, '0x10']", never("0_0"),
		},
		// An unknown type can only be read.
		{"Array[Init[Unknown]]", "Any", "Creation of new instance of type 'TypeReference['Unknown']' is not supported", "Array[" + never("0_0") + "]", "Any"},
		// pcat has only the last entry of a key.
		{
			"Init[Struct[{a => Integer, 'b' => String, NotUndef['b'] => Any}], Binary('aGVsbG8=')]", "Init[Struct[{b => String}], 1]",
			"The type 'Init[Struct[{'a' => Integer, 'b' => String, NotUndef['b'] => Any}], Instance of Binary]' does not represent a valid set of parameters for Struct.new()",
			never("0_0"), "Init[Struct[{b => String}], 1]",
		},
		{"Init[Enum[a]]", "String", "Creation of new instance of type 'Pattern' is not supported", "", ""},
	} {
		answered, err := json.Marshal(map[string]any{"t1": c.t1, "t2": c.t2, "expect": map[string]string{"error": c.refusal}})
		if err != nil {
			t.Fatal(err)
		}
		s, ok := withoutInit(language(t).typeOf, 0, answered)
		if ok != (c.want1 != "") {
			t.Errorf("%s, %s: got %t", c.t1, c.t2, ok)
		}
		if !ok {
			continue
		}
		if got1, got2 := s.question(c.t1), s.question(c.t2); got1 != c.want1 || got2 != c.want2 {
			t.Errorf("got %s, %s, want %s, %s", got1, got2, c.want1, c.want2)
		}
	}
}

// Each evaluation of an Iterator makes another one, so the same text is another type each time.
func TestWithoutInitOfIterator(t *testing.T) {
	const text = "Variant[Init[Boolean, [1].reverse_each], Init[Boolean, [1].reverse_each]]"
	s, ok := withoutInit(language(t).typeOf, 0, []byte(`{"type":"`+text+`","expect":{"error":"The type 'Init[Boolean, Instance of Iterator[Integer[1, 1]]]' does not represent a valid set of parameters for Boolean.new()"}}`))
	if !ok {
		t.Fatal("nothing to replace")
	}
	restated, again := s.question(text), s.question(text)
	names := regexp.MustCompile(`Never0_0_\d+_\d+`).FindAllString(restated, -1)
	if len(names) != 2 || names[0] == names[1] || restated != again {
		t.Errorf("got %s, and %s", restated, again)
	}
	for _, name := range names {
		if got := s.revert("Array[Init[" + name + ", 1]]"); got != "Array[Init[Boolean, Instance of Iterator[Integer[1, 1]]]]" {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// The answers to a restated question contain the original Init.
func TestRevertedInit(t *testing.T) {
	s, ok := withoutInit(language(t).typeOf, 2, []byte(`{"t1":"Init[Enum['a\"']]","t2":"Any","expect":{"error":"Creation of new instance of type 'Enum['a\"']' is not supported"}}`))
	if want := `{"value":"Array[Init[Enum['a\"']]]"}`; !ok || s.revert(`{"value":"Array[Init[Never2_0, 1]]"}`) != want {
		t.Errorf("got %s, want %s", s.revert(`{"value":"Array[Init[Never2_0, 1]]"}`), want)
	}
}

func TestWithSubtypes(t *testing.T) {
	const text, want = "Variant[Data, ScalarData, Oracle::Tree, Array[RichData]]", "Variant[Questions::Data, ScalarData, Questions::Tree, Array[Questions::RichData]]"
	if got := withSubtypes(text); got != want || withSubtypes(got) != want {
		t.Errorf("got %s, and %s again, want %s", got, withSubtypes(got), want)
	}
	const types = "Variant[String, ScalarData, Array[Integer], Array[Regexp]]"
	if got := withoutAliases(text); got != types {
		t.Errorf("got %s, want %s", got, types)
	}
}

// An alias as a whole is printed with its type.
func TestGuardOfAlias(t *testing.T) {
	d := doubt{steps: []step{{name: "The guard against endless recursion"}}}
	const expanded = `at $: want "Questions::Tree = Array[Integer]", got "Oracle::Tree = Array[Variant[Integer, Oracle::Tree]]"`
	if !d.same(expanded) {
		t.Error("the texts of an alias are different")
	}
	if d.same(`at $: want "Questions::Tree = Array[Integer]", got "Oracle::Json = Any"`) {
		t.Error("the texts of two aliases are the same")
	}
}

func TestWithoutObjects(t *testing.T) {
	never := "Init[Object[{name => 'Never0_0', attributes => {a => Integer}}], 1]"
	got := withoutObjects("Variant[Object[{attributes => {a => Object}}], " + never + ", Oracle::Point, Oracle::Json, Deferred]")
	if want := "Variant[SemVer, " + never + ", SemVer, Oracle::Json, SemVer]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestChains gives Puppet's answers to a question, and to the questions restated from it, with the differences that pcat's answers
// have in the end.
func TestChains(t *testing.T) {
	const (
		noEnum    = `{"expect":{"error":"Creation of new instance of type 'Enum' is not supported","class":"ArgumentError"}}`
		noName    = `{"expect":{"error":"Creation of new instance of type 'Oracle::Name = Pattern[/\\A[a-z][a-z0-9_]*\\z/]' is not supported","class":"ArgumentError"}}`
		noPattern = `{"expect":{"error":"Creation of new instance of type 'Pattern' is not supported","class":"ArgumentError"}}`
		overflow  = `{"expect":{"error":"stack level too deep","class":"SystemStackError"}}`
		failure   = `{"expect":{"error":"undefined method 'element_type' for an object","class":"NoMethodError"}}`
		yes, no   = `{"expect":{"value":true,"eq":false}}`, `{"expect":{"value":false,"eq":false}}`
		anything  = `{"expect":{"value":"Any"}}`
	)
	for _, c := range []struct {
		runner, t1, t2 string
		answers        []string
		named          string
	}{
		{"assignable", "Variant[Init[Enum], Init[Pattern]]", "Regexp", []string{noEnum, noPattern, no}, "Init without a constructor"},
		{"assignable", "Variant[Init[Enum], Init[Pattern]]", "Regexp", []string{noEnum, noPattern, yes}, ""},
		{"assignable", "Variant[Init[Enum], Init[Array]]", "Type", []string{noEnum, yes}, ""},
		// An error that names nothing in the question leaves nothing to restate.
		{"assignable", "Init[Enum]", "Regexp", []string{noPattern}, ""},
		{"assignable", "Init[Enum]", "Regexp", []string{noEnum, noEnum}, ""},
		{"common", "Oracle::Json", "Init[Enum]", []string{noEnum, overflow, anything}, "Init without a constructor"},
		{"common", "Oracle::Json", "Init[Enum]", []string{noEnum, overflow, `{"expect":{"value":"Data"}}`}, ""},
		{"common", "Oracle::Json", "Init[Enum]", []string{noEnum, overflow, overflow}, ""},
		{"common", "Integer", "Init[Enum]", []string{noEnum, overflow}, ""},
		{"assignable", "Iterable[Init[Enum]]", "Oracle::Point", []string{noEnum, failure, no}, "Init without a constructor"},
		{"assignable", "Iterable[Init[Enum]]", "Oracle::Point", []string{noEnum, failure, yes}, ""},
		{"assignable", "Init[Enum]", "Oracle::Point", []string{noEnum, failure}, ""},
		{"assignable", "Variant[Init[Enum], NotUndef]", "Init[Object[{attributes => {}}]]", []string{noEnum, failure, yes}, "Init without a constructor"},
		{"assignable", "Variant[Init[Enum], NotUndef]", "Init[Object[{attributes => {}}]]", []string{noEnum, failure, no}, ""},
		// Puppet compares the types of two Inits at the second question.
		{"common", "Init[Oracle::Name]", "Init[String]", []string{noName, anything, `{"expect":{"value":"Init[String]"}}`}, "Init without a constructor"},
		{"common", "Init[Oracle::Name]", "Init[String]", []string{noName, anything, anything}, ""},
		{"common", "Init[Oracle::Name]", "Init[String]", []string{noName, anything, noName}, ""},
		// A crash can have two causes.
		{"common", "Oracle::Json", "Tuple[Iterable[Init[Enum]], Oracle::Point]", []string{noEnum, overflow, failure, anything}, "Init without a constructor"},
		{"assignable", "Data", "Tuple[Init[Enum], Data, Type]", []string{noEnum, yes, no}, "Init without a constructor"},
		{"assignable", "Data", "Tuple[Init[Enum], Data, Type]", []string{noEnum, yes, yes}, ""},
	} {
		k := kind{name: map[string]string{"assignable": "assignability", "common": "common types"}[c.runner], runner: c.runner}
		compared := language(t)
		line := func(q question, answer string) []byte {
			return []byte(string(q.line[:len(q.line)-1]) + "," + answer[1:])
		}
		asked, err := json.Marshal(map[string]string{"id": "x", "op": "x", "env": "std", "t1": c.t1, "t2": c.t2})
		if err != nil {
			t.Fatal(err)
		}
		q := question{&k, asked}
		if err := compared.answer(q, line(q, c.answers[0])); err != nil {
			t.Fatal(err)
		}
		for i, answer := range c.answers[1:] {
			if len(compared.doubts) != 1 {
				t.Fatalf("%s, %s: %d differences in doubt after %d answers, want 1", c.t1, c.t2, len(compared.doubts), i+1)
			}
			d := compared.doubts[0]
			compared.doubts = nil
			if q, err = d.restated(); err != nil {
				t.Fatal(err)
			}
			if err := compared.decide(d, line(q, answer)); err != nil {
				t.Fatal(err)
			}
		}
		all := compared.clusters.sorted()
		if len(compared.doubts) != 0 || len(all) != 1 || all[0].Named != c.named {
			t.Errorf("%s, %s, %s: got %d in doubt, and %+v, want the name %q", c.t1, c.t2, c.answers, len(compared.doubts), all, c.named)
		}
	}
}

// TestRestated gives pcat's answers, and wrong ones, to questions whose restated form Puppet has answered. The wrong
// ones do not have the name.
func TestRestated(t *testing.T) {
	for _, c := range []struct {
		kind               kind
		question, answered string // Puppet's answer to the question
		restated           string // its answer to the restated question
		right              bool
	}{
		{
			kind{name: "assignability", runner: "assignable"}, `{"t1":"Init[Enum]","t2":"String"}`,
			`{"expect":{"error":"Creation of new instance of type 'Enum' is not supported"}}`, `{"expect":{"value":false,"eq":false}}`, true,
		},
		{
			kind{name: "assignability", runner: "assignable"}, `{"t1":"Init[Enum]","t2":"String"}`,
			`{"expect":{"error":"Creation of new instance of type 'Enum' is not supported"}}`, `{"expect":{"value":true,"eq":false}}`, false,
		},
		{
			kind{name: "assignability", runner: "assignable"}, `{"t1":"Data","t2":"Tuple[Data, Type]"}`,
			`{"expect":{"value":true,"eq":false}}`, `{"expect":{"value":false,"eq":false}}`, true,
		},
		{
			kind{name: "assignability", runner: "assignable"}, `{"t1":"Data","t2":"Tuple[Data, Type]"}`,
			`{"expect":{"value":true,"eq":false}}`, `{"expect":{"value":true,"eq":false}}`, false,
		},
		{
			kind{name: "instances", runner: "instance"}, `{"env":"std","expr":"[String, Tuple[Data, Oracle::Named]]","type":"Iterable[Type[Oracle::Json]]"}`,
			`{"expect":{"value":true}}`, `{"expect":{"value":false}}`, true,
		},
		{
			kind{name: "instances", runner: "instance"}, `{"env":"std","expr":"[String, Tuple[Data, Oracle::Named]]","type":"Iterable[Type[Oracle::Json]]"}`,
			`{"expect":{"value":true}}`, `{"expect":{"value":true}}`, false,
		},
		{
			kind{name: "common types", runner: "common"}, `{"t1":"String","t2":"Array[Variant[Data, Type]]"}`,
			`{"expect":{"value":"Data"}}`, `{"expect":{"value":"RichData"}}`, true,
		},
		{
			kind{name: "common types", runner: "common"}, `{"t1":"String","t2":"Array[Variant[Data, Type]]"}`,
			`{"expect":{"value":"Data"}}`, `{"expect":{"value":"Any"}}`, false,
		},
		{
			kind{name: "rich data, read", runner: "from_rich"}, `{"doc":[{"__ptype":"Nope","__pvalue":"x"},{"__ptype":"Hash","__pvalue":[1]}]}`,
			`{"expect":{"error":"No implementation"},"allow_unresolved":{"value":[{"__ptype":"Nope","__pvalue":"x"}]}}`,
			`{"expect":{"value":[["Nope","x"],{"__ptype":"Hash","__pvalue":[1,null]}]}}`, true,
		},
		{
			kind{name: "rich data, read", runner: "from_rich"}, `{"doc":[{"__ptype":"Nope","__pvalue":"x"},{"__ptype":"Hash","__pvalue":[1]}]}`,
			`{"expect":{"error":"No implementation"},"allow_unresolved":{"value":[{"__ptype":"Nope","__pvalue":"x"}]}}`,
			`{"expect":{"value":[["Nope","x"],{"__ptype":"Hash","__pvalue":[1,2]}]}}`, false,
		},
		// Puppet does not decode the content of an unknown type; to decode it is an error, or a crash of Ruby.
		{
			kind{name: "rich data, read", runner: "from_rich"}, `{"doc":{"__ptype":"Nope","__pvalue":{"__ptype":"Regexp","__pvalue":{"__ptype":"Boolean","__pvalue":5}}}}`,
			`{"expect":{"error":"No implementation"},"allow_unresolved":{"value":{}}}`,
			`{"expect":{"error":"undefined method ` + "`implementation_class'" + ` for an object"},"doc":["Nope",{"__ptype":"Regexp","__pvalue":{"__ptype":"Boolean","__pvalue":5}}],"id":"x"}`, true,
		},
		{
			kind{name: "rich data, read", runner: "from_rich"}, `{"doc":{"__ptype":"Nope","__pvalue":{"__ptype":"Regexp","__pvalue":{"__ptype":"Boolean","__pvalue":5}}}}`,
			`{"expect":{"error":"No implementation"},"allow_unresolved":{"value":{}}}`,
			`{"expect":{"error":"undefined method ` + "`implementation_class'" + ` for an object"},"doc":["Nope",{"__ptype":"Regexp","__pvalue":"a"}],"id":"x"}`, false,
		},
	} {
		compared := language(t)
		line := []byte(c.question[:len(c.question)-1] + `,"id":"x","op":"x",` + c.answered[1:])
		if err := compared.answer(question{&c.kind, []byte(c.question)}, line); err != nil {
			t.Fatal(err)
		}
		if len(compared.doubts) != 1 {
			t.Errorf("%s: %d differences in doubt, want 1", c.question, len(compared.doubts))
			continue
		}
		if err := compared.unlike(compared.doubts[0], []byte(c.restated)); (err == nil) != c.right {
			t.Errorf("%s, %s: got %v, right is %t", c.question, c.restated, err, c.right)
		}
	}
}

// A crash of Puppet is no agreement with a value: the difference is unnamed.
func TestCrashedRestated(t *testing.T) {
	compared := &comparison{clusters: clusters{named: nil}}
	d := doubt{question: question{kind: &kind{name: "assignability", runner: "assignable"}}, answered: []byte(`{"expect":{"error":"x"}}`), steps: []step{{name: "Init without a constructor"}}}
	if err := compared.unlike(d, []byte(`{"expect":{"error":"undefined method 'x' for nil"}}`)); !errors.Is(err, errCrashed) {
		t.Errorf("got %v", err)
	}
}

// The answer to a question with two restatements has the member of the second one, whose parts are reverted.
func TestExpectedOfTwo(t *testing.T) {
	d := doubt{answered: []byte(`{"expect":{"error":"x"},"allow_unresolved":{"value":1}}`)}
	for _, name := range []string{"The guard against endless recursion", "Unknown types that are allowed"} {
		s := restatements[name].step
		s.name = name
		d.steps = append(d.steps, s)
	}
	got, err := d.expected([]byte(`{"expect":{"value":["Nope","x"]}}`))
	if want := `{"allow_unresolved":{"value":{"__ptype":"Nope","__pvalue":"x"}},"expect":{"error":"x"}}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}
