package sensitive

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A secret across piece boundaries is found at any boundary, and then nothing is written.
// Otherwise the whole document is.
func TestPiecesAreSearchedAcrossTheirEnds(t *testing.T) {
	leaks := 0
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.SampledFrom([]string{`ab"cab`, `ab{cab`, `"abcab`, `abcab"`, `ab'cab`, `ab}cab`, `abécab`, `abcabc`}).Draw(t, "secret")
		part := rapid.SampledFrom([]string{secret[:2], secret[:3], secret[2:], secret[3:], `x`, `"`, `\`})
		text := func(name string, least, most int) string {
			return strings.Join(rapid.SliceOfN(part, least, most).Draw(t, name), "")
		}
		s := matcherOf(secret)
		p := patch{data: []byte(text("data", 1, 30))}
		var want []byte
		var ends []int
		for p.end < len(p.data) {
			start := rapid.IntRange(p.end, len(p.data)).Draw(t, "start")
			end := rapid.IntRange(start, len(p.data)).Draw(t, "end")
			fresh := rapid.SampledFrom([]string{`"` + text("string", 0, 2) + `"`, `{` + text("other", 0, 2) + `}`}).Draw(t, "fresh")
			want = append(want, p.data[p.end:start]...)
			ends = append(ends, len(want), len(want)+len(fresh))
			want = append(want, fresh...)
			if rapid.Bool().Draw(t, "again") {
				before := p.state()
				p.replace(start, end, []byte("taken back"))
				p.back(before)
			}
			before := p.state()
			if inner, isString := strings.CutPrefix(fresh, `"`); isString {
				inner = strings.TrimSuffix(inner, `"`)
				if got := p.quote(start, end, inner); string(got) != inner {
					t.Fatalf("quote returns %q", got)
				}
			} else {
				p.replace(start, end, []byte(fresh))
			}
			if got := string(p.between(start, len(p.data), before)); got != fresh+string(p.data[end:]) {
				t.Fatalf("between is %q", got)
			}
		}
		across := false
		anywhere := s.hitsJSON(want, &searcher{}) // also in spite of a backslash
		for range s.set.Find(want) {
			anywhere = true
		}
		for h := range s.set.FindJSON(want) { // a quote ends a string: it is not doubled
			for _, end := range ends {
				across = across || h.Start < end && end < h.End
			}
		}
		var out bytes.Buffer
		err := p.write(struct{ *bytes.Buffer }{&out}, s)
		switch {
		case errors.Is(err, ErrLeak) && out.Len() == 0 && anywhere:
			leaks++
		case err != nil || across || out.String() != string(want):
			t.Fatalf("%q in %q: %v, wrote %q", secret, want, err, &out)
		}
	})
	if leaks == 0 {
		t.Error("nothing stood across the ends")
	}
}
