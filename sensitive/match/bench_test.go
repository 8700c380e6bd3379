package match_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pcatdev/pcat/sensitive/match"
)

func BenchmarkContains(b *testing.B) {
	data, err := os.ReadFile("../../testdata/catalogs/webstack/rich.json")
	if err != nil {
		b.Fatal(err)
	}
	text := []byte(strings.Repeat(string(data), 50))
	for _, n := range []int{1, 100, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var patterns [][]byte
			for i := range n {
				for _, p := range match.Forms([]byte(fmt.Sprintf("s3cret-%d-%x", i, i*7919))) {
					patterns = append(patterns, p)
				}
			}
			s, err := match.Compile(patterns)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if s.Contains(text) {
					b.Fatal("found")
				}
			}
		})
	}
}
