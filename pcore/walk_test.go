package pcore_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pcatdev/pcat/pcore"
)

func sample() pcore.Value {
	return pcore.NewHash(
		pcore.Entry{Key: pcore.String("a/b"), Value: pcore.NewArray(pcore.Integer(1), pcore.NewSensitive(pcore.String("s")))},
		pcore.Entry{Key: pcore.String("d"), Value: pcore.NewDeferred("f", pcore.NewArray(pcore.String("arg")))},
		pcore.Entry{Key: pcore.String("l"), Value: pcore.NewHash(pcore.Entry{Key: pcore.Integer(7), Value: pcore.String("seven")})},
		pcore.Entry{Key: pcore.String("o"), Value: pcore.NewObject(pcore.NewTypeReferenceType("My::Car"),
			pcore.NewHash(pcore.Entry{Key: pcore.String("wheels"), Value: pcore.Integer(4)}))},
	)
}

func TestWalkVisitsEverythingInOrder(t *testing.T) {
	var got []string
	err := pcore.Walk(sample(), func(c *pcore.Cursor) error {
		if c.IsKey() {
			return nil
		}
		secret := ""
		if c.Secret() {
			secret = " secret"
		}
		got = append(got, c.Path().String()+" "+c.Path().Pointer()+" "+pcore.KindOf(c.Value()).String()+secret)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"$  Hash",
		"$['a/b'] /a~1b Array",
		"$['a/b'][0] /a~1b/0 Integer",
		"$['a/b'][1] /a~1b/1 Sensitive",
		"$['a/b'][1] /a~1b/1/__pvalue String secret",
		"$['d'] /d Deferred",
		"$['d']['arguments'][0] /d/arguments/0 String",
		"$['l'] /l Hash",
		"$['l'][7] /l/__pvalue/1 String",
		"$['o'] /o Object",
		"$['o']['wheels'] /o/wheels Integer",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestSearchLooksWhereWalkDoes(t *testing.T) {
	var walked, searched []pcore.Value
	_ = pcore.Walk(sample(), func(c *pcore.Cursor) error {
		walked = append(walked, c.Value())
		return nil
	})
	found := pcore.Search(sample(), func(v pcore.Value) (found, inside bool) {
		searched = append(searched, v)
		return false, true
	})
	if found || !slices.EqualFunc(walked, searched, pcore.Identical) {
		t.Errorf("%v: %v, want %v", found, searched, walked)
	}
	if !pcore.Search(sample(), func(v pcore.Value) (found, inside bool) {
		return pcore.Is[*pcore.Sensitive](v), !pcore.Is[*pcore.Object](v)
	}) {
		t.Error("a Sensitive is not found")
	}
	if pcore.Search(sample(), func(v pcore.Value) (found, inside bool) {
		return pcore.Is[*pcore.Sensitive](v), !pcore.Is[*pcore.Array](v)
	}) {
		t.Error("it looked into an Array")
	}
}

func TestWalkStops(t *testing.T) {
	stop := errors.New("stop")
	n := 0
	err := pcore.Walk(sample(), func(c *pcore.Cursor) error {
		n++
		if pcore.Is[*pcore.Deferred](c.Value()) {
			return stop
		}
		if pcore.Is[*pcore.Array](c.Value()) {
			return pcore.SkipChildren
		}
		return nil
	})
	if !errors.Is(err, stop) {
		t.Errorf("err = %v", err)
	}
	if want := 5; n != want { // the hash, its first key and array, its second key and Deferred
		t.Errorf("%d visits, want %d", n, want)
	}
}

func TestRewriteSharesWhatDidNotChange(t *testing.T) {
	v := sample().(*pcore.Hash)
	same, err := pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) { return c.Value(), nil })
	if err != nil || same != pcore.Value(v) {
		t.Fatalf("an untouched value must come back itself: %v, %v", same, err)
	}
	upper, err := pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) {
		if s, ok := c.Value().(pcore.String); ok && !c.IsKey() {
			return pcore.String(strings.ToUpper(string(s))), nil
		}
		return c.Value(), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "{'a/b' => [1, Sensitive [value redacted]], 'd' => Deferred({'name' => 'f', 'arguments' => ['ARG']}), " +
		"'l' => {7 => 'SEVEN'}, 'o' => My::Car({'wheels' => 4})}"
	if upper.String() != want {
		t.Errorf("got  %s\nwant %s", upper, want)
	}
	before, _ := v.GetString("o")
	after, _ := upper.(*pcore.Hash).GetString("o")
	if before != after {
		t.Error("the branch without a string was made anew")
	}
	secret, _ := upper.(*pcore.Hash).GetString("a/b")
	if got := secret.(*pcore.Array).At(1).(*pcore.Sensitive).Reveal(); got != pcore.String("S") {
		t.Errorf("inside the Sensitive: %v", got)
	}
}

func TestRewriteKeys(t *testing.T) {
	v, err := pcore.Rewrite(sample(), func(c *pcore.Cursor) (pcore.Value, error) {
		if c.IsKey() {
			return pcore.String("k" + c.Value().String()), nil
		}
		return c.Value(), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := v.String(); !strings.Contains(got, "'k7' => 'seven'") {
		t.Errorf("keys: %v", got)
	}
}
