//go:build !linux

package cli

// makeRoom is for systems that have to be asked for huge pages.
func makeRoom(int64) {}
