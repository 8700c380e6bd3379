package cli

import "github.com/pcatdev/pcat/internal/bytesize"

// Size is a number of bytes, as a flag: "512", "64KiB", "256M".
type Size int64

// String returns the size in the largest unit that divides it.
func (z Size) String() string { return bytesize.Format(int64(z)) }

// Type implements pflag.Value.
func (Size) Type() string { return "SIZE" }

// Set implements pflag.Value.
func (z *Size) Set(text string) error {
	n, err := bytesize.Parse(text)
	if err != nil {
		return err
	}
	*z = Size(n)
	return nil
}
