package match_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/sensitive/match"
)

// allForms compiles the forms of all secrets, the way that CompileForms
// shortens.
func allForms(t interface{ Fatal(...any) }, secrets [][]byte) *match.Set {
	var patterns [][]byte
	for _, secret := range secrets {
		for _, form := range match.Forms(secret) {
			patterns = append(patterns, form)
		}
	}
	s, err := match.Compile(patterns)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// secretBytes draws secrets in which nothing, something and much is escaped.
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

// CompileForms finds what stands where all forms are compiled.
func TestCompileFormsFindsAllForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secrets := rapid.SliceOfN(secretBytes(), 1, 6).Draw(t, "secrets")
		var forms [][]byte
		for _, secret := range secrets {
			for _, form := range match.Forms(secret) {
				forms = append(forms, form)
			}
		}
		piece := rapid.OneOf(
			rapid.SampledFrom(forms),
			rapid.SampledFrom(secrets),
			rapid.Map(rapid.SampledFrom(forms), func(f []byte) []byte { return f[:len(f)-1] }),
			rapid.Map(rapid.SampledFrom(forms), func(f []byte) []byte { return f[1:] }),
			rapid.Map(rapid.SampledFrom(secrets), func(s []byte) []byte {
				quoted, _ := json.Marshal(string(s))
				return quoted
			}),
			rapid.SliceOfN(rapid.Byte(), 0, 9),
		)
		text := bytes.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "text"), nil)
		lazy, eager := match.CompileForms(secrets), allForms(t, secrets)
		if lazy.Longest() < eager.Longest() {
			t.Fatalf("the longest form has %d bytes, not %d", eager.Longest(), lazy.Longest())
		}
		got, want := places(lazy, text), places(eager, text)
		if !slices.Equal(got, want) {
			t.Fatalf("%q in %q: got %v, want %v", secrets, text, got, want)
		}
		for h := range lazy.Find(text) {
			form := text[h.Start:h.End]
			if !slices.ContainsFunc(slices.Collect(formsOf(secrets[h.Pattern])), func(f []byte) bool { return bytes.Equal(f, form) }) {
				t.Fatalf("%q is no form of %q", form, secrets[h.Pattern])
			}
		}
		if lazy.Contains(text) != (len(want) > 0) {
			t.Fatal("Contains")
		}
	})
}

func formsOf(secret []byte) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for _, f := range match.Forms(secret) {
			if !yield(f) {
				return
			}
		}
	}
}

// places returns where a set finds something, each place once.
func places(s *match.Set, text []byte) (all [][2]int) {
	for h := range s.Find(text) {
		all = append(all, [2]int{h.Start, h.End})
	}
	slices.SortFunc(all, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(all)
}

// Secrets that share all stretches are found all the same, and told apart.
func TestCompileFormsOfSecretsAlike(t *testing.T) {
	var secrets [][]byte
	for i := range 300 {
		secrets = append(secrets, fmt.Appendf(nil, "%s%d:", strings.Repeat("the-same-beginning-", 20), i))
	}
	s := match.CompileForms(secrets)
	for i, secret := range secrets {
		for form, spelling := range match.Forms(secret) {
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
	if s := match.CompileForms(nil); s.Len() != 0 || s.Longest() != 0 || s.Contains([]byte("anything")) {
		t.Error("a Set of nothing finds something")
	}
}

// One Set is searched by several goroutines at once.
func TestCompileFormsConcurrently(t *testing.T) {
	secrets := [][]byte{[]byte("copper-lantern-44"), []byte(`a "harbour-lights" b`)}
	s := match.CompileForms(secrets)
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

func BenchmarkCompileForms(b *testing.B) {
	var secrets [][]byte
	for i := range 1000 {
		secrets = append(secrets, fmt.Appendf(nil, "s3cret/%016x", uint64(i)*0x9e3779b97f4a7c15))
	}
	for b.Loop() {
		match.CompileForms(secrets)
	}
}
