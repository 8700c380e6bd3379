package stdlib_test

import (
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
)

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := stdlib.New(pcore.OpenVox8); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	r, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		b.Fatal(err)
	}
	env := &function.Env{Functions: r}
	args := []pcore.Value{pcore.NewArray(pcore.String("a"), pcore.String("b")), pcore.String(",")}
	for b.Loop() {
		if _, err := env.Call(b.Context(), "join", args, nil); err != nil {
			b.Fatal(err)
		}
	}
}
