package convert_test

import (
	"fmt"
	"time"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/convert"
)

func ExampleNew() {
	v, err := convert.New(&pcore.IntegerType{}, pcore.String("0x1F"))
	fmt.Println(v, err)
	v, err = convert.New(&pcore.TimespanType{}, pcore.String("1:30"), pcore.String("%H:%M"))
	fmt.Println(v, err)
	_, err = convert.New(&pcore.BooleanType{}, pcore.String("maybe"))
	fmt.Println(err)
	// Output:
	// 31 <nil>
	// Timespan('0-01:30:00.0') <nil>
	// The string 'maybe' cannot be converted to Boolean
}

func ExampleConverter() {
	c := convert.Converter{Now: func() time.Time { return time.Unix(0, 0) }}
	v, err := c.New(&pcore.TimestampType{})
	fmt.Println(v, err)
	// Output: Timestamp('1970-01-01T00:00:00.000000000 UTC') <nil>
}

func ExampleString() {
	list := pcore.NewArray(pcore.Integer(10), pcore.String("a"), pcore.Undef{})
	fmt.Println(convert.String(list, nil))
	fmt.Println(convert.String(pcore.Integer(255), pcore.String("%#06x")))
	fmt.Println(convert.String(list, pcore.NewHash(pcore.Entry{
		Key: &pcore.ArrayType{},
		Value: pcore.NewHash(
			pcore.Entry{Key: pcore.String("format"), Value: pcore.String("%(a")},
			pcore.Entry{Key: pcore.String("separator"), Value: pcore.String(" ")},
		),
	})))
	// Output:
	// [10, 'a', undef] <nil>
	// 0x00ff <nil>
	// (10 'a' undef) <nil>
}
