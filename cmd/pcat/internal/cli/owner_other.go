//go:build !unix

package cli

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: files have no owner on this system.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
