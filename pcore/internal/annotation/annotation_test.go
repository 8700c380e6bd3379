package annotation

import (
	"context"
	"testing"

	"github.com/pcatdev/pcat/pcore"
)

func TestAnnotations(t *testing.T) {
	ctx := With(context.Background())
	a := In(ctx)
	v, other := pcore.NewArray(pcore.Integer(1)), pcore.NewArray(pcore.Integer(1))
	o := pcore.NewObject(pcore.ErrorType(), nil)
	if !a.Set(v, "A", o, 1) {
		t.Fatal("there is room for one annotation")
	}
	if got, ok := a.Get(v, "A"); !ok || got != o {
		t.Errorf("got %v", got)
	}
	if _, ok := a.Get(other, "A"); ok {
		t.Error("an equal value has the annotation")
	}
	if _, ok := a.Get(v, "B"); ok {
		t.Error("another type has the annotation")
	}
	if _, ok := In(With(ctx)).Get(v, "A"); ok {
		t.Error("another evaluation has the annotation")
	}
	if got, ok := a.Clear(v, "A"); !ok || got != o {
		t.Errorf("cleared %v", got)
	}
	if _, ok := a.Clear(v, "A"); ok {
		t.Error("an annotation was cleared twice")
	}
	if a.Set(v, "A", o, maxSize) {
		t.Error("there is no limit")
	}
	if _, ok := a.Get(v, "A"); ok {
		t.Error("an annotation beyond the limit is there")
	}
}

func TestNone(t *testing.T) {
	a := In(context.Background())
	v := pcore.NewArray()
	if _, ok := a.Get(v, "A"); ok || !a.Set(v, "A", nil, 1) {
		t.Error("a context without annotations has one")
	}
	if _, ok := a.Clear(v, "A"); ok {
		t.Error("a context without annotations has one to clear")
	}
}

func TestCanHave(t *testing.T) {
	version, err := pcore.ParseSemVer("1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []pcore.Value{
		pcore.NewArray(), pcore.NewHash(), pcore.NewSensitive(pcore.Integer(1)), pcore.AnyType{}, &pcore.IntegerType{},
		pcore.NewObject(pcore.ErrorType(), nil),
	} {
		if !CanHave(v) {
			t.Errorf("%T cannot have annotations", v)
		}
	}
	for _, v := range []pcore.Value{
		pcore.String("s"), pcore.Integer(1), pcore.Float(1), pcore.Boolean(true), pcore.Undef{}, pcore.Default{}, version,
	} {
		if CanHave(v) {
			t.Errorf("%T can have annotations", v)
		}
	}
}
