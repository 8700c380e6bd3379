package rubyre_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/ruby/rubyre"
)

func compile(t testing.TB, source string) *rubyre.Regexp {
	t.Helper()
	re, err := rubyre.Compile(source)
	if err != nil {
		t.Fatal(err)
	}
	return re
}

// TestErrorsKeepSilent checks that the errors of a search do not quote the
// string.
func TestErrorsKeepSilent(t *testing.T) {
	re, err := rubyre.Options{Timeout: 50 * time.Millisecond}.Compile(`(?=x)?((hunter|h|u|n|t|e|r|2)*)*\1é`)
	var refused *rubyre.UnsupportedError
	if !errors.As(err, &refused) {
		t.Errorf("a reference into a loop that may match nothing: %v", err)
	}
	re, err = rubyre.Options{Timeout: 50 * time.Millisecond}.Compile(`(?=x|h)(?:(?:h|hu|u|un|n)+)+\z`)
	if err != nil {
		t.Fatal(err)
	}
	secret := strings.Repeat("hun", 4000) + "!"
	for _, search := range []func() error{
		func() error { _, err := re.MatchString(secret); return err },
		func() error { _, err := re.FindSubmatchIndex(secret, 0); return err },
		func() error { _, err := re.Split(secret); return err },
		func() error { _, err := re.Replace(secret, "", -1); return err },
	} {
		err := search()
		if !errors.Is(err, rubyre.ErrTimeout) && !errors.Is(err, rubyre.ErrTooComplex) {
			t.Fatalf("got %v, want a bound", err)
		}
		if strings.Contains(err.Error(), "hun") {
			t.Errorf("the error quotes the string: %v", err)
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	for _, source := range []string{`a`, `\ba`, `(?=a)`} {
		re := compile(t, source)
		if _, err := re.MatchString("a\xff"); !errors.Is(err, rubyre.ErrInvalidUTF8) {
			t.Errorf("MatchString: %v", err)
		}
		if _, err := re.FindSubmatchIndex("a\xff", 0); !errors.Is(err, rubyre.ErrInvalidUTF8) {
			t.Errorf("FindSubmatchIndex: %v", err)
		}
		if _, err := re.Split("\xff"); !errors.Is(err, rubyre.ErrInvalidUTF8) {
			t.Errorf("Split: %v", err)
		}
		for _, err := range re.All("\xff") {
			if !errors.Is(err, rubyre.ErrInvalidUTF8) {
				t.Errorf("All: %v", err)
			}
		}
	}
}

func TestOutsideOfTheString(t *testing.T) {
	re := compile(t, "a?")
	for _, from := range []int{-1, 4} {
		if m, err := re.FindSubmatchIndex("abc", from); m != nil || err != nil {
			t.Errorf("from %d: %v, %v", from, m, err)
		}
	}
}

func TestReplaceCount(t *testing.T) {
	re := compile(t, "a")
	for n, want := range map[int]string{0: "aaa", 1: "xaa", 2: "xxa", -1: "xxx"} {
		if got, err := re.Replace("aaa", "x", n); got != want || err != nil {
			t.Errorf("Replace %d: %q, %v; want %q", n, got, err, want)
		}
	}
	words := map[string]string{"cat": "dog"}
	got, err := compile(t, `\w+`).ReplaceFunc("cat fish", -1, func(m string) string { return words[m] })
	if got != "dog " || err != nil {
		t.Errorf("ReplaceFunc: %q, %v", got, err)
	}
}

func TestConcurrentUse(t *testing.T) {
	for _, source := range []string{`(\b\w+)`, `(?<=a)(b)`, `(?i)(first)`} {
		re := compile(t, source)
		want, err := re.Replace("ab é first ab", `<\1>`, -1)
		if err != nil {
			t.Fatal(err)
		}
		fresh := compile(t, source)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if got, err := fresh.Replace("ab é first ab", `<\1>`, -1); got != want || err != nil {
					t.Errorf("%q, %v; want %q", got, err, want)
				}
			})
		}
		wg.Wait()
	}
}

func TestEscape(t *testing.T) {
	// The output of Ruby 3.1.
	in := "a.b*c [x] {y} (z) \n\t\r\f\v^$|?+-#\\/ é&~\u00a0\x00"
	want := `a\.b\*c\ \[x\]\ \{y\}\ \(z\)\ \n\t\r\f\v\^\$\|\?\+\-\#\\/\ é&~` + "\u00a0\x00"
	if got := rubyre.Escape(in); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		re, err := rubyre.Compile(`\A` + rubyre.Escape(s) + `\z`)
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := re.MatchString(s); !ok || err != nil {
			t.Errorf("%q does not match itself: %v", re.Source(), err)
		}
	})
}

// TestAllKeepsEveryCharacter checks that the matches and the text between them
// add up to the string.
func TestAllKeepsEveryCharacter(t *testing.T) {
	patterns := []string{`a*`, `\b`, `(?=a)`, `^`, `$`, `[^a]`, `(?i)s+`, `\X`, `\R|.`, `(?<=a).`}
	rapid.Check(t, func(t *rapid.T) {
		source := rapid.SampledFrom(patterns).Draw(t, "pattern")
		s := rapid.StringOf(rapid.SampledFrom([]rune("aabs \n\rßé\u0301"))).Draw(t, "s")
		re, err := rubyre.Compile(source)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := re.Replace(s, `\0`, -1)
		if kept != s || err != nil {
			t.Errorf("%q: %q became %q, %v", source, s, kept, err)
		}
		last := -1
		for m, err := range re.All(s) {
			if err != nil || m[0] < last || m[0] == last && m[0] == m[1] && last > 0 && m[1] < last {
				t.Errorf("%q in %q: %v after %d, %v", source, s, m, last, err)
			}
			last = m[1]
		}
	})
}

func ExampleCompile() {
	re, err := rubyre.Compile(`^(?<name>\w+)\s*=\s*(?<value>.*)$`)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := "# a comment\nuser = puppet\n"
	m, err := re.FindSubmatchIndex(s, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for g, name := range re.GroupNames() {
		fmt.Printf("%d %q %q\n", g, name, s[m[2*g]:m[2*g+1]])
	}
	// Output:
	// 0 "" "user = puppet"
	// 1 "name" "user"
	// 2 "value" "puppet"
}

func ExampleCompile_error() {
	for _, source := range []string{`[a-z`, `a|*`, `(?~b)`} {
		_, err := rubyre.Compile(source)
		fmt.Println(err)
	}
	// Output:
	// premature end of char-class: /[a-z/
	// target of repeat operator is not specified: /a|*/
	// unsupported in a regular expression: absence operator (?~…): /(?~b)/
}

func ExampleRegexp_Replace() {
	re, err := rubyre.Compile(`(\d+)\.(\d+)`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(re.Replace("1.2 and 3.4", `\2.\1`, -1))
	// Output: 2.1 and 4.3 <nil>
}

func ExampleRegexp_Split() {
	re, err := rubyre.Compile(`\s*(,|;)\s*`)
	if err != nil {
		fmt.Println(err)
		return
	}
	parts, err := re.Split("a, b;c,")
	fmt.Printf("%q %v\n", parts, err)
	// Output: ["a" "," "b" ";" "c" ","] <nil>
}

func ExampleRegexp_All() {
	re, err := rubyre.Compile(`b*`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for m, err := range re.All("abbc") {
		fmt.Println(m, err)
	}
	// Output:
	// [0 0] <nil>
	// [1 3] <nil>
	// [3 3] <nil>
	// [4 4] <nil>
}

// BenchmarkCompile measures patterns of each kind.
func BenchmarkCompile(b *testing.B) {
	for _, source := range []string{`\A[a-z]+\z`, `\bfoo\b`, `(?<!a)\bfoo`, `(?i)hello first`, `(?i)[[:alpha:]]+x`, `\p{Greek}`} {
		b.Run(source, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				compile(b, source)
			}
		})
	}
}

// BenchmarkAll measures the iteration over many matches on each engine.
func BenchmarkAll(b *testing.B) {
	s := strings.Repeat("key=value, ", 1000)
	for _, source := range []string{`(\w+)=(\w+)`, `\b(\w+)=(\w+)`, `(\w+)=(\w+)(?=,)`} {
		b.Run(source, func(b *testing.B) {
			re := compile(b, source)
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				if n := len(slices.Collect(keys(re, s))); n != 1000 {
					b.Fatal(n)
				}
			}
		})
	}
}

func keys(re *rubyre.Regexp, s string) func(func([]int) bool) {
	return func(yield func([]int) bool) {
		for m, err := range re.All(s) {
			if err != nil || !yield(m) {
				return
			}
		}
	}
}
