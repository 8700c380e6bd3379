package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes, as a flag: "512", "64KiB", "256M". The letters K, M, G and T count
// in steps of 1024, with or without "iB" or "B".
type Size int64

var sizeUnits = [...]struct {
	letter string
	shift  int
}{{"T", 40}, {"G", 30}, {"M", 20}, {"K", 10}}

// String returns the size in the largest unit that divides it.
func (z Size) String() string {
	for _, u := range sizeUnits {
		if z != 0 && z%(1<<u.shift) == 0 {
			return strconv.FormatInt(int64(z)>>u.shift, 10) + u.letter + "iB"
		}
	}
	return strconv.FormatInt(int64(z), 10)
}

// Type implements pflag.Value.
func (Size) Type() string { return "SIZE" }

// Set implements pflag.Value.
func (z *Size) Set(text string) error {
	digits := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "B"), "I")
	shift := 0
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(digits, u.letter); ok {
			digits, shift = rest, u.shift
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>shift {
		return fmt.Errorf("%q is not a size; use a number of bytes, or a number with a unit such as 64KiB, 256MiB, 4GiB", text)
	}
	*z = Size(n << shift)
	return nil
}
