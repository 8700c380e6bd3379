package stdlib_test

import (
	"context"
	"errors"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/internal/jump"
)

// lambda is a block implemented by a Go function. As in an evaluator, a next
// inside it becomes its result.
type lambda struct {
	signature *function.Signature
	body      func(args []pcore.Value) (pcore.Value, error)
}

func (l lambda) Signature() *function.Signature { return l.signature }

func (l lambda) Call(_ context.Context, args ...pcore.Value) (pcore.Value, error) {
	least, most := l.signature.Arity()
	if len(args) < least {
		return nil, errors.New("a parameter is required but no value was given")
	}
	if most >= 0 && len(args) > most {
		args = args[:most]
	}
	v, err := l.body(args)
	if j, ok := errors.AsType[*jump.Jump](err); ok && j.Kind == jump.Next {
		return j.Value, nil
	}
	return v, err
}

func block(t *testing.T, signature string, body func(args []pcore.Value) (pcore.Value, error)) function.Block {
	t.Helper()
	s, err := function.ParseSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	return lambda{s, body}
}

func n(i int64) pcore.Value  { return pcore.Integer(i) }
func s(x string) pcore.Value { return pcore.String(x) }

func list(values ...pcore.Value) *pcore.Array { return pcore.NewArray(values...) }

func hash(keysAndValues ...pcore.Value) *pcore.Hash {
	var b pcore.HashBuilder
	for i := 0; i < len(keysAndValues); i += 2 {
		b.Set(keysAndValues[i], keysAndValues[i+1])
	}
	return b.Hash()
}

// TestBlocks compares results with recorded results of the reference.
func TestBlocks(t *testing.T) {
	undef := pcore.Value(pcore.Undef{})
	one := func(body func(x pcore.Value) (pcore.Value, error)) function.Block {
		return block(t, "Any x", func(args []pcore.Value) (pcore.Value, error) { return body(args[0]) })
	}
	two := func(body func(x, y pcore.Value) (pcore.Value, error)) function.Block {
		return block(t, "Any x, Any y", func(args []pcore.Value) (pcore.Value, error) { return body(args[0], args[1]) })
	}
	both := two(func(x, y pcore.Value) (pcore.Value, error) { return list(x, y), nil })
	self := one(func(x pcore.Value) (pcore.Value, error) { return x, nil })
	is := func(want ...pcore.Value) function.Block {
		return one(func(x pcore.Value) (pcore.Value, error) {
			for _, w := range want {
				if pcore.Equal(w, x) {
					return pcore.Boolean(true), nil
				}
			}
			return pcore.Boolean(false), nil
		})
	}
	first := func(want pcore.Value) function.Block {
		return two(func(x, _ pcore.Value) (pcore.Value, error) { return pcore.Boolean(pcore.Equal(x, want)), nil })
	}
	second := func(want pcore.Value) function.Block {
		return two(func(_, y pcore.Value) (pcore.Value, error) { return pcore.Boolean(pcore.Equal(y, want)), nil })
	}
	stop := func(at pcore.Value) function.Block {
		return one(func(x pcore.Value) (pcore.Value, error) {
			if pcore.Equal(x, at) {
				return nil, &jump.Jump{Kind: jump.Break}
			}
			return x, nil
		})
	}
	sum := two(func(x, y pcore.Value) (pcore.Value, error) { return x.(pcore.Integer) + y.(pcore.Integer), nil })
	backwards := two(func(x, y pcore.Value) (pcore.Value, error) { return y.(pcore.Integer) - x.(pcore.Integer), nil })
	even := one(func(x pcore.Value) (pcore.Value, error) { return x.(pcore.Integer) % 2, nil })
	broken := one(func(pcore.Value) (pcore.Value, error) { return nil, errors.New("broken") })
	numbers := list(n(1), n(2), n(3))
	pairs := hash(s("a"), n(1), s("b"), n(2))

	for _, tt := range []struct {
		name  string
		args  []pcore.Value
		block function.Block
		want  pcore.Value // nil for an error
	}{
		{"each", []pcore.Value{numbers}, self, numbers},
		{"each", []pcore.Value{numbers}, stop(n(2)), numbers},
		{"each", []pcore.Value{numbers}, broken, nil},
		{"each", []pcore.Value{undef}, self, nil},
		{"map", []pcore.Value{numbers}, both, list(list(n(0), n(1)), list(n(1), n(2)), list(n(2), n(3)))},
		{"map", []pcore.Value{pairs}, both, list(list(s("a"), n(1)), list(s("b"), n(2)))},
		{"map", []pcore.Value{pairs}, self, list(list(s("a"), n(1)), list(s("b"), n(2)))},
		{"map", []pcore.Value{numbers}, stop(n(2)), list(n(1))},
		{"map", []pcore.Value{n(3)}, self, list(n(0), n(1), n(2))},
		{"map", []pcore.Value{n(0)}, self, list()},
		{"map", []pcore.Value{s("héy")}, self, list(s("h"), s("é"), s("y"))},
		{"map", []pcore.Value{pcore.NewEnumType(false, "b", "a")}, self, list(s("a"), s("b"))},
		{"map", []pcore.Value{numbers}, one(func(x pcore.Value) (pcore.Value, error) {
			return nil, &jump.Jump{Kind: jump.Next, Value: x}
		}), numbers},
		{"filter", []pcore.Value{numbers}, is(n(2), n(3)), list(n(2), n(3))},
		{"filter", []pcore.Value{numbers}, first(n(0)), list(n(1))},
		{"filter", []pcore.Value{pairs}, second(n(2)), hash(s("b"), n(2))},
		{"filter", []pcore.Value{pairs}, is(list(s("b"), n(2))), hash(s("b"), n(2))},
		{"filter", []pcore.Value{numbers}, stop(n(3)), list(n(1), n(2))},
		{"filter", []pcore.Value{pairs}, stop(list(s("b"), n(2))), nil},
		{"any", []pcore.Value{numbers}, is(n(2)), pcore.Boolean(true)},
		{"any", []pcore.Value{list()}, is(n(2)), pcore.Boolean(false)},
		{"any", []pcore.Value{pairs}, second(n(9)), pcore.Boolean(false)},
		{"any", []pcore.Value{numbers}, stop(n(1)), nil},
		{"all", []pcore.Value{numbers}, is(n(1), n(2), n(3)), pcore.Boolean(true)},
		{"all", []pcore.Value{numbers}, is(n(1)), pcore.Boolean(false)},
		{"all", []pcore.Value{numbers}, stop(n(1)), nil},
		{"index", []pcore.Value{list(s("a"), s("b"))}, is(s("b")), n(1)},
		{"index", []pcore.Value{list(s("a"), s("b"))}, first(n(1)), n(1)},
		{"index", []pcore.Value{pairs}, second(n(2)), s("b")},
		{"index", []pcore.Value{pairs}, is(n(1)), s("a")},
		{"index", []pcore.Value{pairs}, is(n(7)), undef},
		{"reduce", []pcore.Value{numbers}, sum, n(6)},
		{"reduce", []pcore.Value{numbers, n(10)}, sum, n(16)},
		{"reduce", []pcore.Value{list()}, sum, undef},
		{"reduce", []pcore.Value{list(), n(1)}, sum, n(1)},
		{"reduce", []pcore.Value{numbers}, two(func(x, y pcore.Value) (pcore.Value, error) {
			if pcore.Equal(y, n(3)) {
				return nil, &jump.Jump{Kind: jump.Break}
			}
			return x.(pcore.Integer) + y.(pcore.Integer), nil
		}), n(3)},
		{"partition", []pcore.Value{numbers}, is(n(2)), list(list(n(2)), list(n(1), n(3)))},
		{"partition", []pcore.Value{numbers}, first(n(0)), list(list(n(1)), list(n(2), n(3)))},
		{"partition", []pcore.Value{pairs}, second(n(1)), list(list(list(s("a"), n(1))), list(list(s("b"), n(2))))},
		{"group_by", []pcore.Value{numbers}, even, hash(n(1), list(n(1), n(3)), n(0), list(n(2)))},
		{"group_by", []pcore.Value{numbers}, first(n(1)), hash(pcore.Boolean(false), list(n(1), n(3)), pcore.Boolean(true), list(n(2)))},
		{"group_by", []pcore.Value{pairs}, second(n(1)), hash(pcore.Boolean(true), list(list(s("a"), n(1))), pcore.Boolean(false), list(list(s("b"), n(2))))},
		{"slice", []pcore.Value{numbers, n(2)}, self, numbers},
		{"slice", []pcore.Value{numbers, n(2)}, both, numbers},
		{"slice", []pcore.Value{numbers, n(3)}, both, nil},
		{"slice", []pcore.Value{numbers, n(2)}, block(t, "", nil), nil},
		{"sort", []pcore.Value{list(n(10), n(9), n(2))}, backwards, list(n(10), n(9), n(2))},
		{"sort", []pcore.Value{list(n(2), n(9), n(10))}, backwards, list(n(10), n(9), n(2))},
		{"sort", []pcore.Value{s("%s")}, two(func(pcore.Value, pcore.Value) (pcore.Value, error) { return n(1), nil }), s("s%")},
		{"sort", []pcore.Value{s("abcde")}, two(func(pcore.Value, pcore.Value) (pcore.Value, error) { return n(1), nil }), s("edcba")},
		{"sort", []pcore.Value{s("abcde")}, two(func(pcore.Value, pcore.Value) (pcore.Value, error) { return n(0), nil }), s("abcde")},
		{"sort", []pcore.Value{list(pcore.Float(1), undef)}, two(func(x, _ pcore.Value) (pcore.Value, error) { return x, nil }), list(undef, pcore.Float(1))},
		{"sort", []pcore.Value{numbers}, two(func(pcore.Value, pcore.Value) (pcore.Value, error) { return s("x"), nil }), nil},
		{"sort", []pcore.Value{numbers}, two(func(pcore.Value, pcore.Value) (pcore.Value, error) { return undef, nil }), nil},
		{"sort", []pcore.Value{numbers}, two(func(pcore.Value, pcore.Value) (pcore.Value, error) {
			return nil, &jump.Jump{Kind: jump.Break}
		}), nil},
		{"unique", []pcore.Value{list(n(1), n(2), n(3), n(4))}, even, list(n(1), n(2))},
		{"unique", []pcore.Value{hash(s("a"), n(1), s("b"), n(1), s("c"), n(3))}, even, hash(list(s("a"), s("b"), s("c")), list(n(1), n(3)))},
		{"max", []pcore.Value{n(1), n(2)}, backwards, n(1)},
		{"max", []pcore.Value{numbers}, backwards, n(1)},
		{"max", []pcore.Value{n(1), n(2)}, two(func(pcore.Value, pcore.Value) (pcore.Value, error) { return pcore.NewTimespan(-1, 0), nil }), n(1)},
		{"max", []pcore.Value{n(1), n(2)}, two(func(pcore.Value, pcore.Value) (pcore.Value, error) { return pcore.NewTimespan(1, 0), nil }), n(2)},
		{"min", []pcore.Value{numbers}, backwards, n(3)},
		{"max", []pcore.Value{list()}, backwards, undef},
		{"with", []pcore.Value{n(1), n(2)}, sum, n(3)},
		{"with", []pcore.Value{n(1)}, sum, nil},
		{"then", []pcore.Value{n(1)}, self, n(1)},
		{"then", []pcore.Value{undef}, broken, undef},
		{"lest", []pcore.Value{undef}, block(t, "", func([]pcore.Value) (pcore.Value, error) { return n(7), nil }), n(7)},
		{"lest", []pcore.Value{n(5)}, block(t, "", nil), n(5)},
		{"unwrap", []pcore.Value{pcore.NewSensitive(n(5))}, even, n(1)},
		{"unwrap", []pcore.Value{n(4)}, even, n(0)},
		{"reverse_each", []pcore.Value{numbers}, stop(n(2)), undef},
		{"step", []pcore.Value{numbers, n(2)}, is(), undef},
		{"tree_each", []pcore.Value{list(n(1), list(n(2)))}, stop(n(1)), list(n(1), list(n(2)))},
		{"tree_each", []pcore.Value{list(n(1), list(n(2)))}, both, list(n(1), list(n(2)))},
		{"tree_each", []pcore.Value{list(n(1), list(n(2)))}, broken, nil},
		{"call", []pcore.Value{s("map"), numbers}, even, list(n(1), n(0), n(1))},
		{"get", []pcore.Value{hash(s("a"), list(n(1))), s("a.b")}, one(func(e pcore.Value) (pcore.Value, error) {
			code, _ := e.(*pcore.Object).Get("issue_code")
			return code, nil
		}), s("EXPECTED_INTEGER_INDEX")},
		{"assert_type", []pcore.Value{pcore.NewStringType(nil), n(5)}, two(func(x, y pcore.Value) (pcore.Value, error) {
			return s(x.String() + " " + y.String()), nil
		}), s("String Integer[5, 5]")},
		{"scanf", []pcore.Value{s("12 0x1f abc"), s("%d %i %s")}, one(func(x pcore.Value) (pcore.Value, error) { return x, nil }), list(n(12), n(31), s("abc"))},
	} {
		env := &function.Env{Functions: newRegistry(t)}
		got, err := env.Call(t.Context(), tt.name, tt.args, tt.block)
		switch {
		case tt.want == nil && err == nil:
			t.Errorf("%s%s = %s, want an error", tt.name, list(tt.args...), got)
		case tt.want != nil && err != nil:
			t.Errorf("%s%s: %v", tt.name, list(tt.args...), err)
		case tt.want != nil && !pcore.Identical(got, tt.want):
			t.Errorf("%s%s = %s, want %s", tt.name, list(tt.args...), got, tt.want)
		}
	}
}

func TestSlicesAreFilled(t *testing.T) {
	for _, tt := range []struct {
		in        pcore.Value
		signature string
		want      *pcore.Array
	}{
		{list(n(1), n(2), n(3)), "Any x, Any y", list(list(n(1), n(2)), list(n(3), pcore.Undef{}))},
		{list(n(1), n(2), n(3)), "Any x", list(list(list(n(1), n(2))), list(list(n(3))))},
		{list(n(1), n(2), n(3)), "Any x*", list(list(n(1), n(2)), list(n(3), pcore.Undef{}))},
		{hash(s("a"), n(1)), "Any x, Any y", list(list(list(s("a"), n(1)), list()))},
	} {
		var got []pcore.Value
		env := &function.Env{Functions: newRegistry(t)}
		_, err := env.Call(t.Context(), "slice", []pcore.Value{tt.in, n(2)}, block(t, tt.signature, func(args []pcore.Value) (pcore.Value, error) {
			got = append(got, list(args...))
			return pcore.Undef{}, nil
		}))
		if err != nil || !pcore.Identical(list(got...), tt.want) {
			t.Errorf("slice of %s to (%s) gives %s, %v, want %s", tt.in, tt.signature, list(got...), err, tt.want)
		}
	}
}

// TestIndexOfTime checks that index finds a time by an equal number, as Ruby compares them.
func TestIndexOfTime(t *testing.T) {
	undef := pcore.Value(pcore.Undef{})
	span, stamp := pcore.NewTimespan(1, 250_000_000), pcore.NewTimestamp(1, 0)
	for _, c := range []struct{ in, value, want pcore.Value }{
		{list(n(7), span), n(1), n(1)},
		{list(span), pcore.Float(1.25), n(0)},
		{list(span), pcore.Float(1), undef},
		{list(stamp), n(1), n(0)},
		{list(n(1)), span, n(0)},
		{list(s("a")), span, undef},
	} {
		env := &function.Env{Functions: newRegistry(t)}
		got, err := env.Call(t.Context(), "index", []pcore.Value{c.in, c.value}, nil)
		if err != nil || !pcore.Identical(got, c.want) {
			t.Errorf("index of %s in %s is %v, %v, want %s", c.value, c.in, got, err, c.want)
		}
	}
}
