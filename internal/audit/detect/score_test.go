package detect

import (
	"math"
	"slices"
	"testing"
	"unicode/utf8"
)

// Whatever the value and the sort of its name: no panic, the terms add up to the score, and
// a parameter is worth no less than a text, which is worth no less than prose.
func FuzzScore(f *testing.F) {
	for _, seed := range []string{
		"", "a", "walrus", "Winter2025!", "correct horse battery staple", "q8ZkPw2LmN4rT6vX", "Y2hhbmdlbWU=", "${x}", "!", "::", "fe80::1%", "зелёный ёж пьёт чай",
		"\xff\xfe", "=====", "CgoKCgoK", "__", "<>", "%{", "((", "kv/prod/db1", "secret-ref",
	} {
		f.Add(seed)
	}
	d := New(Names{})
	f.Fuzz(func(t *testing.T, value string) {
		for as := plain; as <= never; as++ {
			last := candidate{value, as, inProse}
			for at := inProse; at <= inParameter; at++ {
				c := candidate{value, as, at}
				sum := 0.0
				for _, term := range slices.Collect(c.terms) {
					sum += term.Points
				}
				if score := c.score(); score != sum || math.IsNaN(score) {
					t.Errorf("%q of sort %d at %d: the terms add up to %g, the score is %g", value, as, at, sum, score)
				}
				if c.score() < last.score() {
					t.Errorf("%q of sort %d: %g at %d, %g at %d", value, as, c.score(), at, last.score(), last.at)
				}
				if as.may() && d.values.against(last) == none && d.values.against(c) != none {
					t.Errorf("%q of sort %d is a secret at %d, and at %d %s", value, as, last.at, at, d.values.against(c))
				}
				if c.confidence() < last.confidence() {
					t.Errorf("%q of sort %d is less certain at %d than at %d", value, as, at, last.at)
				}
				last = c
			}
		}
		if utf8.ValidString(value) {
			for _, at := range []context{{"Class", "X", "db_password"}, {"Class", "X", "api_token"}, {"Class", "X", "cookie"}} {
				at.verdict(t, value)
			}
			context{"File", "/etc/app.conf", "content"}.verdict(t, "token = \""+value+"\"\n")
		}
	})
}
