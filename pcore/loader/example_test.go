package loader_test

import (
	"context"
	"fmt"

	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/loader"
)

func Example() {
	core, err := stdlib.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	files := function.Tree{ModulePath: []string{modules}}
	l := loader.New(files, core, eval.Mode{})
	e := eval.New(function.Env{Functions: l, Files: files}, l, eval.Mode{})

	v, err := e.Text(e.Scope(context.Background()), "", "[stack::conf_line('level', 'mid'), 'mid' =~ Rich::Level]")
	fmt.Println(v, err)

	d, _, err := l.Definition("profile::nested")
	fmt.Println(d.Kind, d.Name, d.Parameters, err)
	// Output:
	// ['level = mid', true] <nil>
	// define profile::nested Struct[{Optional['depth'] => Integer[0]}] <nil>
}
