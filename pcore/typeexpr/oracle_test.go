package typeexpr_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// The files in testdata contain questions about random types, with the answers
// of real Puppet 7.23. The file env/std.pp of the vectors defines the types
// that they name.

func standard(t testing.TB) *typeexpr.Definitions {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "vectors", "env", "std.pp")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := typeexpr.Define(path, string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// cases decodes the cases in a file.
func cases[T any](t testing.TB, file string) []T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for line := range bytes.Lines(text) {
		var c T
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		t.Fatalf("%s: no cases", file)
	}
	return all
}

func evaluateType(t testing.TB, text string, r typeexpr.Resolver) pcore.Type {
	t.Helper()
	v, err := typeexpr.Evaluate(text, r)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	typ, ok := v.(pcore.Type)
	if !ok {
		t.Fatalf("%s is no type but %s", text, v)
	}
	return typ
}

func evaluate(t testing.TB, text string, r typeexpr.Resolver) pcore.Value {
	t.Helper()
	v, err := typeexpr.Evaluate(text, r)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

type answer struct {
	Value    string
	Error    string
	NotAType *string `json:"not_a_type"`
}

func TestTypesOfPuppet(t *testing.T) {
	std := standard(t)
	for _, c := range cases[struct {
		Type              string
		Parsed, Evaluated answer
	}](t, "types.jsonl") {
		typ, err := typeexpr.Parse(c.Type, std)
		switch {
		case c.Parsed.Error != "":
			if err == nil {
				t.Errorf("Parse(%s) = %s, want the error %s", c.Type, typ, c.Parsed.Error)
			}
		case err != nil:
			t.Errorf("Parse(%s): %v, want %s", c.Type, err, c.Parsed.Value)
		case typ.String() != c.Parsed.Value:
			t.Errorf("Parse(%s) = %s, want %s", c.Type, typ, c.Parsed.Value)
		}
		v, err := typeexpr.Evaluate(c.Type, std)
		switch {
		case c.Evaluated.NotAType != nil:
		case c.Evaluated.Error != "":
			if err == nil {
				t.Errorf("Evaluate(%s) = %s, want the error %s", c.Type, v, c.Evaluated.Error)
			}
		case err != nil:
			t.Errorf("Evaluate(%s): %v, want %s", c.Type, err, c.Evaluated.Value)
		default:
			if got := pcore.TypeText(v.(pcore.Type)); got != c.Evaluated.Value {
				t.Errorf("Evaluate(%s) = %s, want %s", c.Type, got, c.Evaluated.Value)
			}
		}
	}
}

func TestAcceptsAsPuppet(t *testing.T) {
	std := standard(t)
	for _, c := range cases[struct {
		T1, T2         string
		Accepts, Equal bool
	}](t, "assignable.jsonl") {
		a, b := evaluateType(t, c.T1, std), evaluateType(t, c.T2, std)
		if got := pcore.Accepts(a, b); got != c.Accepts {
			t.Errorf("%s accepts %s: %v, want %v", c.T1, c.T2, got, c.Accepts)
		}
		if got := pcore.EqualTypes(a, b); got != c.Equal {
			t.Errorf("%s equals %s: %v, want %v", c.T1, c.T2, got, c.Equal)
		}
	}
}

func TestCommonAsPuppet(t *testing.T) {
	std := standard(t)
	for _, c := range cases[struct{ T1, T2, Common string }](t, "common.jsonl") {
		got := pcore.Common(evaluateType(t, c.T1, std), evaluateType(t, c.T2, std))
		if pcore.TypeText(got) != c.Common {
			t.Errorf("the common type of %s and %s is %s, want %s", c.T1, c.T2, pcore.TypeText(got), c.Common)
		}
	}
}

func TestContainsAsPuppet(t *testing.T) {
	std := standard(t)
	for _, c := range cases[struct {
		Value, Type string
		Instance    bool
	}](t, "instances.jsonl") {
		if got := pcore.Contains(evaluateType(t, c.Type, std), evaluate(t, c.Value, std)); got != c.Instance {
			t.Errorf("%s =~ %s: %v, want %v", c.Value, c.Type, got, c.Instance)
		}
	}
}

func TestInferAsPuppet(t *testing.T) {
	std := standard(t)
	for _, c := range cases[struct{ Value, Detailed, Reduced, Generalized, Debug string }](t, "inferred.jsonl") {
		v := evaluate(t, c.Value, std)
		for _, q := range []struct{ what, want, got string }{
			{"detailed", c.Detailed, pcore.TypeText(pcore.InferDetailed(v))},
			{"reduced", c.Reduced, pcore.TypeText(pcore.Infer(v))},
			{"generalized", c.Generalized, pcore.TypeText(pcore.Generalize(pcore.Infer(v)))},
			{"debug", c.Debug, pcore.FormatType(pcore.InferDetailed(v), pcore.TypeDebug)},
		} {
			if q.got != q.want {
				t.Errorf("the %s type of %s is %s, want %s", q.what, c.Value, q.got, q.want)
			}
		}
	}
}

func TestMismatchAsPuppet(t *testing.T) {
	std := standard(t)
	for _, c := range cases[struct{ Type, Value, Mismatch string }](t, "mismatches.jsonl") {
		err := pcore.Mismatch("assert_type():", evaluateType(t, c.Type, std), evaluate(t, c.Value, std))
		if err == nil {
			t.Errorf("%s is an instance of %s, want: %s", c.Value, c.Type, c.Mismatch)
			continue
		}
		if err.Error() != c.Mismatch {
			t.Errorf("%s, %s\n got %s\nwant %s", c.Type, c.Value, err, c.Mismatch)
		}
	}
}
