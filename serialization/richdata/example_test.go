package richdata_test

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
	"github.com/pcatdev/pcat/serialization/formats"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// An Object of a type that a program knows and the language does not define.
func ExampleTypes() {
	types, err := typeexpr.Define("types/car.pp", "type My::Car = Object[{attributes => {name => String}}]", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	o := serialization.DecodeOptions{Types: richdata.Types{Resolver: types}}
	v, err := formats.RichJSON().Decode([]byte(`{"__ptype":"My::Car","name":"beetle"}`), o)
	fmt.Println(v, err)
	// Output: My::Car({'name' => 'beetle'}) <nil>
}
