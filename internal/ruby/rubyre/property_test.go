package rubyre

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
	"unicode/utf8"
)

// TestClassesOfRuby compares the named classes with Ruby's, for the characters
// assigned in Ruby's Unicode 13.
func TestClassesOfRuby(t *testing.T) {
	// Characters whose properties changed in Unicode since then.
	changed := newSet(
		runeRange{0x0c04, 0x0c04}, runeRange{0x0f82, 0x0f83}, runeRange{0x11080, 0x11081}, // now alphabetic
		runeRange{0x10fc, 0x10fc}, runeRange{0xab69, 0xab69}) // now lowercase
	f, err := os.Open("testdata/classes.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	var compared runeSet
	for lines.Scan() {
		var ruby struct {
			Name   string
			Ranges [][]rune
		}
		if err := json.Unmarshal(lines.Bytes(), &ruby); err != nil {
			t.Fatal(err)
		}
		var ranges []runeRange
		for _, r := range ruby.Ranges {
			ranges = append(ranges, runeRange{r[0], r[len(r)-1]})
		}
		want := newSet(ranges...)
		if ruby.Name == "Assigned" {
			compared = want.intersect(changed.negate())
		}
		got, supported, _ := property(ruby.Name)
		if !supported {
			t.Errorf("%s is unsupported", ruby.Name)
		}
		extra := got.intersect(compared).intersect(want.negate())
		missing := want.intersect(compared).intersect(got.negate())
		// Go includes the surrogates, which no string can contain.
		extra = extra.intersect(newSet(runeRange{0xd800, 0xdfff}).negate())
		if len(extra)+len(missing) > 0 {
			t.Errorf("%s: %x too many, %x missing", ruby.Name, extra, missing)
		}
	}
	if len(compared) == 0 {
		t.Error("nothing was compared")
	}
}

func TestPropertyNames(t *testing.T) {
	for name, want := range map[string]rune{
		"Greek": 'α', " greek ": 'α', "L": 'a', "Uppercase_Letter": 'A', "uppercase letter": 'A', "Nd": '5',
		"White_Space": ' ', "QMark": '"', "Hex": 'f', "Han": '漢', "LC": 'a', "Math": '+', "Any": 0,
	} {
		set, supported, _ := property(name)
		if !supported || !set.contains(want) {
			t.Errorf("\\p{%s} lacks %q", name, want)
		}
	}
	for _, name := range []string{"Age=6.0", "In_Greek_and_Coptic", "Emoji", "Grek", "ID_Start"} {
		if _, supported, known := property(name); supported || !known {
			t.Errorf("\\p{%s}: supported %v, known %v", name, supported, known)
		}
	}
	for _, name := range []string{"", "foo", "Script=Greek", "L&", "Age=", "in"} {
		if _, supported, known := property(name); supported || known {
			t.Errorf("\\p{%s}: supported %v, known %v", name, supported, known)
		}
	}
}

// TestSets checks the operations on sets character by character.
func TestSets(t *testing.T) {
	a := newSet(runeRange{'m', 'p'}, runeRange{'a', 'c'}, runeRange{'d', 'd'}, runeRange{'b', 'e'}, runeRange{utf8.MaxRune, utf8.MaxRune})
	b := newSet(runeRange{'c', 'n'}, runeRange{0, 0})
	if want := (runeSet{{'a', 'e'}, {'m', 'p'}, {utf8.MaxRune, utf8.MaxRune}}); len(a) != len(want) {
		t.Errorf("newSet: %v, want %v", a, want)
	}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		inA := 'a' <= r && r <= 'e' || 'm' <= r && r <= 'p' || r == utf8.MaxRune
		inB := 'c' <= r && r <= 'n' || r == 0
		if a.contains(r) != inA || b.contains(r) != inB || a.negate().contains(r) == inA ||
			a.union(b).contains(r) != (inA || inB) || a.intersect(b).contains(r) != (inA && inB) {
			t.Fatalf("%q", r)
		}
	}
}
