package native_test

import (
	"fmt"
	"reflect"
	"time"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/native"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// Login is a struct with a secret, there and back.
type Login struct {
	User     string
	Password native.Secret[string]
	Expires  time.Duration
	Groups   []string `pcore:"groups,omitempty"`
}

func ExampleMarshal() {
	v, err := native.Marshal(Login{User: "app", Password: native.NewSecret("s3cret"), Expires: time.Hour})
	fmt.Println(v, err)
	// Output:
	// {'user' => 'app', 'password' => Sensitive [value redacted], 'expires' => Timespan('0-01:00:00.0')} <nil>
}

func ExampleUnmarshal() {
	var login Login
	err := native.Unmarshal(pcore.NewHash(
		pcore.Entry{Key: pcore.String("user"), Value: pcore.String("app")},
		pcore.Entry{Key: pcore.String("password"), Value: pcore.NewSensitive(pcore.String("s3cret"))},
	), &login)
	fmt.Println(login.User, login.Password, len(login.Password.Reveal()), err)
	// Output:
	// app Sensitive [value redacted] 6 <nil>
}

func ExampleTypeOf() {
	t, err := native.TypeOf[Login]()
	fmt.Println(t, err)
	// Output:
	// Struct[{'user' => String, 'password' => Sensitive[String], 'expires' => Timespan, Optional['groups'] => Array[String]}] <nil>
}

// A Go struct for an Object type.
func ExampleNewCodec() {
	types, err := typeexpr.Define("types.pp", `type My::Point = Object[attributes => { x => Integer, y => { type => Integer, value => 0 } }]`, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := types.ResolveType("my::point")
	if err != nil {
		fmt.Println(err)
		return
	}
	type point struct{ X, Y int }
	codec, err := native.NewCodec(native.Options{Objects: map[reflect.Type]*pcore.ObjectType{reflect.TypeFor[point](): t.(*pcore.ObjectType)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := codec.Marshal(point{3, 4})
	fmt.Println(v, err)
	var back any
	err = codec.Unmarshal(v, &back)
	fmt.Printf("%+v %v\n", back, err)
	// Output:
	// My::Point({'x' => 3, 'y' => 4}) <nil>
	// {X:3 Y:4} <nil>
}
