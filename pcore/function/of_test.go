package function_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/native"
)

func TestOf(t *testing.T) {
	secret := pcore.NewSensitive(pcore.String("hunter2"))
	for _, c := range []struct {
		name      string
		f         any
		signature string
		args      []pcore.Value
		want      string
	}{
		{"text", strings.ToUpper, "(String arg1)", []pcore.Value{pcore.String("a")}, "'A'"},
		{"kind", strings.ToUpper, "(String arg1)", []pcore.Value{pcore.Integer(1)}, "'kind' parameter 'arg1' expects a String value, got Integer"},
		{"range", func(p uint8) uint8 { return p }, "(Integer[0, 255] arg1)", []pcore.Value{pcore.Integer(256)}, "'range' parameter 'arg1' expects an Integer[0, 255] value, got Integer[256, 256]"},
		{"variadic", func(sep string, all ...string) string { return strings.Join(all, sep) }, "(String arg1, String arg2*)",
			[]pcore.Value{pcore.String("-"), pcore.String("a"), pcore.String("b")}, "'a-b'"},
		{"none", func(all ...int) int { return len(all) }, "(Integer arg1*)", nil, "0"},
		{"optional", func(a int, b *int) bool { return b == nil }, "(Integer arg1, Optional[Integer] arg2?)", []pcore.Value{pcore.Integer(1)}, "true"},
		{"given", func(a int, b *int) bool { return b == nil }, "(Integer arg1, Optional[Integer] arg2?)", []pcore.Value{pcore.Integer(1), pcore.Integer(2)}, "false"},
		{"context", func(ctx context.Context) bool { return ctx.Err() == nil }, "()", nil, "true"},
		{"called", func(c *function.Call) string { return c.Function().Name }, "()", nil, "'called'"},
		{"nothing", func(int) {}, "(Integer arg1)", []pcore.Value{pcore.Integer(1)}, "undef"},
		{"fails", func() error { return errors.New("no database") }, "()", nil, "fails(): no database"},
		{"works", func() (time.Duration, error) { return time.Minute, nil }, "()", nil, "Timespan('0-00:01:00.0')"},
		{"opens", func(s native.Secret[string]) int { return len(s.Reveal()) }, "(Sensitive[String] arg1)", []pcore.Value{secret}, "7"},
		{"keeps", func() native.Secret[string] { return native.NewSecret("x") }, "()", nil, "Sensitive [value redacted]"},
		{"plain", func(s string) string { return s }, "(String arg1)", []pcore.Value{secret}, "'plain' parameter 'arg1' expects a String value, got Sensitive[String]"},
	} {
		f, err := function.Of(c.name, c.f)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := f.Dispatches[0].Signature.String(); got != c.signature {
			t.Errorf("%s: got the signature %s, want %s", c.name, got, c.signature)
		}
		registry := function.NewRegistry()
		if err := registry.Add(f); err != nil {
			t.Fatal(err)
		}
		env := &function.Env{Functions: registry}
		v, err := env.Call(t.Context(), c.name, c.args, nil)
		got := fmt.Sprint(err)
		if err == nil {
			got = v.String()
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	for want, f := range map[string]any{
		"function f: int is not a Go function":                                                                 1,
		"function f: func() (int, int) returns more than one value and an error":                               func() (int, int) { return 0, 0 },
		"function f: parameter 1: there is no Puppet type for chan int; exclude it with the tag `pcore:\"-\"`": func(chan int) {},
	} {
		if _, err := function.Of("f", f); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
