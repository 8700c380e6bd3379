package secret

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A dictionary finds the longest pattern at each position, and the patterns that it
// begins with.
func TestDictionary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.SampledFrom([]rune("ab")), 1, 40, -1)
		patterns := rapid.SliceOfNDistinct(word, 1, 12, rapid.ID).Draw(t, "patterns")
		text := []byte(strings.Join(rapid.SliceOfN(rapid.OneOf(word, rapid.SampledFrom(patterns)), 0, 12).Draw(t, "text"), ""))
		d := newDictionary(newBase(), numbered(patterns))
		for start := range text {
			var want, got []string
			for _, p := range patterns {
				if bytes.HasPrefix(text[start:], []byte(p)) {
					want = append(want, p)
				}
			}
			slices.SortFunc(want, func(a, b string) int { return len(b) - len(a) })
			for k := d.begins(prefixDigests(nil, d.base, text[start:]), len(text)); k != none; k = d.words[k].shorter {
				got = append(got, patterns[d.words[k].pattern])
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%q begins with %q, not %q", text[start:], want, got)
			}
		}
	})
}

func numbered(patterns []string) func(yield func(int32, []byte) bool) {
	return func(yield func(int32, []byte) bool) {
		for i, p := range patterns {
			if !yield(int32(i), []byte(p)) {
				return
			}
		}
	}
}

// crafted are secrets and a text, of about n bytes each, that share so much that
// comparing all candidates would take quadratic time.
var crafted = map[string]func(n int) (secrets []string, text string){
	"prefixes": func(n int) ([]string, string) {
		return lengthened(n, func(i int) string { return repeated("aB3$", i) }), repeated("aB3$", n)
	},
	"prefixes of letters": func(n int) ([]string, string) {
		return lengthened(n, func(i int) string { return repeated("abc", i) }), repeated("abc", n)
	},
	"prefixes in base64": func(n int) ([]string, string) {
		return lengthened(n, func(i int) string { return repeated("a!c", i) }), repeated("YSFj", n)
	},
	"prefixes in hexadecimal": func(n int) ([]string, string) {
		return lengthened(n, func(i int) string { return repeated("a!c", i) }), repeated("612163", n)
	},
	"suffixes": func(n int) ([]string, string) {
		return lengthened(n, func(i int) string { return repeated("$3Ba", i) + "end" }), repeated("$3Ba", n) + "end"
	},
	"late differences": func(n int) ([]string, string) {
		return lengthened(n, func(i int) string { return repeated("a$", i) + "b$" }), repeated("a$", n)
	},
	"early differences": func(n int) ([]string, string) {
		return lengthened(n, func(i int) string { return "b$" + repeated("a$", i) }), repeated("a$", n)
	},
	"one long secret": func(n int) ([]string, string) {
		return []string{repeated("a", n/4) + "b"}, repeated("a", n)
	},
	"equal lines": func(n int) ([]string, string) {
		return lengthened(n, func(i int) string { return repeated("pa$$ w0rd!\n", i) }), repeated("pa$$ w0rd!\n", n)
	},
	"equal indented lines": func(n int) ([]string, string) {
		return lengthened(n, func(i int) string { return repeated("pa$$ w0rd!\n", i) + "." }), repeated("   pa$$ w0rd!\n", n)
	},
	"equal long lines": func(n int) ([]string, string) {
		return lengthened(n, func(i int) string { return repeated("the-same-password\n ", i) }), repeated("the-same-password\n  ", n)
	},
	"one stretch": func(n int) (secrets []string, text string) {
		for i := range 8 {
			secrets = append(secrets, fmt.Sprintf("%s'$\"%d", repeated("a", 17), i))
		}
		return secrets, repeated("a", n)
	},
	"one anchor": func(n int) (secrets []string, text string) {
		for i := range n / 16 {
			secrets = append(secrets, fmt.Sprintf("p@s$w0!d%d", i))
		}
		return secrets, repeated("p@s$w0!d", n)
	},
}

// repeated returns the first n bytes of the repeated text.
func repeated(text string, n int) string { return strings.Repeat(text, n/len(text)+1)[:n] }

// lengthened returns secrets of up to n bytes in total, each longer than the one before.
func lengthened(n int, secret func(size int) string) (list []string) {
	for size := 12; n > 0; size++ {
		list = append(list, secret(size))
		n -= size
	}
	return list
}

func bytesOf(secrets []string) (list [][]byte) {
	for _, s := range secrets {
		list = append(list, []byte(s))
	}
	return list
}

// The work for each byte of a text is bounded, however much the secrets share.
func TestWorkIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches crafted texts for many secrets")
	}
	const size, most = 150_000, 3 * (workPerByte + 32)
	for name, craft := range crafted {
		t.Run(name, func(t *testing.T) {
			secrets, text := craft(size)
			s := newSpellings(bytesOf(secrets))
			every := func(Hit) bool { return true }
			v := verifier{text: []byte(text), base: s.base}
			s.search(&v, 0, every)
			work := v.work
			v = verifier{text: v.text, patterns: s.rest.patterns}
			s.rest.search(&v, every)
			work += v.work
			var h hunt
			h.in(s, v.text, false)
			if work += h.work; work > most*len(text)+tracesAtFirst {
				t.Errorf("the work is %d for each byte", work/len(text))
			}
		})
	}
}

// Whatever the work, each occurrence of each secret is covered.
func TestCraftedTextsAreCovered(t *testing.T) {
	const size = 4_000
	for name, craft := range crafted {
		t.Run(name, func(t *testing.T) {
			secrets, text := craft(size)
			between := "-=-"
			text = text[:size/2] + between + text[size/2:] + between + secrets[len(secrets)/2] + between
			for _, form := range spell(Base64, []byte(secrets[len(secrets)-1])) {
				text += string(form) + between
			}
			set := CompileForms(bytesOf(secrets))
			rest := []byte(text)
			for _, span := range set.Spans(rest) {
				for i := span.Start; i < span.End; i++ {
					rest[i] = 0
				}
			}
			flat := body(rest)
			for _, s := range secrets {
				for form, spelling := range Forms([]byte(s)) {
					if bytes.Contains(rest, spelling) {
						t.Fatalf("%d bytes of a secret, as %s, are left", len(s), form)
					}
				}
				if bytes.Contains(flat, body([]byte(s))) {
					t.Fatalf("%d bytes of a secret are left, indented differently", len(s))
				}
			}
			if set.Contains(rest) {
				t.Error("a secret is left")
			}
		})
	}
}

// The hits of a text that repeats patterns are merged as they are found.
func TestSpansOfManyHits(t *testing.T) {
	secrets, text := crafted["prefixes"](20_000)
	if got := CompileForms(bytesOf(secrets)).Spans([]byte(text)); len(got) != 1 || got[0] != (Span{0, len(text), -1}) {
		t.Errorf("%d spans", len(got))
	}
}
