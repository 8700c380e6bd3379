//go:build purego

package dataconv

// sharedString returns a copy of text. See shared_unsafe.go.
func sharedString(text []byte) string { return string(text) }
