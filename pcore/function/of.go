package function

import (
	"context"
	"fmt"
	"reflect"
	"strconv"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/native"
)

// Of returns a function of the language that calls f, a Go function. The types
// of its parameters and of its result, which package native converts, are the
// signature:
//
//	func(name string, port uint16) string                     String, Integer[0, 65535] >> String
//	func(ctx context.Context, db string) (native.Secret[string], error)
//	func(c *function.Call, first int, rest ...int) error      returns undef
//
// The first parameter may be a context or a Call; neither is an argument. The
// last parameters that are pointers may be omitted in a call, and are nil then.
// A variadic parameter takes any number of arguments. f returns at most one
// value, and then possibly an error. With a [native.Secret] among the
// parameters, the function handles Sensitive values. The caller sets Doc, and
// the Effects of f, which are none.
func Of(name string, f any) (Function, error) {
	g, err := newGoFunction(f)
	if err != nil {
		return Function{}, fmt.Errorf("function %s: %w", name, err)
	}
	return Function{
		Name: name, HandlesSensitive: g.secrets,
		Dispatches: []Dispatch{{Signature: &g.signature, Call: g.call}},
	}, nil
}

// goFunction is a Go function with its signature in the language.
type goFunction struct {
	f         reflect.Value
	signature Signature
	// leading is the number of parameters that are no arguments: 0 or 1.
	leading int
	secrets bool
	// result and fails report the results of the function.
	result, fails bool
}

func newGoFunction(f any) (*goFunction, error) {
	g := &goFunction{f: reflect.ValueOf(f)}
	if g.f.Kind() != reflect.Func || g.f.IsNil() {
		return nil, fmt.Errorf("%T is not a Go function", f)
	}
	if err := g.takeParams(); err != nil {
		return nil, err
	}
	return g, g.takeResults()
}

func (g *goFunction) takeParams() error {
	t := g.f.Type()
	if t.NumIn() > 0 && (t.In(0) == reflect.TypeFor[context.Context]() || t.In(0) == reflect.TypeFor[*Call]()) {
		g.leading = 1
	}
	params := make([]Param, t.NumIn()-g.leading)
	optional := true
	for i := len(params) - 1; i >= 0; i-- {
		goType := t.In(g.leading + i)
		p := Param{Name: "arg" + strconv.Itoa(i+1)}
		if t.IsVariadic() && i == len(params)-1 {
			goType = goType.Elem()
			p.Optional, p.Repeated = true, true
		} else {
			optional = optional && goType.Kind() == reflect.Pointer
			p.Optional = optional
		}
		var err error
		if p.Type, err = new(native.Codec).TypeOf(goType); err != nil {
			return fmt.Errorf("parameter %d: %w", i+1, err)
		}
		pcore.WalkType(p.Type, func(u pcore.Type) bool {
			if _, ok := u.(*pcore.SensitiveType); ok {
				g.secrets = true
			}
			return true
		})
		params[i] = p
	}
	g.signature.Params = params
	return nil
}

func (g *goFunction) takeResults() error {
	t := g.f.Type()
	n := t.NumOut()
	if n > 0 && t.Out(n-1) == reflect.TypeFor[error]() {
		g.fails = true
		n--
	}
	switch n {
	case 0:
		return nil
	case 1:
		g.result = true
		var err error
		g.signature.Return, err = new(native.Codec).TypeOf(t.Out(0))
		if err != nil {
			return fmt.Errorf("the result: %w", err)
		}
		return nil
	default:
		return fmt.Errorf("%s returns more than one value and an error", t)
	}
}

func (g *goFunction) call(c *Call, args []pcore.Value) (pcore.Value, error) {
	in, err := g.arguments(c, args)
	if err != nil {
		return nil, err
	}
	out := g.f.Call(in)
	if g.fails {
		if err, _ := out[len(out)-1].Interface().(error); err != nil {
			return nil, err
		}
	}
	if !g.result {
		return pcore.Undef{}, nil
	}
	return native.Marshal(out[0].Interface())
}

func (g *goFunction) arguments(c *Call, args []pcore.Value) ([]reflect.Value, error) {
	t := g.f.Type()
	var in []reflect.Value
	if g.leading > 0 {
		if t.In(0) == reflect.TypeFor[*Call]() {
			in = append(in, reflect.ValueOf(c))
		} else {
			in = append(in, reflect.ValueOf(c.Context()))
		}
	}
	for i := range max(len(args), len(g.signature.Params)) {
		variadic := t.IsVariadic() && g.leading+i >= t.NumIn()-1
		if variadic && i >= len(args) {
			break
		}
		goType := t.In(min(g.leading+i, t.NumIn()-1))
		if variadic {
			goType = goType.Elem()
		}
		v := reflect.New(goType)
		if i < len(args) { // otherwise nil
			if err := native.Unmarshal(args[i], v.Interface()); err != nil {
				return nil, fmt.Errorf("argument %d: %w", i+1, err)
			}
		}
		in = append(in, v.Elem())
	}
	return in, nil
}
