package rubyre

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// FuzzCompile checks that Compile and searches only return the documented
// errors, and that both engines give the same result for patterns that RE2 can
// run.
func FuzzCompile(f *testing.F) {
	for _, seed := range [][2]string{
		{`^(a|b)*?c$`, "abc\n"}, {`\bfoo\B`, "é foo1"}, {`(?i)stra[ß-ü]e|\p{Greek}`, "STRASSE"},
		{`(?<n>a)\g<n>\k<n>`, "aaa"}, {`[[:alpha:]&&[^a-c]]{2,3}`, "defg"}, {`(?<=a|bc)d(?!e)`, "bcd"},
		{`(?x) a # b`, "a"}, {`\u{e9 61}\x41\101\C-a`, "éaAA"}, {`(a)?(?(1)b|c)\R\X`, "ab\r\ne\u0301"},
		{`(?>a++)(?~x)`, "aa"}, {`((a*)*)*`, "aaa"}, {`[^\W\d]`, "_"}, {`\A\G\K\Z\z`, ""},
	} {
		f.Add(seed[0], seed[1], 0)
	}
	f.Fuzz(func(t *testing.T, source, s string, from int) {
		re, err := Options{Timeout: 200 * time.Millisecond}.Compile(source)
		if err != nil {
			var wrong *SyntaxError
			var refused *UnsupportedError
			if !errors.As(err, &wrong) && !errors.As(err, &refused) {
				t.Fatalf("Compile: %v", err)
			}
			return
		}
		x, err := re.newSearch(s)
		if !utf8.ValidString(s) {
			if !errors.Is(err, ErrInvalidUTF8) {
				t.Fatalf("search of invalid UTF-8: %v", err)
			}
			return
		}
		if err != nil {
			return
		}
		if from < 0 || from > len(s) || from < len(s) && !utf8.RuneStart(s[from]) {
			from = 0
		}
		got, err := x.find(from)
		if err != nil {
			if !errors.Is(err, ErrTimeout) && !errors.Is(err, ErrTooComplex) {
				t.Fatalf("find: %v", err)
			}
			return
		}
		checkMatch(t, re, s, from, got)
		if other, ok := onOtherEngine(t, re, s, from); ok && !slices.Equal(got, other) {
			t.Errorf("%q in %q from %d: RE2 %v, backtracking %v", source, s, from, got, other)
		}
	})
}

// checkMatch checks that a match consists of whole characters of s.
func checkMatch(t *testing.T, re *Regexp, s string, from int, m []int) {
	if m == nil {
		return
	}
	if len(m) != 2*(re.NumGroups()+1) || m[0] < from || m[1] < m[0] {
		t.Fatalf("%q in %q from %d: match %v", re.Source(), s, from, m)
	}
	for i := 0; i < len(m); i += 2 {
		if m[i] == -1 && m[i+1] == -1 {
			continue
		}
		if m[i] < 0 || m[i+1] < m[i] || m[i+1] > len(s) || !utf8.ValidString(s[m[i]:m[i+1]]) {
			t.Fatalf("%q in %q: match %v", re.Source(), s, m)
		}
	}
}

// onOtherEngine repeats an RE2 search on the backtracking engine.
func onOtherEngine(t rapid.TB, re *Regexp, s string, from int) (m []int, ok bool) {
	x, err := re.newSearch(s)
	if err != nil || x.p.linear == nil {
		return nil, false
	}
	tree, _, err := reparse(re)
	if err != nil {
		t.Fatal(err)
	}
	f := folder{source: re.source, ascii: x.p == re.ascii && asciiString(re.source)}
	if tree, err = f.fold(tree, false); err != nil {
		return nil, false
	}
	if x.p, err = newBacktracking(re.source, tree, re.NumGroups(), re.options); err != nil {
		return nil, false
	}
	if m, err = x.find(from); err != nil {
		return nil, false
	}
	return m, true
}

func reparse(re *Regexp) (node, []string, error) {
	p, err := parse(re.source, flags{})
	if err != nil {
		return nil, nil, err
	}
	return resolve(p)
}

// TestHostilePatterns checks that compilation respects its limits.
func TestHostilePatterns(t *testing.T) {
	deep := func(open, middle, closing string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(closing, n)
	}
	doubling := func(n int) string {
		var b strings.Builder
		b.WriteString("(?<g0>a)")
		for i := range n {
			name, before := string(rune('A'+i)), "g0"
			if i > 0 {
				before = string(rune('A' + i - 1))
			}
			b.WriteString("(?<" + name + `>\g<` + before + `>\g<` + before + ">)")
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		source string
		want   error // a nil pointer of the expected type, or nil
	}{
		"deep groups":        {deep("(", "a", ")", 2000), nil},
		"too deep groups":    {deep("(", "a", ")", 5000), (*SyntaxError)(nil)},
		"too deep classes":   {deep("[", "a", "]", 5000), (*SyntaxError)(nil)},
		"many quantifiers":   {"a" + strings.Repeat("*+", 5000), (*SyntaxError)(nil)},
		"nested counts":      {deep("(?:", "a", "){1000}", 5), nil},
		"deep optional":      {deep("(?:", "a?", ")*", 3000), nil},
		"nullable counts":    {`(?:(?:(?:a?){60}){60}){60}(?:(?:(?:a?){60}){60}){60}`, nil},
		"nullable count":     {`(a?){1000}`, nil},
		"doubling calls":     {doubling(20), (*UnsupportedError)(nil)},
		"joined letters":     {"(?i)é" + strings.Repeat("s", 100), (*UnsupportedError)(nil)},
		"many classes":       {strings.Repeat(`\p{^L}`, 5000), (*UnsupportedError)(nil)},
		"many in a class":    {"[" + strings.Repeat(`\p{L}`, 5000) + "]", (*UnsupportedError)(nil)},
		"many folds":         {"(?i)é" + strings.Repeat(`[\W]`, 5000), (*UnsupportedError)(nil)},
		"many characters":    {"(?i)[é" + strings.Repeat(`acegikz`, 20000) + "]", nil},
		"many clusters":      {strings.Repeat(`\X`, 5000), (*UnsupportedError)(nil)},
		"unclosed brackets":  {strings.Repeat("[[:", 50000), (*SyntaxError)(nil)},
		"look-behinds":       {deep("(?<=", "a", ")", 1500), nil},
		"long name":          {`(?<` + strings.Repeat("n", 1<<16) + `>a)`, nil},
		"long number":        {`a{` + strings.Repeat("9", 1<<16) + `}`, (*SyntaxError)(nil)},
		"invalid characters": {"a\xff", (*SyntaxError)(nil)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Compile(c.source)
			var wrong *SyntaxError
			var refused *UnsupportedError
			switch c.want.(type) { //nolint:errorlint // a nil pointer that names a type
			case nil:
				if err != nil {
					t.Errorf("%.200v", err)
				}
			case *SyntaxError:
				if !errors.As(err, &wrong) {
					t.Errorf("got %.200v, want a SyntaxError", err)
				}
			case *UnsupportedError:
				if !errors.As(err, &refused) {
					t.Errorf("got %.200v, want an UnsupportedError", err)
				}
			}
		})
	}
}
