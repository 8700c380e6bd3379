package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/redact"
)

// A text may have many words that look drawn at random. All of them are replaced, or it is data and none is; in both cases, an
// audit of the output finds nothing, so that it is written.
func TestManyUnnamedSecrets(t *testing.T) {
	const letters = "ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
	for _, tt := range []struct {
		words   int
		encoded bool // every other word is in base64
		gone    bool
	}{{words: 5, gone: true}, {words: 30, gone: true}, {words: 120, gone: true}, {words: 120, encoded: true, gone: true}, {words: 2000}, {words: 2000, encoded: true}} {
		t.Run(fmt.Sprint(tt.words, tt.encoded), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(tt.words)))
			var text strings.Builder
			var words []string
			for i := range tt.words {
				w := make([]byte, 24)
				for k := range w {
					w[k] = letters[r.IntN(len(letters))]
				}
				copy(w, "xQ7") // letters of both cases and a digit
				written := string(w)
				if tt.encoded && i%2 == 0 {
					written = base64.StdEncoding.EncodeToString(w)
				}
				words = append(words, written)
				fmt.Fprintf(&text, "x%d: %s\n", i, written)
			}
			content, err := json.Marshal(text.String())
			if err != nil {
				t.Fatal(err)
			}
			doc := fmt.Sprintf(`{"name":"n","resources":[{"type":"File","title":"/x","parameters":{"content":%s}}],"edges":[]}`, content)
			d := &document{text: doc}
			if _, err := redact.Run(t.Context(), inputs(t, []*document{d}), redact.Options{Audit: auditor(t)}); err != nil {
				t.Fatal(err)
			}
			left := 0
			for _, w := range words {
				if strings.Contains(d.out.String(), w) {
					left++
				}
			}
			if tt.gone && left > tt.words/20 || !tt.gone && left < tt.words {
				t.Errorf("%d of %d words are left", left, tt.words)
			}
		})
	}
}
