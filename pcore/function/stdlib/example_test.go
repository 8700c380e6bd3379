package stdlib_test

import (
	"context"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
)

// A function of Puppet, called from Go.
func ExampleNew() {
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		fmt.Println(err)
		return
	}
	env := function.Env{Functions: functions}
	list := pcore.NewArray(pcore.String("web01"), pcore.String("db01"))
	v, err := env.Call(context.Background(), "join", []pcore.Value{list, pcore.String(", ")}, nil)
	fmt.Println(v, err)
	// Output: 'web01, db01' <nil>
}
