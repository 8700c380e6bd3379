package secret_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/secret"
)

// The uses of watched texts, added over several vocabularies, hold the same secrets as one
// Vocabulary of all words.
func TestWatchEqualsHeld(t *testing.T) {
	words := []string{"icingaweb2", "elastic7", "hunter7", "/srv/hunter7", "Profile::Elastic7", "k9FzQ2mTx8Lw0vR4", "web", "elastic7.conf", "monitoring9"}
	rapid.Check(t, func(t *rapid.T) {
		secrets := []string{"icingaweb2", "Elastic7!", "hunter7", "k9FzQ2mTx8Lw0vR4", "monitor", "nothing-like-it"}
		var whole secret.Vocabulary
		sum := map[string]secret.Use{}
		list := secret.NewWatch(slices.Values(secrets))
		for range rapid.IntRange(0, 4).Draw(t, "catalogs") {
			var one secret.Vocabulary
			one.Watch(list)
			for range rapid.IntRange(0, 4).Draw(t, "names") {
				word := rapid.SampledFrom(words).Draw(t, "word")
				switch rapid.IntRange(0, 2).Draw(t, "kind") {
				case 0:
					whole.Keep(word)
					one.Keep(word)
				case 1:
					whole.Add([]byte(word))
					one.Add([]byte(word))
				case 2:
					typ := rapid.SampledFrom([]string{"File", "Class", "Notify"}).Draw(t, "type")
					whole.AddResource([]byte(typ), []byte(word))
					one.AddResource([]byte(typ), []byte(word))
				}
			}
			for text, use := range one.Uses() {
				known := sum[text]
				known.Add(use)
				sum[text] = known
			}
		}
		held := whole.Held(secrets)
		for _, s := range secrets {
			if use := sum[s]; use.Holds(s) != held[s] {
				t.Fatalf("%s: held %v, by its uses %+v", s, held[s], use)
			}
		}
	})
}
