// Package bytesize parses and prints numbers of bytes, as users write them.
//
// Only the notation of sizes belongs here; each option has its own limits.
package bytesize

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

var units = [...]struct {
	letter string
	shift  int
}{{"T", 40}, {"G", 30}, {"M", 20}, {"K", 10}}

// Parse returns the number of bytes of a text such as "512", "64KiB" or "256M". The letters
// K, M, G and T count in steps of 1024, with or without "iB" or "B".
func Parse(text string) (int64, error) {
	digits := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "B"), "I")
	shift := 0
	for _, u := range units {
		if rest, ok := strings.CutSuffix(digits, u.letter); ok {
			digits, shift = rest, u.shift
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>shift {
		return 0, fmt.Errorf("%q is not a size; use a number of bytes, or a number with a unit such as 64KiB, 256MiB, 4GiB", text)
	}
	return n << shift, nil
}

// Format returns a number of bytes in the largest unit that divides it.
func Format(n int64) string {
	for _, u := range units {
		if n != 0 && n%(1<<u.shift) == 0 {
			return strconv.FormatInt(n>>u.shift, 10) + u.letter + "iB"
		}
	}
	return strconv.FormatInt(n, 10)
}
