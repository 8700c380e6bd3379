package verdict

import (
	"math"
	"slices"
	"testing"
)

// Whatever the value and the class of its name: no panic, the terms add up to the score, and
// a parameter is worth no less than a text, which is worth no less than prose.
func FuzzScore(f *testing.F) {
	for _, seed := range []string{
		"", "a", "walrus", "Winter2025!", "correct horse battery staple", "q8ZkPw2LmN4rT6vX", "Y2hhbmdlbWU=", "${x}", "!", "::", "fe80::1%", "зелёный ёж пьёт чай",
		"\xff\xfe", "=====", "CgoKCgoK", "__", "<>", "%{", "((", "kv/prod/db1", "secret-ref",
	} {
		f.Add(seed)
	}
	values := NewValues(NewVocabulary(Names{}))
	f.Fuzz(func(t *testing.T, value string) {
		for as := Plain; as <= Never; as++ {
			last := Candidate{Value: value, As: as, At: InProse}
			for at := InProse; at <= InParameter; at++ {
				c := Candidate{Value: value, As: as, At: at}
				sum := 0.0
				for _, term := range slices.Collect(c.Terms) {
					sum += term.Points
				}
				if score := c.Score(); score != sum || math.IsNaN(score) {
					t.Errorf("%q of class %d at %d: the terms add up to %g, the score is %g", value, as, at, sum, score)
				}
				if c.Score() < last.Score() {
					t.Errorf("%q of class %d: %g at %d, %g at %d", value, as, c.Score(), at, last.Score(), last.At)
				}
				if as.May() && values.Against(last) == None && values.Against(c) != None {
					t.Errorf("%q of class %d is a secret at %d, and at %d %s", value, as, last.At, at, values.Against(c))
				}
				if c.Confidence() < last.Confidence() {
					t.Errorf("%q of class %d is less certain at %d than at %d", value, as, at, last.At)
				}
				last = c
			}
		}
	})
}
