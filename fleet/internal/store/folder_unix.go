//go:build unix

package store

import (
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// private checks that only the owner can read a folder.
func private(dir string, info fs.FileInfo) error {
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("state folder: others can read %s (mode %04o): chmod 700 it", dir, mode)
	}
	return nil
}

// lockFolder locks a file until it is closed or the process ends.
func lockFolder(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// freeBytes returns the space that is left for files in a folder.
func freeBytes(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil //nolint:unconvert // types differ between systems
}
