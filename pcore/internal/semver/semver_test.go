package semver_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/pcore/internal/semver"
)

// lines decodes each line of a file into a T.
func lines[T any](t testing.TB, file string) []T {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, v)
	}
	return all
}

func mustParse(t testing.TB, text string) semver.Version {
	t.Helper()
	v, err := semver.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func mustRange(t testing.TB, text string) semver.Range {
	t.Helper()
	r, err := semver.ParseRange(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestParse(t *testing.T) {
	for _, c := range lines[struct {
		Text, String string
		Error        bool
	}](t, "testdata/versions.jsonl") {
		v, err := semver.Parse(c.Text)
		if (err != nil) != c.Error {
			t.Errorf("Parse(%q): error %v, want error %t", c.Text, err, c.Error)
			continue
		}
		var syntax *semver.SyntaxError
		if err != nil && (!errors.As(err, &syntax) || syntax.Text != c.Text) {
			t.Errorf("Parse(%q): error %#v", c.Text, err)
		}
		if err == nil && v.String() != c.String {
			t.Errorf("Parse(%q) = %s, want %s", c.Text, v, c.String)
		}
	}
	if _, err := semver.Parse("1.2.3-rc.01"); !errors.Is(err, semver.ErrLeadingZero) {
		t.Errorf("leading zero: error %v", err)
	}
}

func TestVersionParts(t *testing.T) {
	v := mustParse(t, "1.20.300-rc.1+b.7")
	for i, number := range []func() (uint64, bool){v.Major, v.Minor, v.Patch} {
		if n, ok := number(); !ok || n != []uint64{1, 20, 300}[i] {
			t.Errorf("number %d of %s = %d, %t", i, v, n, ok)
		}
	}
	if v.Prerelease() != "rc.1" || v.Build() != "b.7" || v.IsStable() {
		t.Errorf("%s: pre-release %q, build %q, stable %t", v, v.Prerelease(), v.Build(), v.IsStable())
	}
	if n, ok := mustParse(t, "18446744073709551616.0.0").Major(); ok {
		t.Errorf("a number beyond 64 bits fits: %d", n)
	}
	if (semver.Version{}) != mustParse(t, "0.0.0") {
		t.Error("the zero Version is not 0.0.0")
	}
}

func TestCompare(t *testing.T) {
	groups := [][]string{}
	data, err := os.ReadFile("testdata/order.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &groups); err != nil {
		t.Fatal(err)
	}
	for i, as := range groups {
		for j, bs := range groups {
			want := min(max(i-j, -1), 1)
			for _, a := range as {
				for _, b := range bs {
					if got := mustParse(t, a).Compare(mustParse(t, b)); got != want {
						t.Fatalf("%s compared with %s = %d, want %d", a, b, got, want)
					}
				}
			}
		}
	}
}

func TestNew(t *testing.T) {
	for _, c := range []struct {
		pre, build string
		equal      bool // to the version parsed from the text
		order      int  // relative to 1.2.3-rc
	}{
		{"", "", true, 1},
		{"rc", "", true, 0},
		{"rc", "b1", true, 0},
		{"rc", "b.1", false, 0}, // one identifier, not two
		{"rc", "1", true, 0},
		{"rc.1", "", false, 1},
		{"1", "", false, -1},
		{"01", "", false, -1},
	} {
		v, err := semver.New(1, 2, 3, c.pre, c.build)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := semver.Parse(v.String())
		if equal := err == nil && v == parsed; equal != c.equal {
			t.Errorf("%s: New equals Parse: %t, want %t", v, equal, c.equal)
		}
		if got := v.Compare(mustParse(t, "1.2.3-rc")); got != c.order {
			t.Errorf("%s compared with 1.2.3-rc = %d, want %d", v, got, c.order)
		}
	}
	if _, err := semver.New(1, -2, 3, "", ""); !errors.Is(err, semver.ErrNegative) {
		t.Errorf("negative number: error %v", err)
	}
	for _, q := range []string{"a..b", "ü", ".", "a.", "a+b"} {
		var syntax *semver.SyntaxError
		if _, err := semver.New(1, 2, 3, q, ""); !errors.As(err, &syntax) {
			t.Errorf("pre-release %q: error %v", q, err)
		}
		if _, err := semver.New(1, 2, 3, "", q); !errors.As(err, &syntax) {
			t.Errorf("build %q: error %v", q, err)
		}
	}
}

// rangeCase is a line of ranges.jsonl. In Puppet, the missing bounds of a range
// are 0.0.0- and Infinity.0.0.
type rangeCase struct {
	Versions, Text, String, Normalized string
	Begin, End                         string
	ExcludeBegin                       bool `json:"exclude_begin"`
	ExcludeEnd                         bool `json:"exclude_end"`
	Contains                           []int
	Error, Crash                       bool
}

func TestParseRange(t *testing.T) {
	data, err := os.ReadFile("testdata/ranges.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := bytes.Cut(data, []byte("\n"))
	var probes struct{ Versions []string }
	if err := json.Unmarshal(head, &probes); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(body) {
		var c rangeCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		r, err := semver.ParseRange(c.Text)
		if c.Crash {
			if err != nil || r.String() != c.Text {
				t.Errorf("ParseRange(%q) = %s, %v", c.Text, r, err)
			}
			continue
		}
		if (err != nil) != c.Error {
			t.Errorf("ParseRange(%q): error %v, want error %t", c.Text, err, c.Error)
		}
		if err != nil || c.Error {
			continue
		}
		if r.String() != c.String || r.Normalized() != c.Normalized {
			t.Errorf("ParseRange(%q) = %q normalized %q, want %q and %q", c.Text, r, r.Normalized(), c.String, c.Normalized)
		}
		checkBounds(t, r, c)
		for i, probe := range probes.Versions {
			if got := r.Contains(mustParse(t, probe)); got != slices.Contains(c.Contains, i) {
				t.Errorf("%q contains %s: %t", c.Text, probe, got)
			}
		}
	}
}

func checkBounds(t *testing.T, r semver.Range, c rangeCase) {
	t.Helper()
	for _, bound := range []struct {
		name string
		get  func() (semver.Version, bool)
		want string
	}{{"begin", r.Begin, c.Begin}, {"end", r.End, c.End}} {
		none := bound.want == "" || bound.want == "0.0.0-" || bound.want == "Infinity.0.0"
		v, ok := bound.get()
		if ok == none || ok && v.String() != bound.want {
			t.Errorf("%q: %s = %s, %t, want %q", c.Text, bound.name, v, ok, bound.want)
		}
	}
	if r.ExcludeBegin() != c.ExcludeBegin || r.ExcludeEnd() != c.ExcludeEnd {
		t.Errorf("%q excludes begin %t and end %t, want %t and %t", c.Text, r.ExcludeBegin(), r.ExcludeEnd(), c.ExcludeBegin, c.ExcludeEnd)
	}
}

func TestRangePairs(t *testing.T) {
	for _, c := range lines[struct {
		A, B         string
		Equal        bool
		Intersection *string
		Merged       json.RawMessage
		Covers       *bool
	}](t, "testdata/pairs.jsonl") {
		a, b := mustRange(t, c.A), mustRange(t, c.B)
		if got := a.Equal(b); got != c.Equal {
			t.Errorf("%q equals %q: %t", c.A, c.B, got)
		}
		if got := a.Intersection(b); c.Intersection != nil && (got.Normalized() != *c.Intersection || got.String() != *c.Intersection) {
			t.Errorf("%q & %q = %s, want %s", c.A, c.B, got.Normalized(), *c.Intersection)
		}
		if c.Covers == nil {
			continue
		}
		if got := a.Covers(b); got != *c.Covers {
			t.Errorf("%q covers %q: %t", c.A, c.B, got)
		}
		merged, ok := semver.MergeOf(a, b)
		want := ""
		if c.Merged != nil {
			if err := json.Unmarshal(c.Merged, &want); err != nil {
				t.Fatal(err)
			}
		}
		// Puppet inspects a range without bounds as <=Infinity.0.0.
		if want = strings.Replace(want, "<=Infinity.0.0", ">=0.0.0", 1); ok != (want != "") || ok && merged.Normalized() != want {
			t.Errorf("%q merged with %q = %s, %t, want %q", c.A, c.B, merged.Normalized(), ok, want)
		}
	}
}

func TestNewRange(t *testing.T) {
	one, two := mustParse(t, "1.0.0"), mustParse(t, "2.0.0")
	for _, c := range []struct {
		min, max         *semver.Version
		exclude          bool
		text, normalized string
		written          string // Puppet's text, with swapped bounds
	}{
		{&one, &two, false, "1.0.0 - 2.0.0", ">=1.0.0 <=2.0.0", ""},
		{&one, &two, true, ">=1.0.0 <2.0.0", ">=1.0.0 <2.0.0", ""},
		{&one, nil, false, ">=1.0.0", ">=1.0.0", "Infinity.0.0 - 1.0.0"},
		{&one, nil, true, ">=1.0.0", ">=1.0.0", ">=Infinity.0.0 <1.0.0"},
		{nil, &two, false, "<=2.0.0", "<=2.0.0", "2.0.0 - 0.0.0-"},
		{nil, &two, true, "<2.0.0", "<2.0.0", ">=2.0.0 <0.0.0-"},
		{nil, nil, false, ">=0.0.0", ">=0.0.0", "Infinity.0.0 - 0.0.0-"},
		{nil, nil, true, ">=0.0.0", ">=0.0.0", ">=Infinity.0.0 <0.0.0-"},
		{&one, &one, false, "1.0.0 - 1.0.0", "1.0.0", ""},
		{&one, &one, true, ">=1.0.0 <1.0.0", "<0.0.0", ""},
		{&two, &one, false, "2.0.0 - 1.0.0", "<0.0.0", ""},
	} {
		r := semver.NewRange(c.min, c.max, c.exclude)
		if r.String() != c.text || r.Normalized() != c.normalized {
			t.Errorf("NewRange = %q normalized %q, want %q and %q", r, r.Normalized(), c.text, c.normalized)
		}
		if back := mustRange(t, r.String()); !back.Equal(r) {
			t.Errorf("%q reads back as %q", r, back.Normalized())
		}
		if c.written == "" {
			continue
		}
		if back := mustRange(t, c.written); !back.Equal(r) || back.String() != c.written {
			t.Errorf("what Puppet writes, %q, reads as %q", c.written, back.Normalized())
		}
	}
}

func TestMergeRanges(t *testing.T) {
	for _, c := range []struct{ in, want []string }{
		{nil, nil},
		{[]string{"1.x"}, []string{"1.x"}},
		{[]string{"1.x", "3.x"}, []string{"1.x", "3.x"}},
		{[]string{"1.x", "2.x"}, []string{">=1.0.0 <3.0.0"}},
		{[]string{"3.x", "1.x", "2.x"}, []string{">=1.0.0 <4.0.0"}},
		{[]string{"1.x", "3.x", "5.x", "4.x"}, []string{"1.x", ">=3.0.0 <6.0.0"}},
		{[]string{">1.0.0 <2.0.0", "1.5.x"}, []string{"1.0.0 - 2.0.0"}},
		{[]string{">=1.0.0", ">=2.0.0"}, []string{">=1.0.0"}},
		{[]string{"1.x || 3.x", "2.x"}, []string{"1.x || 3.x", "2.x"}},
	} {
		var in []semver.Range
		for _, text := range c.in {
			in = append(in, mustRange(t, text))
		}
		merged, err := semver.Merge(in)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range merged {
			got = append(got, r.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("Merge(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	many := strings.Repeat("1.0.0 || ", semver.MaxAlternatives) + "2.0.0"
	if _, err := semver.ParseRange(many); !errors.Is(err, semver.ErrTooManyAlternatives) {
		t.Errorf("error %v", err)
	}
	if _, err := semver.Merge(make([]semver.Range, semver.MaxAlternatives+1)); !errors.Is(err, semver.ErrTooManyAlternatives) {
		t.Errorf("error %v", err)
	}
	nines := strings.Repeat("9", 1<<16)
	want := ">=" + nines + ".0.0 <1" + strings.Repeat("0", 1<<16) + ".0.0"
	if got := mustRange(t, "^"+nines).Normalized(); got != want {
		t.Error("a number of many digits does not grow by one")
	}
}

func TestZeroRange(t *testing.T) {
	var r semver.Range
	if r.String() != "<0.0.0" || r.Contains(semver.Version{}) || !r.Equal(mustRange(t, ">x")) {
		t.Errorf("the zero Range is %s", r)
	}
}

// version draws a version whose text Parse preserves.
var version = rapid.Custom(func(t *rapid.T) semver.Version {
	text := rapid.StringMatching(`(0|[1-3]|10)\.(0|[1-3])\.(0|[1-3])(-(0|1|10|a|rc|-)(\.(0|2|b)){0,2})?(\+b(\.1)?)?`).Draw(t, "version")
	v, err := semver.Parse(text)
	if err != nil || v.String() != text {
		t.Fatalf("Parse(%q) = %s, %v", text, v, err)
	}
	return v
})

var versionRange = rapid.Custom(func(t *rapid.T) semver.Range {
	text := rapid.StringMatching(`((<|<=|>|>=|~|\^|=)?[0-3]\.(x|[0-3]\.([0-3](-(a|rc\.1))?|x))( \|\| |  ?)){0,3}(<|>=)[0-3]\.[0-3]\.[0-3]`).Draw(t, "range")
	r, err := semver.ParseRange(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
})

func TestCompareIsAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := version.Draw(t, "a"), version.Draw(t, "b"), version.Draw(t, "c")
		if a.Compare(b) != -b.Compare(a) {
			t.Fatalf("%s and %s", a, b)
		}
		if a.Compare(b) <= 0 && b.Compare(c) <= 0 && a.Compare(c) > 0 {
			t.Fatalf("%s <= %s <= %s", a, b, c)
		}
		if a == b && a.Compare(b) != 0 {
			t.Fatalf("%s", a)
		}
	})
}

// TestIntersectionIsTheCommonSubset is limited to stable versions: an
// intersection may lack the pre-release that admitted others.
func TestIntersectionIsTheCommonSubset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, v := versionRange.Draw(t, "a"), versionRange.Draw(t, "b"), version.Draw(t, "v")
		if !v.IsStable() || v.Build() != "" {
			t.Skip()
		}
		both := a.Intersection(b)
		if both.Contains(v) != (a.Contains(v) && b.Contains(v)) {
			t.Fatalf("%s & %s = %s on %s", a, b, both, v)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1.2.3", "1.2.3-rc.1+b", "01.2.3", "1.2.3\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := semver.Parse(text)
		if err != nil {
			return
		}
		if v.String() != strings.TrimSuffix(text, "\n") {
			t.Fatalf("Parse(%q) = %s", text, v)
		}
	})
}

// FuzzParseRange checks that the normal form of a range contains the same
// versions, and that the text of a range is preserved.
func FuzzParseRange(f *testing.F) {
	for _, s := range []string{"", ">=1.0.0 <2.0.0", "^1.2 || ~2", "1 - 2.x", "Infinity.0.0 - 1.0.0", ">x", "||*||0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := semver.ParseRange(text)
		if err != nil {
			return
		}
		if text != "" && strings.Trim(text, "| \t\n\v\f\r") != "" && r.String() != text {
			t.Fatalf("ParseRange(%q) = %q", text, r)
		}
		normal := r.Normalized()
		back, err := semver.ParseRange(normal)
		if err != nil {
			t.Fatalf("ParseRange(%q) is %q, which does not read: %v", text, normal, err)
		}
		for _, probe := range []string{"0.0.0", "0.0.1", "1.0.0", "1.0.0-rc.1", "1.2.0", "1.2.3", "2.0.0", "3.1.0"} {
			if v := mustParse(t, probe); r.Contains(v) != back.Contains(v) {
				t.Fatalf("ParseRange(%q) is %q, which differs on %s", text, normal, v)
			}
		}
	})
}
