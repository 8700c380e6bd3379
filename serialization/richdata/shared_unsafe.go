//go:build !purego

package richdata

import "unsafe"

// sharedString returns text, which must not change any more, as a string
// without copying it.
func sharedString(text []byte) string {
	return unsafe.String(unsafe.SliceData(text), len(text)) //nolint:gosec // text does not change
}
