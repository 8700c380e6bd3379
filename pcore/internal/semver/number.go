package semver

import (
	"cmp"
	"strings"
)

// number is a non-negative integer of any size, as a decimal without leading
// zeros, so 0 is "". It is a string because Puppet accepts
// 999999999999999999999.0.0, and versions are compared and printed far more
// often than used in arithmetic. The number above all others is infinite, the
// major number of the version that represents no upper bound.
type number string

const infinite number = "Infinity"

func (n number) String() string {
	if n == "" {
		return "0"
	}
	return string(n)
}

func (n number) compare(o number) int {
	if n == infinite || o == infinite {
		return cmp.Compare(b2i(n == infinite), b2i(o == infinite))
	}
	if c := cmp.Compare(len(n), len(o)); c != 0 {
		return c
	}
	return strings.Compare(string(n), string(o))
}

// next returns n+1.
func (n number) next() number {
	if n == infinite {
		return n
	}
	digits := []byte(n)
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] < '9' {
			digits[i]++
			return number(digits)
		}
		digits[i] = '0'
	}
	return "1" + number(digits)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// allDigits reports whether s is one or more decimal digits.
func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// scanNumber splits a number off the front of s. A leading zero is a separate
// number, so "01" gives "0" and "1".
func scanNumber(s string) (n number, rest string, ok bool) {
	if s != "" && s[0] == '0' {
		return "", s[1:], true
	}
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return number(s[:i]), s[i:], i > 0
}
