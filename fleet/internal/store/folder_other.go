//go:build !unix

package store

import (
	"io/fs"
	"math"
	"os"
)

func private(string, fs.FileInfo) error { return nil }

// lockFolder opens a file that other processes cannot remove while it is open.
func lockFolder(path string) (*os.File, error) {
	_ = os.Remove(path)
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

func freeBytes(string) (int64, error) { return math.MaxInt64, nil }
