package stdlib_test

import (
	"strings"
	"testing"

	"github.com/pcatdev/pcat/pcore"
	"github.com/pcatdev/pcat/pcore/function"
	"github.com/pcatdev/pcat/pcore/function/stdlib"
	"github.com/pcatdev/pcat/pcore/typeexpr"
)

// TestNamesOfModules checks which names the module defines, in the versions for Puppet 7
// and for later agents.
func TestNamesOfModules(t *testing.T) {
	for _, tt := range []struct {
		name           string
		puppet7, later bool
	}{
		{"stdlib::extname", true, true},
		{"extname", false, false},
		{"stdlib::start_with", true, true},
		{"start_with", false, false},
		{"stdlib::end_with", true, true},
		{"end_with", false, false},
		{"parsetoml", false, false},
		{"to_toml", true, true},
		{"has_key", true, false},
		{"uriescape", true, false},
		{"stdlib::merge", true, true},
		{"merge", true, true},
	} {
		for _, reference := range pcore.References() {
			r, err := stdlib.New(reference)
			if err != nil {
				t.Fatal(err)
			}
			want := tt.later
			if reference == pcore.Puppet7 {
				want = tt.puppet7
			}
			if _, ok := r.Function(tt.name); ok != want {
				t.Errorf("%s, %s: got %t", tt.name, reference, ok)
			}
		}
	}
}

// TestRangeOfTexts compares the texts between two with the ones of Ruby.
func TestRangeOfTexts(t *testing.T) {
	for _, c := range []struct{ first, last, step, want string }{
		{"a9", "b2", "1", "a9 b0 b1 b2"},
		{"1.8", "2.1", "1", "1.8 1.9 2.0 2.1"},
		{"a.y", "b.b", "1", "a.y a.z b.a b.b"},
		{"é", "ì", "1", "é ê ë ì"},
		{"zy", "aab", "1", ""},
		{"Zy", "aa", "1", "Zy Zz"},
		{"/etc/x", "/eti/w", "31", "/etc/x /ete/c /etf/h /etg/m /eth/r /eti/w"},
	} {
		env := &function.Env{Functions: newRegistry(t)}
		got, err := env.Call(t.Context(), "range", []pcore.Value{s(c.first), s(c.last), s(c.step)}, nil)
		if err != nil {
			t.Errorf("range of %s to %s: %v", c.first, c.last, err)
			continue
		}
		var texts []string
		for v := range got.(*pcore.Array).Values() {
			texts = append(texts, string(v.(pcore.String)))
		}
		if all := strings.Join(texts, " "); all != c.want {
			t.Errorf("range of %s to %s is %q, want %q", c.first, c.last, all, c.want)
		}
	}
}

// TestReferencesInTexts puts references into texts, as Puppet's functions of the 3.x API do.
func TestReferencesInTexts(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{"File['/a']", "prefix", "[xFile[/a]]"},
		{"Class['a::b']", "prefix", "[xClass[A::B]]"},
		{"File", "suffix", "[File[]x]"},
		{"Notify['n']", "shell_join", `'Notify\[n\]'`},
		{"Class['b']", "shell_join", `'Class\[B\]'`},
		{"File['/a']", "join_keys_to_values", "[axFile[/a]]"},
	} {
		reference, err := typeexpr.Parse(c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		args := []pcore.Value{pcore.NewArray(reference), s("x")}
		switch c.name {
		case "shell_join":
			args = args[:1]
		case "join_keys_to_values":
			var b pcore.HashBuilder
			b.Set(s("a"), reference)
			args[0] = b.Hash()
		}
		env := &function.Env{Functions: newRegistry(t)}
		got, err := env.Call(t.Context(), c.name, args, nil)
		if err != nil {
			t.Errorf("%s of %s: %v", c.name, c.text, err)
			continue
		}
		text := got.String()
		if list, ok := got.(*pcore.Array); ok {
			text = "[" + string(list.At(0).(pcore.String)) + "]"
		}
		if text != c.want {
			t.Errorf("%s of %s: got %s, want %s", c.name, c.text, text, c.want)
		}
	}
}

// The answers are those of Puppet 7.23 with stdlib 9.
func TestClamp(t *testing.T) {
	for _, c := range []struct {
		args []pcore.Value
		want string
	}{
		{[]pcore.Value{pcore.NewArray(pcore.Undef{}, pcore.Integer(2)), pcore.Float(1e22)}, "2"},
		{[]pcore.Value{pcore.Float(1e22), pcore.Float(1e23), pcore.Integer(1)}, "10000000000000000000000"},
		{[]pcore.Value{s("010"), pcore.Integer(9), pcore.Integer(11)}, "10"},
	} {
		env := &function.Env{Functions: newRegistry(t)}
		got, err := env.Call(t.Context(), "clamp", c.args, nil)
		if err != nil || got.String() != c.want {
			t.Errorf("clamp(%v): got %v, %v, want %s", c.args, got, err, c.want)
		}
	}
}
