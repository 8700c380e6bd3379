//go:build unix

package daemon

import (
	"fmt"
	"os"
	"syscall"
)

// checkOwner returns an error if a state folder belongs to another user: the service could not read
// the files that root writes there.
func checkOwner(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return nil //nolint:nilerr // whoever opens it reports that
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok && int64(s.Uid) != int64(os.Geteuid()) {
		return fmt.Errorf("%s belongs to the user with the ID %d: run the command as that user, see docs/fleet.md", dir, s.Uid)
	}
	return nil
}
