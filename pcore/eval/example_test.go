package eval_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/eval"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
)

// evaluator returns an evaluator with the functions of the language.
func evaluator() *eval.Evaluator {
	functions, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		panic(err)
	}
	return eval.New(function.Env{Functions: functions, Budget: function.NewBudget(100_000)}, nil, eval.Mode{})
}

func ExampleEvaluator_Text() {
	e := evaluator()
	s := e.Scope(context.Background())
	if err := s.Set("hosts", pcore.NewArray(pcore.String("web01"), pcore.String("db01"))); err != nil {
		fmt.Println(err)
	}
	v, err := e.Text(s, "hosts.pp", `
		function fqdn(String $name) >> String { "${name}.example.com" }
		$hosts.filter |$h| { $h =~ /^web/ }.map |$h| { fqdn($h) }
	`)
	fmt.Println(v, err)
	// Output: ['web01.example.com'] <nil>
}

func ExampleEvaluator_Template() {
	t, err := eval.ParseTemplate("motd.epp", "<%- |String $name, Sensitive $password| -%>\nuser <%= $name %> <%= $password %>")
	if err != nil {
		fmt.Println(err)
		return
	}
	e := evaluator()
	v, err := e.Template(e.Scope(context.Background()), t, pcore.NewHash(
		pcore.Entry{Key: pcore.String("name"), Value: pcore.String("bob")},
		pcore.Entry{Key: pcore.String("password"), Value: pcore.NewSensitive(pcore.String("s3cret"))},
	))
	fmt.Println(v, err)
	// Output: Sensitive [value redacted] <nil>
}

func ExampleError_Detail() {
	e := evaluator()
	_, err := e.Text(e.Scope(context.Background()), "site.pp", "$port = 80\n$url = \"http://${hots}:${port}/\"")
	if failure, ok := errors.AsType[*eval.Error](err); ok {
		fmt.Println(failure.Detail())
	}
	// Output:
	// site.pp:2:18: unknown variable: $hots
	//   $url = "http://${hots}:${port}/"
	//                    ^
}

func ExampleProgram_Variables() {
	p, err := eval.Parse("", "$ports.filter |$p| { $p > $limit }")
	if err != nil {
		fmt.Println(err)
		return
	}
	vars := p.Variables()
	fmt.Println(vars.Used, vars.Defined, vars.Dynamic)
	// Output: [ports p limit] [p] false
}

func ExampleProgram_Elements() {
	p, err := eval.Parse("", "[$title, $parameters[ensure], $line + 1]")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range p.Elements() {
		fmt.Printf("%s: %q %q\n", e.Text, e.Variable, e.Key)
	}
	// Output:
	// $title: "title" ""
	// $parameters[ensure]: "parameters" "ensure"
	// $line + 1: "" ""
}

func ExampleCondition() {
	e := evaluator()
	fmt.Println(eval.Condition(e.Text(e.Scope(context.Background()), "", "1 < 2")))
	fmt.Println(eval.Condition(e.Text(e.Scope(context.Background()), "", "'a'")))
	// Output:
	// true <nil>
	// false the result is neither true nor false
}

func ExampleNewLoader() {
	core, err := stdlib.New(pcore.OpenVox8)
	if err != nil {
		fmt.Println(err)
		return
	}
	files := function.Tree{ModulePath: []string{modules}}
	l := eval.NewLoader(files, core, eval.Mode{})
	e := eval.New(function.Env{Functions: l, Files: files}, l, eval.Mode{})

	v, err := e.Text(e.Scope(context.Background()), "", "[stack::conf_line('level', 'mid'), 'mid' =~ Rich::Level]")
	fmt.Println(v, err)

	d, _, err := l.Definition("profile::nested")
	fmt.Println(d.Kind, d.Name, d.Parameters, err)
	// Output:
	// ['level = mid', true] <nil>
	// define profile::nested Struct[{Optional['depth'] => Integer[0]}] <nil>
}
