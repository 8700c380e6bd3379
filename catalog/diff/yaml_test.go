package diff

import (
	"reflect"
	"slices"
	"testing"

	"github.com/pcatdev/pcat/internal/test/rubytest"
)

// TestSameYAML compares texts in pairs: they have the same data if Psych reads them as the
// same values.
func TestSameYAML(t *testing.T) {
	rubytest.NeedPsych(t)
	scalars := []string{
		"yes", "'yes'", "true", "True", "on", "y", "no", "'no'", "false", "off", "~", "null", "''", "", "'~'",
		"010", "8", "'010'", "0o10", "0x10", "16", "1_000", "1000", "1,000", "22:22", "1342", "'22:22'", "1:30:00", "5400",
		"1.0", "1", "'1'", "1e3", "1.0e+3", "1000.0", ".5", "0.5", ".inf", "-.inf", "'.inf'",
		"2026-11-28", "'2026-11-28'", "2026-02-30", "'2026-02-30'", "2026-1-2", "2026-01-02", "! '12'", "12", "'12'", "2026-11-28T00:00:00Z", "2026-11-28 00:00:00 +00:00", "2026-11-28 01:00:00 +01:00",
		":a", "a", "':a'", ":'a'", "!!str 1", "!!int '1'", "!!float 1", "12345678901234567890", "'12345678901234567890'", "1.10", "1.1", "'1.10'",
		"0b11", "3", "=", "<<", "a # comment", "\"a\"", "|\n  a", ">\n  a\n", "|-\n  a", "+1", "-0", "0",
	}
	texts := make([]string, 0, len(scalars)+8)
	for _, s := range scalars {
		texts = append(texts, "---\nenabled: "+s+"\nother: [1]\n")
	}
	texts = append(texts,
		"base: &b\n  x: 1\nnext:\n  <<: *b\n", "base:\n  x: 1\nnext:\n  x: 1\n", "base: &b\n  x: 1\nnext: *b\n",
		"---\na: 1\n---\na: 2\n", "a: 1\n---\na: 2\n", "a: 1\n", "a: 1\na: 2\n", "a: 2\n",
		"a: !!set {x}\n", "a: {x: ~}\n", "a: !!set {y}\n",
	)
	values := rubytest.Ask[[]string](t, "testdata/yaml.rb", texts)
	pairs := 0
	for i, x := range texts {
		if values[i] == nil {
			continue
		}
		for j, y := range texts[:i] {
			if values[j] == nil {
				continue
			}
			pairs++
			want := reflect.DeepEqual(values[i], values[j])
			if got := sameData(x, y); got != want {
				t.Errorf("%q and %q: the same %t, Psych reads %q and %q", x, y, got, values[i], values[j])
			}
		}
	}
	if pairs < 1000 {
		t.Errorf("only %d pairs: %v", pairs, slices.IndexFunc(values, func(v []string) bool { return v == nil }))
	}
}

// TestTagsAreNoData checks that a text with tags that only programs know is not compared as data.
func TestTagsAreNoData(t *testing.T) {
	for _, text := range []string{"a: !Ref b\n", "a: !ruby/symbol b\n", "a: !vault |\n  x\n"} {
		if sameData(text, text+"# comment\n") {
			t.Errorf("%q is compared as data", text)
		}
	}
}
