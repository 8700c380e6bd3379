package rubyre

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestBacktracking compares results that depend on backtracking with Ruby 3.1.
func TestBacktracking(t *testing.T) {
	for _, tt := range []struct {
		pattern, s string
		want       []int
	}{
		{`(?:(?:\h)*+)?(?:(?<!.)|(?:ab){1,3})`, "b  ", []int{0, 0}},
		{`(?:(?<!(?:.|\n))){1,3}?(?:(?:[^a])++){3,4}`, "1cA", nil},
		{`(?:(?:(?:b)*+){0,2}|\n\w(?:\z){2,})(?=^)`, "b_ ", []int{0, 0}},
		{`(?>a|ab)c`, "abc", nil},
		{`(?=(a+))a*b\1`, "baaabac", []int{3, 6, 3, 4}},
		{`(?<=ab|é)c`, "abéc", []int{4, 5}},
		{`(a)?(?(1)b|c)`, "xc", []int{1, 2, -1, -1}},
		{`(?!(a)b)\w(?!\1)`, "ab", []int{1, 2, -1, -1}},
		{`a\Kb`, "ab", []int{1, 2}},
		{`(?:a?){3}(?=b)`, "aab", []int{0, 2}},
		{`(?=)(?:ab??){2,3}?b`, "aabab", []int{0, 3}},
		{`(?:(a)|b)*(?!.)`, "ab", []int{0, 2, 0, 1}},
		{`(?<n>a)|(?<n>b)\k<n>`, "bb", []int{0, 2, -1, -1, 0, 1}},
		{`(?i)(a)\1`, "aA", []int{0, 2, 0, 1}},
	} {
		re, err := Compile(tt.pattern)
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		if re.ascii.backtracking == nil {
			t.Errorf("%s runs on RE2", tt.pattern)
		}
		if got, err := re.FindSubmatchIndex(tt.s, 0); !slices.Equal(got, tt.want) || err != nil {
			t.Errorf("%s in %q: %v, %v, want %v", tt.pattern, tt.s, got, err, tt.want)
		}
	}
}

// TestLongStepsCount checks that the clock is checked even if few steps process
// much text.
func TestLongStepsCount(t *testing.T) {
	text := strings.Repeat("a", 1<<17)
	for _, pattern := range []string{`(?<!x).*b`, `(?>a*)*b\b(?=c)`, `(a*)\1b`, `(?=a)[a-z]*\z0`} {
		re, err := Options{Timeout: time.Nanosecond}.Compile(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := re.MatchString(text); !errors.Is(err, ErrTimeout) {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

// linearPatterns are patterns that RE2 can run.
func linearPatterns() *rapid.Generator[string] {
	atom := rapid.SampledFrom([]string{"a", "b", "é", ".", "[ab]", "[^a]", `\w`, `(?a:\b)`, "^a", "$", `\A`, `\z`, "ab", `\n`, `\s`, `(?i:É)`, `(?i:ab)`})
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "pieces") {
			piece := atom.Draw(t, "atom")
			switch rapid.IntRange(0, 4).Draw(t, "shape") {
			case 0:
				piece = "(" + piece + "|" + atom.Draw(t, "other") + ")"
			case 1:
				piece = "(?:" + piece + atom.Draw(t, "next") + ")"
			}
			b.WriteString(piece + rapid.SampledFrom([]string{"", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{2,}", "{0,2}?"}).Draw(t, "times"))
		}
		return b.String()
	})
}

// TestEnginesAgree checks that both engines find the same matches, including
// groups, for patterns that RE2 can run.
func TestEnginesAgree(t *testing.T) {
	subjects := rapid.StringOfN(rapid.SampledFrom([]rune("abAé1_ \n")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		re, err := Compile(linearPatterns().Draw(t, "pattern"))
		if err != nil {
			t.Skip(err)
		}
		s := subjects.Draw(t, "s")
		x, err := re.newSearch(s)
		if err != nil {
			t.Skip(err)
		}
		want, err := x.find(0)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := onOtherEngine(t, re, s, 0); ok && !slices.Equal(got, want) {
			t.Fatalf("%q in %q: %v, RE2 %v", re.Source(), s, got, want)
		}
	})
}

// TestSlotsComeBack checks that an unsuccessful search restores all slots, on
// which the next starting position relies.
func TestSlotsComeBack(t *testing.T) {
	for _, pattern := range []string{`(?=(a))(?>(a)|b)(c)(?!(d))`, `(?:(a)|b){2,5}?(?<=(a))z`, `(?!(a)b)((?:a?)*)z`} {
		re, err := Compile(pattern)
		if err != nil {
			t.Fatal(err)
		}
		m := re.ascii.backtracking
		r := run{machine: m, s: "abaabab", slots: make([]int, m.slots), timeout: time.Second}
		for i := range r.slots {
			r.slots[i] = -i
		}
		before := slices.Clone(r.slots)
		if end, err := r.match(0); end >= 0 || err != nil || len(r.stack) > 0 || !slices.Equal(r.slots, before) {
			t.Errorf("%s: %d, %v, %d remembered, slots %v, were %v", pattern, end, err, len(r.stack), r.slots, before)
		}
	}
}

// TestStackIsBounded checks the limit on the stack of a search.
func TestStackIsBounded(t *testing.T) {
	patient := Options{Timeout: time.Minute} // a slow machine reaches the limit of the stack, too
	re, err := patient.Compile(`(?:(?=a)a|b)*c`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := re.MatchString(strings.Repeat("a", maxStack+1)); !errors.Is(err, ErrTooComplex) {
		t.Errorf("%v, want %v", err, ErrTooComplex)
	}
	re, err = patient.Compile(`(?=a)[ab]*\z`) // one choice of any length
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := re.MatchString(strings.Repeat("a", maxStack+1)); !ok || err != nil {
		t.Errorf("%t, %v", ok, err)
	}
}
