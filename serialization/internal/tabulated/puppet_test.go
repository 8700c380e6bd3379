package tabulated_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/pcatdev/pcat/internal/dataconv"
	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/typeexpr"
	"github.com/pcatdev/pcat/serialization"
	wire "github.com/pcatdev/pcat/serialization/internal/json"
	"github.com/pcatdev/pcat/serialization/internal/tabulated"
	"github.com/pcatdev/pcat/serialization/richdata"
)

// puppetCase is the output of Puppet for the value of an expression.
type puppetCase struct {
	Expr     string
	Text     string          // tabulated, types by reference
	Embedded string          // tabulated with embedded types, if different
	Rich     json.RawMessage // as rich data; nil if it has none
	// Differs explains a difference from the value of the expression, or from
	// the output of Puppet.
	Differs string
}

func puppetCases(t testing.TB) []puppetCase {
	t.Helper()
	f, err := os.Open("testdata/puppet.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read
	var cases []puppetCase
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c puppetCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if len(cases) < 100 {
		t.Fatalf("only %d cases", len(cases))
	}
	return cases
}

var inClear = serialization.EncodeOptions{Secrets: serialization.PlainSecrets}

// known returns options with the types of the cases.
func known(t testing.TB) serialization.DecodeOptions {
	t.Helper()
	text, err := os.ReadFile("../../../testdata/vectors/env/std.pp")
	if err != nil {
		t.Fatal(err)
	}
	types, err := typeexpr.Define("std.pp", string(text)+`
		type Foo::X = Object[{attributes => {a => Integer}}]
		type Foo::Y = Object[{attributes => {a => {type => String, value => 'x'}}}]`, nil)
	if err != nil {
		t.Fatal(err)
	}
	return serialization.DecodeOptions{Types: richdata.Types{Resolver: types}}
}

// The output of Puppet is decoded to the original value, and encoded again byte
// for byte; the other flavour gives the same value.
func TestPuppet(t *testing.T) {
	o := known(t)
	for _, c := range puppetCases(t) {
		v, err := tabulated.JSON.Decode([]byte(c.Text), o)
		if err != nil {
			t.Errorf("%s: %v", c.Expr, err)
			continue
		}
		text := c.Text
		if c.Differs != "" {
			if text, err = again(v, o); err != nil {
				t.Errorf("%s: %v", c.Expr, err)
			}
		} else {
			holds(t, c, v)
			rewritten(t, c.Expr, text, v, inClear)
		}
		packed, err := tabulated.MessagePack.Append(nil, v, inClear)
		if err != nil {
			t.Errorf("%s: %v", c.Expr, err)
			continue
		}
		back, err := tabulated.MessagePack.Decode(packed, o)
		if err != nil {
			t.Errorf("%s: %v", c.Expr, err)
			continue
		}
		rewritten(t, c.Expr, text, back, inClear)
	}
}

// With embedded types, no type needs to be known.
func TestPuppetEmbedded(t *testing.T) {
	o := inClear
	o.EmbedTypes = true
	for _, c := range puppetCases(t) {
		if c.Embedded == "" || c.Differs != "" {
			continue
		}
		v, err := tabulated.JSON.Decode([]byte(c.Embedded), serialization.DecodeOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.Expr, err)
			continue
		}
		holds(t, c, v)
		rewritten(t, c.Expr, c.Embedded, v, o)
	}
}

// again returns the encoding of a value and checks that it decodes to the same
// value.
func again(v pcore.Value, o serialization.DecodeOptions) (string, error) {
	text, err := tabulated.JSON.Append(nil, v, inClear)
	if err != nil {
		return "", err
	}
	back, err := tabulated.JSON.Decode(text, o)
	if err == nil && !pcore.Identical(v, back) {
		err = fmt.Errorf("%s is read as another value", text)
	}
	return string(text), err
}

func holds(t *testing.T, c puppetCase, v pcore.Value) {
	t.Helper()
	got, err := wire.Append(nil, v, dataconv.Rich, inClear)
	switch {
	case c.Rich == nil:
		if !errors.Is(err, serialization.ErrUnsupported) {
			t.Errorf("%s: want no rich data, got %s, %v", c.Expr, got, err)
		}
	case err != nil:
		t.Errorf("%s: %v", c.Expr, err)
	default:
		want, err := wire.Decode(c.Rich, known(t))
		if err != nil {
			t.Errorf("%s: %v", c.Expr, err)
			return
		}
		if again, err := wire.Append(nil, want, dataconv.Rich, inClear); err != nil || string(again) != string(got) {
			t.Errorf("%s: want %s, got %s, %v", c.Expr, again, got, err)
		}
	}
}

func rewritten(t *testing.T, name, want string, v pcore.Value, o serialization.EncodeOptions) {
	t.Helper()
	if got, err := tabulated.JSON.Append(nil, v, o); err != nil || string(got) != want {
		t.Errorf("%s:\nwant %s\n got %s, %v", name, want, got, err)
	}
}
