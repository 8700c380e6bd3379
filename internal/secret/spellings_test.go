package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/secret"
)

// allForms compiles the forms of all secrets with Compile.
func allForms(t interface{ Fatal(...any) }, secrets [][]byte) *secret.Set {
	var patterns [][]byte
	for _, hidden := range secrets {
		for _, form := range secret.Forms(hidden) {
			patterns = append(patterns, form)
		}
	}
	s, err := secret.Compile(patterns)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// secretBytes generates secrets of which no, some and most bytes are escaped.
func secretBytes() *rapid.Generator[[]byte] {
	ofRunes := func(letters string, least, most int) *rapid.Generator[[]byte] {
		return rapid.Map(rapid.StringOfN(rapid.SampledFrom([]rune(letters)), least, most, -1), func(s string) []byte { return []byte(s) })
	}
	return rapid.OneOf(
		ofRunes("abcdefghABCDEFGH0123456789", 6, 40),
		ofRunes("ab", 6, 40),
		ofRunes("aB-/$'\"\\ \n<é𝄞\x01", 6, 30),
		rapid.Custom(func(t *rapid.T) []byte {
			odd := ofRunes("aB-/$'\"\\ \n<&é𝄞\x01%+", 0, 6)
			return slices.Concat(odd.Draw(t, "before"), ofRunes("abcXYZ01.-", 11, 30).Draw(t, "plain"), odd.Draw(t, "after"))
		}),
		rapid.SliceOfN(rapid.Byte(), 6, 40),
	)
}

// longTokens generates secrets that are long enough for the long stride.
func longTokens() *rapid.Generator[[]byte] {
	return rapid.Map(rapid.OneOf(
		rapid.StringMatching(`[0-9a-f]{15,40}`), rapid.StringMatching(`[aB]{15,24}`), rapid.StringMatching(`['é\n]{0,3}[A-Za-z0-9._-]{15,40}[/"é]{0,3}`),
	), func(s string) []byte { return []byte(s) })
}

// CompileForms finds the positions that a Set compiled from all forms finds, and others only
// of forms that overlap or are escaped.
func TestCompileFormsFindsAllForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secrets := rapid.SliceOfN(rapid.OneOf(secretBytes(), longTokens()), 1, 6).Draw(t, "secrets")
		if rapid.Bool().Draw(t, "long") {
			secrets = rapid.SliceOfN(longTokens(), 1, 6).Draw(t, "tokens")
		}
		var forms [][]byte
		for _, hidden := range secrets {
			for _, form := range secret.Forms(hidden) {
				forms = append(forms, form)
			}
		}
		piece := rapid.OneOf(
			rapid.SampledFrom(forms),
			rapid.SampledFrom(secrets),
			rapid.Map(rapid.SampledFrom(forms), func(f []byte) []byte { return f[:len(f)-1] }),
			rapid.Map(rapid.SampledFrom(forms), func(f []byte) []byte { return f[1:] }),
			rapid.Map(rapid.SampledFrom(secrets), func(s []byte) []byte { return bytes.ReplaceAll(s, []byte("\n"), []byte("\n  ")) }),
			rapid.Map(rapid.SampledFrom(secrets), func(s []byte) []byte {
				quoted, _ := json.Marshal(string(s))
				return quoted
			}),
			rapid.SliceOfN(rapid.Byte(), 0, 9),
		)
		text := bytes.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "text"), nil)
		lazy, eager := secret.CompileForms(secrets), allForms(t, secrets)
		if lazy.Longest() < eager.Longest() {
			t.Fatalf("the longest form has %d bytes, not %d", eager.Longest(), lazy.Longest())
		}
		got, want := locations(lazy, text), locations(eager, text)
		for _, at := range want {
			if !slices.Contains(got, at) {
				t.Fatalf("%q in %q: got %v, want %v", secrets, text, got, want)
			}
		}
		for h := range lazy.Find(text) {
			form := text[h.Start:h.End]
			if unindented(form) == unindented(secrets[h.Pattern]) || mayHide(form) {
				continue
			}
			if !isForm(form, secrets[h.Pattern]) {
				t.Fatalf("%q is no form of %q", form, secrets[h.Pattern])
			}
		}
		if lazy.Contains(text) != (len(got) > 0) {
			t.Fatal("Contains")
		}
	})
}

// Secrets of all lengths are found in all forms at every position, including the start
// and end of a text, alone and among others, which determine the stride.
func TestCompileFormsFindsEveryLocation(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches hundreds of thousands of texts")
	}
	const text = "9f3C-b07aE.61d_48Xw25q~nT0zVr7/kLm3'Ys&eHj"
	for n := secret.MinLen; n <= len(text); n++ {
		hidden := []byte(text[:n])
		for _, others := range []string{"", "elevenbytes", "longer-than-a-stride"} {
			s := secret.CompileForms([][]byte{[]byte(others), hidden})
			for form, spelling := range secret.Forms(hidden) {
				for before := range 18 {
					for _, after := range []int{0, 1, 7, 16} {
						in := slices.Concat(bytes.Repeat([]byte("="), before), spelling, bytes.Repeat([]byte("="), after))
						want := secret.Hit{Start: before, End: before + len(spelling), Pattern: 1}
						if !slices.Contains(slices.Collect(s.Find(in)), want) {
							t.Fatalf("%q, %s of %q beside %q, is not found in %q", spelling, form, hidden, others, in)
						}
					}
				}
			}
		}
	}
}

// mayHide reports whether text may have an escape, a doubled character or a line break.
func mayHide(text []byte) bool { return bytes.ContainsAny(text, "\\%&=+'\"$`^\r\n") }

// unindented returns a text of several lines without indentation.
func unindented(text []byte) string {
	lines := strings.Split(string(text), "\n")
	for i := range lines[1:] {
		lines[i+1] = strings.TrimLeft(lines[i+1], " \t")
	}
	return strings.Join(lines, "\n")
}

// A letter may be longer in lower case, as is a byte that is no character.
func TestLongerInLowerCase(t *testing.T) {
	for _, hidden := range []string{"\x8b0000A000000", "ȺȺ0000A0000000", "0000A000000\xff", "İ-Zk7pQ2vX9mTb4L"} {
		s := secret.CompileTexts([]string{hidden})
		for _, text := range []string{hidden, "x" + hidden, hidden[1:], "0000a000000", "\ufffd0000a00000", strings.ToLower(hidden)} {
			want := strings.Contains(text, hidden) || text == strings.ToLower(hidden)
			if got := s.Contains([]byte(text)); got != want {
				t.Errorf("%q in %q: %t", hidden, text, got)
			}
		}
	}
}

// A secret is found if its lines are indented differently.
func TestCompileFormsFindsIndentedLines(t *testing.T) {
	line := rapid.StringOfN(rapid.SampledFrom([]rune("abc: \"'é-")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		lines := append(rapid.SliceOfN(line, 0, 3).Draw(t, "before"), "a-line-of-"+rapid.StringMatching("[a-z]{5}").Draw(t, "word"))
		lines = append(lines, rapid.SliceOfN(line, 0, 3).Draw(t, "behind")...)
		hidden := strings.TrimSpace(strings.Join(lines, "\n"))
		var b strings.Builder
		for i, l := range strings.Split(hidden, "\n") {
			if i > 0 {
				b.WriteString("\n" + strings.Repeat(rapid.SampledFrom([]string{" ", "\t"}).Draw(t, "blank"), rapid.IntRange(0, 64).Draw(t, "indent")))
				l = strings.TrimLeft(l, " \t")
			}
			b.WriteString(l)
		}
		before := rapid.SampledFrom([]string{"", "x", "key: |\n    ", "\n"}).Draw(t, "text")
		text := []byte(before + b.String() + rapid.SampledFrom([]string{"", "x", "\n"}).Draw(t, "end"))
		s := secret.CompileForms([][]byte{[]byte(hidden)})
		if s.Longest() < b.Len() {
			t.Fatalf("%q has %d bytes, not %d", &b, b.Len(), s.Longest())
		}
		if got := s.Spans(text); len(got) != 1 || got[0].Start != len(before) || got[0].End != len(before)+b.Len() {
			t.Fatalf("%q in %q: %v", hidden, text, got)
		}
	})
}

// Differing lines do not match, other line ends and blanks do, and the search time is bounded.
func TestCompileFormsOfOtherLines(t *testing.T) {
	hidden := "user: admin-of-all\n  key: 12345\nend"
	s := secret.CompileForms([][]byte{[]byte(hidden)})
	for text, want := range map[string]bool{
		"user: admin-of-all\n\n key: 12345\nend":                             true,
		"user: admin-of-all\n" + strings.Repeat(" ", 65) + "key: 12345\nend": true,
		"user: admin-of-all\r\nkey: 12345\r\nend":                            true,
		"user: admin-of-all key: 12345\nend":                                 false,
		"user: admin-of-all\nkey: 12346\nend":                                false,
		"ser: admin-of-all\nkey: 12345\nend":                                 false,
		"user: admin-of-all\nkey: 12345\nen":                                 false,
		"user: admin-of-all":                                                 false,
	} {
		if s.Contains([]byte(text)) != want {
			t.Errorf("%q: found %t", text, !want)
		}
	}
	if testing.Short() {
		return // the rest is a test of bounds
	}
	long := strings.Repeat("a-line-that-repeats\n", 1<<13)
	s = secret.CompileForms([][]byte{[]byte(long + "end")})
	if s.Contains([]byte(strings.Repeat(long+" ", 8))) {
		t.Error("what is not there was found")
	}
}

func formsOf(hidden []byte) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for _, f := range secret.Forms(hidden) {
			if !yield(f) {
				return
			}
		}
	}
}

// isForm reports whether text is a form of a secret, whose lines may end in another way. The
// digits of hexadecimal may be in both cases, and some of them separated.
func isForm(text, hidden []byte) bool {
	joined := strings.NewReplacer(":", "", " ", "")
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(hidden))
	for _, end := range []string{"", "\n", "\r\n", "\r"} {
		ended := hidden
		if end != "" {
			ended = []byte(strings.ReplaceAll(lines, "\n", end))
		}
		for f := range formsOf(ended) {
			if strings.EqualFold(joined.Replace(string(f)), joined.Replace(string(text))) {
				return true
			}
		}
	}
	return false
}

// locations returns the positions of the hits of a set without duplicates.
func locations(s *secret.Set, text []byte) (all [][2]int) {
	for h := range s.Find(text) {
		all = append(all, [2]int{h.Start, h.End})
	}
	slices.SortFunc(all, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(all)
}

// Secrets that share all stretches are still found and distinguished.
func TestCompileFormsOfSecretsAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles many secrets")
	}
	var secrets [][]byte
	for i := range 300 {
		secrets = append(secrets, fmt.Appendf(nil, "%s%d:", strings.Repeat("the-same-beginning-", 20), i))
	}
	s := secret.CompileForms(secrets)
	for i, hidden := range secrets {
		for form, spelling := range secret.Forms(hidden) {
			found := map[int]bool{}
			for h := range s.Find(slices.Concat([]byte("x"), spelling, []byte("y"))) {
				found[h.Pattern] = true
			}
			if !found[i] {
				t.Fatalf("secret %d is not found in %s", i, form)
			}
		}
	}
}

func TestCompileFormsOfNothing(t *testing.T) {
	if s := secret.CompileForms(nil); s.Len() != 0 || s.Longest() != 0 || s.Contains([]byte("anything")) {
		t.Error("a Set of nothing finds something")
	}
}

// Several goroutines may search one Set at once.
func TestCompileFormsConcurrently(t *testing.T) {
	secrets := [][]byte{[]byte("copper-lantern-44"), []byte(`a "harbour-lights" b`)}
	s := secret.CompileForms(secrets)
	done := make(chan bool)
	for range 4 {
		go func() {
			done <- s.Contains([]byte(`x a \"harbour-lights\" b`)) && s.Contains([]byte("COPPER copper-lantern-44"))
		}()
	}
	for range 4 {
		if !<-done {
			t.Error("not found")
		}
	}
}

// No spelling with a quote, of a secret on one line, is longer than LongestQuoted.
func TestLongestQuoted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hidden := []byte(rapid.StringOfN(rapid.SampledFrom([]rune("ab'\"\\$ <&é∀\x01/%")), 4, 12, -1).Draw(t, "secret"))
		most := secret.CompileForms([][]byte{[]byte("unquoted"), hidden}).LongestQuoted()
		patterns := [][]byte{[]byte("unquoted")}
		for form, spelling := range secret.Forms(hidden) {
			if bytes.IndexByte(spelling, '"') >= 0 && len(spelling) > most {
				t.Fatalf("%q, %v, is longer than %d", spelling, form, most)
			}
			patterns = append(patterns, spelling)
		}
		s, err := secret.Compile(patterns)
		if err != nil {
			t.Fatal(err)
		}
		if u := secret.Union(s, s); u.LongestQuoted() != s.LongestQuoted() || s.LongestQuoted() > most {
			t.Fatalf("%d of %d", s.LongestQuoted(), most)
		}
	})
	if n := secret.CompileForms([][]byte{[]byte("it's on\ntwo lines")}).LongestQuoted(); n != 0 {
		t.Errorf("%d with a line break", n)
	}
	if n := secret.CompileForms([][]byte{[]byte("it has none")}).LongestQuoted() + (*secret.Set)(nil).LongestQuoted(); n != 0 {
		t.Errorf("%d", n)
	}
}

// The same holds if no line has a stretch, and if several secrets share the line.
func TestCompileFormsFindsShortLines(t *testing.T) {
	s := secret.CompileForms([][]byte{[]byte("one line only"), []byte("u: x y\np: a!b@c#d\n  z: 1"), []byte("p: a!b@c#d\nq: 7"), []byte("{\n}")})
	for text, want := range map[string][]secret.Span{
		"  u: x y\n  p: a!b@c#d\n\tz: 1": {{2, 27, 1}},
		"p: a!b@c#d\n    q: 7":           {{0, 19, 2}},
		"u: x y\n p: a!b@c#d\n q: 7":     {{8, 24, 2}},
		"u: x z\n p: a!b@c#d\n z: 1":     nil,
		"{\n  }":                         nil, // too short to be distinctive
	} {
		if got := s.Spans([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %v instead of %v", text, got, want)
		}
	}
}

// Frequent occurrences of the beginning of a secret do not exhaust the budget.
func TestCompileFormsFindsIndentedLinesAtLast(t *testing.T) {
	const head = "-----BEGIN CERTIFICATE-----\n"
	var b strings.Builder
	b.WriteString(head)
	for i := range 4000 {
		fmt.Fprintf(&b, "%064d\n", i)
	}
	b.WriteString("end")
	text := strings.Repeat(head+"another one\n", 3000)
	at := len(text)
	text += strings.ReplaceAll(b.String(), "\n", "\n  ")
	if got := secret.CompileForms([][]byte{[]byte(b.String())}).Spans([]byte(text)); len(got) != 1 || got[0].Start != at || got[0].End != len(text) {
		t.Errorf("%v, not %d to %d", got, at, len(text))
	}
}

// Many secrets with many escaped bytes have more forms than are cached: they are not
// generated again at every occurrence of a stretch.
func TestCompileFormsOfManyOnce(t *testing.T) {
	const groups, alike = 400, 8
	var secrets, stretches [][]byte
	for g := range groups {
		stretch := fmt.Appendf(nil, "%016x", uint64(g+1)*0x9e3779b97f4a7c15)
		stretches = append(stretches, stretch)
		for i := range alike {
			secrets = append(secrets, fmt.Appendf(slices.Clone(stretch), "%s!%d!", strings.Repeat(`'"\&<`, 20), i))
		}
	}
	s := secret.CompileForms(secrets)
	text := bytes.Repeat(append(bytes.Join(stretches, []byte(",")), ','), 10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if s.Contains(text) {
		t.Error("what is not there was found")
	}
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 150 {
		t.Errorf("%d MB were allocated", mb)
	}
	for _, i := range []int{0, 1, groups*alike - 1} {
		for form, spelling := range secret.Forms(secrets[i]) {
			want := secret.Hit{Start: 1, End: 1 + len(spelling), Pattern: i}
			if in := slices.Concat([]byte("="), spelling, []byte("=")); !slices.Contains(slices.Collect(s.Find(in)), want) {
				t.Errorf("secret %d is not found in %s", i, form)
			}
		}
	}
}

// Long secrets that share a frequent line have more forms than are cached: they are not
// generated again at every occurrence of the line, and are still found.
func TestCompileFormsOfMoreThanIsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles long secrets")
	}
	line := strings.Repeat("a-line-that-repeats-here/\n", 2300)
	var secrets [][]byte
	for i := range 40 {
		secrets = append(secrets, fmt.Appendf(nil, "%send%02d--", line, i))
	}
	s := secret.CompileForms(secrets)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if s.Contains([]byte(strings.Repeat("a-line-that-repeats-here/\n", 300) + "end")) {
		t.Error("what is not there was found")
	}
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 100 {
		t.Errorf("%d MB were allocated", mb)
	}
	for _, i := range []int{0, 39} {
		for form, spelling := range secret.Forms(secrets[i]) {
			for _, at := range []string{"", "x"} {
				found := false
				for h := range s.Find([]byte(at + string(spelling) + "y")) {
					found = found || h == secret.Hit{Start: len(at), End: len(at) + len(spelling), Pattern: i}
				}
				if !found {
					t.Errorf("secret %d is not found in %s", i, form)
				}
			}
			other := slices.Clone(spelling)
			other[len(other)/2] ^= 1
			for h := range s.Find(other) {
				if h.Pattern == i {
					t.Errorf("secret %d is found in what is not its %s", i, form)
				}
			}
		}
	}
}

// CompileForms finds every occurrence that a plain search for each form finds. One form
// is inserted into the text.
func FuzzCompileForms(f *testing.F) {
	const between = "\x1e"
	f.Add("9f3C-b07aE.61d_48Xw25"+between+"hunter2-extended"+between+"hunter2", "x hunter2-extended 3966", uint8(1), uint8(40), uint16(3))
	f.Add("-----BEGIN KEY-----\nAb+/cd=\n-----END KEY-----", "  -----BEGIN KEY-----\n  Ab+/cd=\n  ", uint8(0), uint8(7), uint16(0))
	f.Add("000 ", "0+\n0000+00", uint8(0), uint8('v'), uint16(76))
	f.Add("é\"𝄞\\lantern-44/% ab"+between+"lantern-44/% ab", "%C3%A9%22", uint8(0), uint8(29), uint16(10))
	f.Add("\x8b0000A000000", "000", uint8(0x8f), uint8(0), uint16(23))
	f.Fuzz(func(t *testing.T, joined, text string, hidden, form uint8, at uint16) {
		var secrets [][]byte
		for s := range strings.SplitSeq(joined, between) {
			if len(s) >= secret.MinLen {
				secrets = append(secrets, []byte(s))
			}
		}
		if len(secrets) == 0 || len(secrets) > 50 || len(joined) > 5000 || len(text) > 5000 {
			t.Skip()
		}
		forms := make([][][]byte, len(secrets))
		for i, s := range secrets {
			forms[i] = slices.Collect(formsOf(s))
		}
		chosen := forms[int(hidden)%len(secrets)]
		in := slices.Insert([]byte(text), int(at)%(len(text)+1), chosen[int(form)%len(chosen)]...)
		s := secret.CompileForms(secrets)
		found := map[[2]int]bool{}
		for h := range s.Find(in) {
			found[[2]int{h.Start, h.End}] = true
			if bytes.Contains(secrets[h.Pattern], []byte(" ")) && bytes.Contains(in[h.Start:h.End], []byte("+")) {
				continue // a plus sign is a blank in a URL
			}
			if !isForm(in[h.Start:h.End], secrets[h.Pattern]) && !mayHide(in[h.Start:h.End]) && unindented(in[h.Start:h.End]) != unindented(secrets[h.Pattern]) {
				t.Errorf("%q is no form of %q", in[h.Start:h.End], secrets[h.Pattern])
			}
		}
		for i, all := range forms {
			for _, form := range all {
				for end := 0; ; {
					n := bytes.Index(in[end:], form)
					if n < 0 {
						break
					}
					start := end + n
					if end = start + len(form); !found[[2]int{start, end}] {
						t.Errorf("%q of %q is not found at %d of %q", form, secrets[i], start, in)
					}
				}
			}
		}
	})
}

// Long secrets are searched for apart from short ones. The hits have the positions of the
// secrets, also in a union.
func TestShortAndLongSecrets(t *testing.T) {
	long := func(word string) []byte { return []byte(strings.Repeat(word+" = 1\n", 100)) }
	secrets := [][]byte{long("alpha-Zx9"), []byte("Kq7-xv2Lm9p"), long("beta-Qw4v"), []byte("n7Hq-vL2pX&c")}
	other := secret.CompileForms([][]byte{[]byte("other-Tz8Rk")})
	for first, set := range []*secret.Set{secret.CompileForms(secrets), secret.Union(other, secret.CompileForms(secrets))} {
		for i, s := range secrets {
			for _, text := range []string{string(s), strconv.Quote(string(s))} {
				found := false
				for h := range set.Find([]byte("x " + text + " y")) {
					if found = h.Pattern == first+i; !found {
						t.Errorf("secret %d: found as %d", first+i, h.Pattern)
					}
				}
				if !found {
					t.Errorf("secret %d: not found in %.20s", first+i, text)
				}
			}
		}
	}
}

// Percent and dollar signs are found that are not all doubled equally often.
func TestCompileFormsOfSomeDoubled(t *testing.T) {
	for hidden, text := range map[string]string{
		"C$bdWJjLf%yk":    "C$$bdWJjLf%%%yk",
		"9lQ9><&7hE":      "9lQ9%%%%3e%%%3c%%267hE",
		"kelp$44$harbour": "kelp$$$44$$harbour",
	} {
		if !secret.CompileForms([][]byte{[]byte(hidden)}).Contains([]byte("a = " + text + "\n")) {
			t.Errorf("%q is not found", text)
		}
	}
}
