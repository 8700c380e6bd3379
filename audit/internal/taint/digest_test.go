package taint

import (
	"crypto/sha1"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pcatdev/pcat/internal/secret"
)

// Digests finds the same as a Set of all digests.
func TestDigests(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secrets := rapid.SliceOfN(rapid.StringMatching(`[a-z]{8}`), 0, 20).Draw(t, "secrets")
		slices.Sort(secrets)
		secrets = slices.Compact(secrets)
		d := newDigests(len(secrets), func(i int) string { return secrets[i] })
		var all [][]byte
		for _, s := range secrets {
			list := secret.Hashes(s)
			all = append(all, list[:]...)
		}
		set, err := secret.Compile(all)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for range rapid.IntRange(0, 10).Draw(t, "parts") {
			text.WriteString(rapid.StringMatching(`[0-9a-fA-F*: x]{0,70}`).Draw(t, "between"))
			if len(all) == 0 {
				continue
			}
			digest := string(rapid.SampledFrom(all).Draw(t, "digest"))
			cut := rapid.SampledFrom([]int{0, 0, 0, 1, 9}).Draw(t, "cut")
			text.WriteString(digest[:len(digest)-cut])
			if cut > 0 {
				text.WriteByte('-') // prevents overlap with the next digest, which only Digests finds
			}
		}
		var got, want []string
		for h := range d.Find([]byte(text.String())) {
			got = append(got, fmt.Sprint(h))
		}
		for h := range set.Find([]byte(text.String())) {
			want = append(want, fmt.Sprint(secret.Span{Start: h.Start, End: h.End, Pattern: h.Pattern / numDigests}))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q:\n%v, want\n%v", text.String(), got, want)
		}
	})
}

func TestDigestsOfOthers(t *testing.T) {
	d := newDigests(1, func(int) string { return "n7Hq-vL2pX" })
	once := sha1.Sum([]byte("n7Hq-vL2pX"))
	twice := sha1.Sum(once[:])
	for text, want := range map[string]bool{
		fmt.Sprintf("*%X", twice): true, fmt.Sprintf("%X", twice): false, fmt.Sprintf("*%x", twice): false,
		fmt.Sprintf("%x", once): true, fmt.Sprintf("d5%x00", once): true, fmt.Sprintf("%X", once): false,
	} {
		found := false
		for range d.Find([]byte(text)) {
			found = true
		}
		if found != want {
			t.Errorf("%s: %v", text, found)
		}
	}
}
