//go:build !unix

package root

// withoutCore does nothing: there are no core files.
func withoutCore() {}
