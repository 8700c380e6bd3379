package typeexpr_test

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

func Example() {
	types, err := typeexpr.Define("types/port.pp", "type My::Port = Integer[1, 65535]", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := typeexpr.Parse("Struct[{host => String[1], Optional[port] => My::Port}]", types)
	if err != nil {
		fmt.Println(err)
		return
	}
	v := pcore.NewHash(
		pcore.Entry{Key: pcore.String("host"), Value: pcore.String("example.com")},
		pcore.Entry{Key: pcore.String("port"), Value: pcore.Integer(70000)},
	)
	fmt.Println(t)
	fmt.Println(pcore.Contains(t, v))
	fmt.Println(pcore.Mismatch("parameter 'listen'", t, v))
	// Output:
	// Struct[{'host' => String[1], Optional['port'] => My::Port}]
	// false
	// parameter 'listen' entry 'port' expects a My::Port = Integer[1, 65535] value, got Integer[70000, 70000]
}

func ExampleAccess() {
	t, err := typeexpr.Access(&pcore.ArrayType{}, &pcore.StringType{}, pcore.Integer(1), pcore.Default{})
	fmt.Println(t, err)
	// Output: Array[String, 1] <nil>
}

// Data is checked by a type of Puppet.
func ExampleParse() {
	t, _ := typeexpr.Parse("Hash[String, Integer[1, 65535]]", nil)
	v := pcore.NewHash(
		pcore.Entry{Key: pcore.String("web"), Value: pcore.Integer(80)},
		pcore.Entry{Key: pcore.String("db"), Value: pcore.Integer(0)},
	)
	fmt.Println(pcore.Mismatch("ports:", t, v))
	// Output: ports: entry 'db' expects an Integer[1, 65535] value, got Integer[0, 0]
}
