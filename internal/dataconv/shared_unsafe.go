//go:build !purego

package dataconv

import "unsafe"

// sharedString returns text as a string without copying it. text must not be
// modified afterwards.
func sharedString(text []byte) string {
	return unsafe.String(unsafe.SliceData(text), len(text)) //nolint:gosec // text does not change
}
