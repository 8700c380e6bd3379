package feature_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/audit/internal/feature"
)

// A text has each feature of each word in it.
func TestSet(t *testing.T) {
	letter := rapid.SampledFrom([]rune("abc :é\n\x00"))
	set := new(feature.Set)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(letter, 0, 40, -1).Draw(t, "text")
		set.Begin(text)
		for _, word := range rapid.SliceOfN(rapid.StringOfN(letter, 1, 12, -1), 1, 5).Draw(t, "words") {
			has := strings.Contains(text, word)
			if has && !set.May(word) || set.Has(text, word) != has {
				t.Errorf("%q in %q: %t", word, text, !has)
			}
		}
	})
}

// A text lacks a word that is not in it, and a Set forgets the text before.
func TestSetRefuses(t *testing.T) {
	set := new(feature.Set)
	set.Begin("Bearer of AUTH")
	if !set.May("Bearer") || set.May("Basic") {
		t.Error("the set has other words")
	}
	if set.Begin("Basic"); set.May("Bearer") || !set.May("Basic") {
		t.Error("the set has words of the text before")
	}
	var unknown *feature.Set
	if !unknown.May("Basic") || unknown.Has("Bearer", "Basic") || !unknown.Has("Basic", "Basic") {
		t.Error("a text with unknown features lacks words")
	}
}
