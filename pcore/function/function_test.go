package function_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/jump"
)

// nothing returns undef.
func nothing(*function.Call, []pcore.Value) (pcore.Value, error) { return pcore.Undef{}, nil }

func newEnv(t *testing.T, functions ...function.Function) *function.Env {
	t.Helper()
	r := function.NewRegistry()
	if err := r.Add(functions...); err != nil {
		t.Fatal(err)
	}
	return &function.Env{Functions: r}
}

func TestRegistryRefuses(t *testing.T) {
	whole := function.Dispatch{Call: nothing}
	for _, tt := range []struct {
		name string
		f    function.Function
		want string
	}{
		{"no name", function.Function{Dispatches: []function.Dispatch{whole}}, "no name"},
		{"upper case", function.Function{Name: "Up", Dispatches: []function.Dispatch{whole}}, "lower case"},
		{"global", function.Function{Name: "::up", Dispatches: []function.Dispatch{whole}}, "lower case"},
		{"no dispatch", function.Function{Name: "f"}, "no dispatch"},
		{"no implementation", function.Function{Name: "f", Dispatches: []function.Dispatch{{}}}, "needs either Call or Mismatch"},
		{"taken", function.Function{Name: "there", Dispatches: []function.Dispatch{whole}}, "the name is taken"},
		{"unreadable", function.Function{Name: "f", Dispatches: []function.Dispatch{{Text: "Integer[ x", Call: nothing}}}, "function f: signature"},
		{"no type", function.Function{Name: "f", Dispatches: []function.Dispatch{{Text: "x", Call: nothing}}}, "needs a type and a name"},
		{"twice", function.Function{Name: "f", Dispatches: []function.Dispatch{{Text: "Any x, Any x", Call: nothing}}}, "x is there twice"},
		{"required last", function.Function{Name: "f", Dispatches: []function.Dispatch{{Text: "Any x?, Any y", Call: nothing}}}, "y must be given"},
		{"after repeated", function.Function{Name: "f", Dispatches: []function.Dispatch{{Text: "Any x*, Any y?", Call: nothing}}}, "y follows a repeated one"},
		{"block first", function.Function{Name: "f", Dispatches: []function.Dispatch{{Text: "&Callable b, Any y", Call: nothing}}}, "the block must be last"},
		{"repeated block", function.Function{Name: "f", Dispatches: []function.Dispatch{{Text: "&Callable b*", Call: nothing}}}, "a block needs a type"},
		{"marks", function.Function{Name: "f", Dispatches: []function.Dispatch{{Text: "Any x?*", Call: nothing}}}, "more than one mark"},
		{"made by hand", function.Function{Name: "f", Dispatches: []function.Dispatch{{Signature: &function.Signature{Params: []function.Param{{Name: "x"}}}, Call: nothing}}}, "needs a type and a name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := function.NewRegistry()
			if err := r.Add(function.Function{Name: "there", Dispatches: []function.Dispatch{whole}}); err != nil {
				t.Fatal(err)
			}
			other := function.Function{Name: "other", Dispatches: []function.Dispatch{whole}}
			err := r.Add(other, tt.f)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if _, ok := r.Function("other"); ok {
				t.Error("a part of what was refused was added")
			}
		})
	}
}

// TestUnreadableRefusesCalls checks that every call of a function with an
// invalid signature returns the parse error.
func TestUnreadableRefusesCalls(t *testing.T) {
	r := function.NewRegistry()
	if err := r.AddUnread(function.Function{Name: "f", Dispatches: []function.Dispatch{{Text: "Integer[ x", Call: nothing}}}); err != nil {
		t.Fatal(err)
	}
	env := &function.Env{Functions: r}
	for _, args := range [][]pcore.Value{nil, {pcore.Integer(1)}, {pcore.Undef{}, pcore.String("a")}} {
		for _, b := range []function.Block{nil, block{&function.Signature{}, nil}} {
			if _, err := env.Call(t.Context(), "f", args, b); err == nil || !strings.Contains(err.Error(), `function f: signature "Integer[ x"`) {
				t.Errorf("called with %v: %v", args, err)
			}
		}
	}
}

func TestSignature(t *testing.T) {
	for _, tt := range []struct {
		text, printed string
		least, most   int
		callable      string
	}{
		{"", "()", 0, 0, "Callable[0, 0]"},
		{"String a", "(String a)", 1, 1, "Callable[String]"},
		{"String a, Integer[1] b?", "(String a, Integer[1] b?)", 1, 2, "Callable[String, Integer[1], 1, 2]"},
		{"Any a*", "(Any a*)", 0, -1, "Callable[Any, 0]"},
		{"Any a+", "(Any a+)", 1, -1, "Callable[Any, 1]"},
		{"Hash[String, Integer] h, &Callable[2, 2] block", "(Hash[String, Integer] h, Callable[2, 2] block)", 1, 1, "Callable[Hash[String, Integer], Callable[2, 2]]"},
		{"Any a, &Callable block? >> Array[String]", "(Any a, Callable block?)", 1, 1, "Callable[[Any, Optional[Callable]], Array[String]]"},
		{"Struct[{a => Integer, b => String}] s >> Hash[String, Any]", "(Struct[{'a' => Integer, 'b' => String}] s)", 1, 1, "Callable[[Struct[{'a' => Integer, 'b' => String}]], Hash[String, Any]]"},
	} {
		s, err := function.ParseSignature(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if got := s.String(); got != tt.printed {
			t.Errorf("%q prints %q, want %q", tt.text, got, tt.printed)
		}
		if least, most := s.Arity(); least != tt.least || most != tt.most {
			t.Errorf("%q has the arity %d, %d, want %d, %d", tt.text, least, most, tt.least, tt.most)
		}
		if got := s.Type().String(); got != tt.callable {
			t.Errorf("%q is the type %s, want %s", tt.text, got, tt.callable)
		}
	}
}

// block is a lambda implemented by a Go function.
type block struct {
	signature *function.Signature
	call      func(args []pcore.Value) (pcore.Value, error)
}

func (b block) Signature() *function.Signature { return b.signature }

func (b block) Call(_ context.Context, args ...pcore.Value) (pcore.Value, error) { return b.call(args) }

func blockOf(t *testing.T, signature string) function.Block {
	t.Helper()
	s, err := function.ParseSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	return block{s, func([]pcore.Value) (pcore.Value, error) { return pcore.Undef{}, nil }}
}

// TestRejected compares with the messages of the reference.
func TestRejected(t *testing.T) {
	env := newEnv(t,
		function.Function{Name: "one", Dispatches: []function.Dispatch{{Text: "String a, Integer b?", Call: nothing}}},
		function.Function{Name: "all", Dispatches: []function.Dispatch{{Text: "Any a+", Call: nothing}}},
		function.Function{Name: "none", Dispatches: []function.Dispatch{{Call: nothing}}},
		function.Function{Name: "each", Dispatches: []function.Dispatch{
			{Text: "Iterable enumerable, &Callable[2, 2] block", Call: nothing},
			{Text: "Iterable enumerable, &Callable[1, 1] block", Call: nothing},
		}},
		function.Function{Name: "upcase", Dispatches: []function.Dispatch{
			{Text: "Numeric arg", Call: nothing}, {Text: "String arg", Call: nothing}, {Text: "Array arg", Call: nothing}, {Text: "Hash arg", Call: nothing},
		}},
		function.Function{Name: "sort", Dispatches: []function.Dispatch{
			{Text: "String string_value", Call: nothing}, {Text: "Array array_value", Call: nothing},
		}},
		function.Function{Name: "odd", Dispatches: []function.Dispatch{
			{Text: "Integer a", Call: nothing},
			{Text: "Any a", Mismatch: func([]pcore.Value) string { return "takes numbers" }},
		}},
	)
	for _, tt := range []struct {
		function string
		args     []pcore.Value
		block    function.Block
		want     string
	}{
		{"one", nil, nil, "'one' expects between 1 and 2 arguments, got none"},
		{"one", []pcore.Value{pcore.Integer(1)}, nil, "'one' parameter 'a' expects a String value, got Integer"},
		{"one", []pcore.Value{pcore.String("x"), pcore.String("y")}, nil, "'one' parameter 'b' expects an Integer value, got String"},
		{"one", []pcore.Value{pcore.String("x")}, blockOf(t, ""), "'one' does not expect a block"},
		{"all", nil, nil, "'all' expects at least 1 argument, got none"},
		{"none", []pcore.Value{pcore.Integer(1)}, nil, "'none' expects no arguments, got 1"},
		{"each", []pcore.Value{pcore.NewArray()}, nil, "'each' expects a block"},
		{"each", []pcore.Value{pcore.NewArray()}, blockOf(t, ""), "'each' block expects between 1 and 2 arguments, got none"},
		{"upcase", []pcore.Value{pcore.Boolean(true)}, nil, "'upcase' parameter 'arg' expects a value of type Numeric, String, Array, or Hash, got Boolean"},
		{"upcase", []pcore.Value{pcore.Undef{}}, nil, "'upcase' parameter 'arg' expects a value of type Numeric, String, Array, or Hash, got Undef"},
		{"upcase", nil, nil, "'upcase' expects 1 argument, got none"},
		{"sort", []pcore.Value{pcore.Integer(3)}, nil, "The function 'sort' was called with arguments it does not accept. It expects one of:\n" +
			"  (String string_value)\n    rejected: parameter 'string_value' expects a String value, got Integer\n" +
			"  (Array array_value)\n    rejected: parameter 'array_value' expects an Array value, got Integer"},
		{"odd", []pcore.Value{pcore.String("x")}, nil, "'odd' takes numbers"},
	} {
		_, err := env.Call(t.Context(), tt.function, tt.args, tt.block)
		rejected, ok := errors.AsType[*function.ArgumentError](err)
		if !ok {
			t.Errorf("%s(%s): error %v, want an ArgumentError", tt.function, tt.args, err)
			continue
		}
		if rejected.Message != tt.want {
			t.Errorf("%s(%s):\n%s\nwant\n%s", tt.function, tt.args, rejected.Message, tt.want)
		}
	}
}

func TestRejectedKeepsSecrets(t *testing.T) {
	const canary = "correct-horse-battery"
	env := newEnv(t, function.Function{Name: "f", Dispatches: []function.Dispatch{{Text: "Integer a", Call: nothing}, {Text: "Sensitive[Integer] a", Call: nothing}}})
	secret := pcore.NewSensitive(pcore.String(canary))
	for _, args := range [][]pcore.Value{{secret}, {pcore.NewArray(secret)}, {secret, secret}} {
		_, err := env.Call(t.Context(), "f", args, nil)
		if err == nil {
			t.Fatal("the call was accepted")
		}
		for _, text := range []string{err.Error(), fmt.Sprintf("%+v %#v", err, err), slog.AnyValue(err).String()} {
			if strings.Contains(text, canary) {
				t.Errorf("the secret is in %q", text)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	failure := errors.New("it is broken")
	env := newEnv(t,
		function.Function{Name: "broken", Dispatches: []function.Dispatch{{Call: func(*function.Call, []pcore.Value) (pcore.Value, error) { return nil, failure }}}},
		function.Function{Name: "outer", Dispatches: []function.Dispatch{{Call: func(c *function.Call, _ []pcore.Value) (pcore.Value, error) { return c.Call("broken") }}}},
		function.Function{Name: "liar", Dispatches: []function.Dispatch{{Text: " >> Integer", Call: nothing}}},
		function.Function{Name: "jumper", Dispatches: []function.Dispatch{{Call: func(*function.Call, []pcore.Value) (pcore.Value, error) {
			return nil, &jump.Jump{Kind: jump.Break}
		}}}},
		function.Function{Name: "endless", Dispatches: []function.Dispatch{{Call: func(c *function.Call, _ []pcore.Value) (pcore.Value, error) { return c.Call("endless") }}}},
		function.Function{Name: "runner", Effects: function.RunsCommands | function.UsesNetwork, Dispatches: []function.Dispatch{{Call: nothing}}},
		function.Function{Name: "quiet", Dispatches: []function.Dispatch{{Call: func(*function.Call, []pcore.Value) (pcore.Value, error) { return nil, nil }}}},
	)
	call := func(name string) error {
		_, err := env.Call(t.Context(), name, nil, nil)
		return err
	}
	if err := call("broken"); !errors.Is(err, failure) || err.Error() != "broken(): it is broken" {
		t.Errorf("broken: %v", err)
	}
	if err := call("outer"); !errors.Is(err, failure) || err.Error() != "broken(): it is broken" {
		t.Errorf("outer: %v", err)
	}
	if err := call("liar"); err == nil || err.Error() != "liar(): the value returned expects an Integer value, got Undef" {
		t.Errorf("liar: %v", err)
	}
	if err := call("jumper"); !function.IsBreak(err) {
		t.Errorf("jumper: %v", err)
	}
	if err := call("endless"); err == nil || !strings.Contains(err.Error(), "too many calls within calls") {
		t.Errorf("endless: %v", err)
	}
	if err := call("::Missing"); err == nil || err.Error() != "Unknown function '::Missing'" {
		t.Errorf("missing: %v", err)
	}
	if err := call("runner"); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "runs commands, uses the network") {
		t.Errorf("runner: %v", err)
	}
	if v, err := env.Call(t.Context(), "::Quiet", nil, nil); err != nil || v != pcore.Value(pcore.Undef{}) {
		t.Errorf("quiet: %v, %v", v, err)
	}
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(failure)
	if _, err := env.Call(ended, "quiet", nil, nil); !errors.Is(err, failure) {
		t.Errorf("an ended context: %v", err)
	}
	env.Budget = function.NewBudget(8) // a call
	if err := call("quiet"); err != nil {
		t.Errorf("within the budget: %v", err)
	}
	if err := call("quiet"); !errors.Is(err, function.ErrBudget) {
		t.Errorf("beyond the budget: %v", err)
	}
	env.Budget = function.NewBudget(0)
	env.Budget.Add(8)
	if err := call("quiet"); err != nil {
		t.Errorf("within what was added: %v", err)
	}
}

func ExampleRegistry() {
	r := function.NewRegistry()
	err := r.Add(function.Function{
		Name: "greet",
		Doc:  "Returns a greeting.",
		Dispatches: []function.Dispatch{{
			Text: "String name, Integer[1] times? >> String",
			Call: func(_ *function.Call, args []pcore.Value) (pcore.Value, error) {
				times := 1
				if len(args) > 1 {
					times = int(args[1].(pcore.Integer))
				}
				return pcore.String(strings.Repeat("Hello "+string(args[0].(pcore.String))+"! ", times)), nil
			},
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	env := &function.Env{Functions: r}
	v, _ := env.Call(context.Background(), "greet", []pcore.Value{pcore.String("Anna"), pcore.Integer(2)}, nil)
	fmt.Println(v)
	_, err = env.Call(context.Background(), "greet", []pcore.Value{pcore.Integer(5)}, nil)
	fmt.Println(err)
	// Output:
	// 'Hello Anna! Hello Anna! '
	// 'greet' parameter 'name' expects a String value, got Integer
}
