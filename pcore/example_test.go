package pcore_test

import (
	"fmt"

	"github.com/pcatdev/pcat/pcore"
)

// A type switch selects the kind of a value. Secrets stay hidden until Reveal
// is called.
func Example() {
	describe := func(v pcore.Value) string {
		switch v := v.(type) {
		case pcore.Integer:
			return fmt.Sprintf("the number %d", int64(v))
		case pcore.String:
			return fmt.Sprintf("a text of %d bytes", len(v))
		case pcore.Timestamp:
			return fmt.Sprintf("a moment in %d", v.Time().Year())
		case *pcore.Array:
			return fmt.Sprintf("a list of %d", v.Len())
		case *pcore.Sensitive:
			return fmt.Sprintf("a secret %s, %v", pcore.KindOf(v.Reveal()), v)
		default:
			return pcore.KindOf(v).String()
		}
	}
	parameters := pcore.NewHash(
		pcore.Entry{Key: pcore.String("port"), Value: pcore.Integer(443)},
		pcore.Entry{Key: pcore.String("since"), Value: pcore.NewTimestamp(1_700_000_000, 0)},
		pcore.Entry{Key: pcore.String("hosts"), Value: pcore.NewArray(pcore.String("web01"), pcore.String("web02"))},
		pcore.Entry{Key: pcore.String("token"), Value: pcore.NewSensitive(pcore.String("hunter2"))},
		pcore.Entry{Key: pcore.String("owner"), Value: pcore.Undef{}},
	)
	for name, v := range parameters.All() {
		fmt.Println(name, "is", describe(v))
	}
	fmt.Println(parameters)
	// Output:
	// 'port' is the number 443
	// 'since' is a moment in 2023
	// 'hosts' is a list of 2
	// 'token' is a secret String, Sensitive [value redacted]
	// 'owner' is Undef
	// {'port' => 443, 'since' => Timestamp('2023-11-14T22:13:20.000000000 UTC'), 'hosts' => ['web01', 'web02'], 'token' => Sensitive [value redacted], 'owner' => undef}
}

// This example lists the calls left for the agent, at any depth.
func ExampleWalk() {
	v := pcore.NewHash(pcore.Entry{Key: pcore.String("content"), Value: pcore.NewDeferred("inline_epp",
		pcore.NewArray(pcore.String("<%= $password %>"), pcore.NewDeferred("vault_lookup::lookup", pcore.NewArray(pcore.String("db")))))})
	err := pcore.Walk(v, func(c *pcore.Cursor) error {
		if call, ok := c.Value().(*pcore.Deferred); ok {
			fmt.Println(c.Path(), call.Name())
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// $['content'] inline_epp
	// $['content']['arguments'][1] vault_lookup::lookup
	// <nil>
}

// Rewrite replaces parts of a value; the result shares the unchanged parts.
func ExampleRewrite() {
	v := pcore.NewArray(pcore.String("root"), pcore.NewSensitive(pcore.String("hunter2")))
	masked, err := pcore.Rewrite(v, func(c *pcore.Cursor) (pcore.Value, error) {
		if pcore.Is[*pcore.Sensitive](c.Value()) {
			return pcore.String("***"), nil
		}
		return c.Value(), nil
	})
	fmt.Println(masked, err)
	// Output: ['root', '***'] <nil>
}

func ExampleSemVerRange_Contains() {
	r, err := pcore.ParseSemVerRange("^1.2 || ~2.3.1")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"1.9.0", "2.0.0", "2.3.4", "1.5.0-rc.1"} {
		v, err := pcore.ParseSemVer(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v.Text(), r.Contains(v))
	}
	fmt.Println(r.Normalized())
	// Output:
	// 1.9.0 true
	// 2.0.0 false
	// 2.3.4 true
	// 1.5.0-rc.1 false
	// >=1.2.0 <2.0.0 || >=2.3.1 <2.4.0
}

func ExampleSemVer_Compare() {
	rc, _ := pcore.ParseSemVer("1.10.0-rc.2")
	final, _ := pcore.ParseSemVer("1.10.0")
	old, _ := pcore.ParseSemVer("1.9.0")
	fmt.Println(rc.Compare(final), rc.Compare(old))
	// Output: -1 1
}
