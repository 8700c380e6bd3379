package syntax_test

import (
	"errors"
	"fmt"

	"github.com/pcatdev/pcat/pcore/internal/syntax"
)

func ExampleConfig_ParseExpr() {
	const src = "Hash[String,Optional[Integer[0x10]]]"
	e, err := syntax.Config{}.ParseExpr("", src)
	if err != nil {
		fmt.Println(err)
		return
	}
	access := e.(*syntax.Access)
	fmt.Println(src[access.Left.Pos():access.Left.End()], "with", len(access.Keys), "parameters")
	// Output:
	// Hash with 2 parameters
}

func ExampleParseProgram() {
	_, err := syntax.ParseProgram("site.pp", "$port = 80\n$ports = [$port, ]]\n")
	var list syntax.ErrorList
	if errors.As(err, &list) {
		fmt.Println(list.Detail())
	}
	// Output:
	// site.pp:2:19: Syntax error at ']'
	//   $ports = [$port, ]]
	//                     ^
}

func ExampleParseEPP() {
	const src = "<%- |String $name| -%>\nWelcome to <%= $name %>.\n"
	t, err := syntax.ParseEPP("motd.epp", src)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range t.Parameters {
		fmt.Printf("%s of type %s\n", p.Name, src[p.Type.Pos():p.Type.End()])
	}
	fmt.Println(len(t.Body.Statements), "statements")
	// Output:
	// name of type String
	// 3 statements
}

func ExampleConfig_ParseDefinitions() {
	list, err := syntax.Config{}.ParseDefinitions("vhost.pp", `
		define apache::vhost(Integer[1, 65535] $port, Array[String] $aliases = []) {
		  file { "/etc/apache2/${title}.conf": ensure => file }
		}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range list {
		fmt.Println(d.Kind, d.Name, "with", len(d.Parameters), "parameters")
	}
	// Output:
	// define apache::vhost with 2 parameters
}

func ExampleWalk() {
	program, err := syntax.ParseProgram("", `$sum = $a + "${b}" + $c.size`)
	if err != nil {
		fmt.Println(err)
		return
	}
	syntax.Walk(program, func(n syntax.Node) bool {
		if v, ok := n.(*syntax.Variable); ok {
			line, column := program.Locator.Position(v.Pos())
			fmt.Printf("%d:%d $%s\n", line, column, v.Name)
		}
		return true
	})
	// Output:
	// 1:1 $sum
	// 1:8 $a
	// 1:16 $b
	// 1:22 $c
}
