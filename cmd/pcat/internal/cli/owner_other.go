//go:build !unix

package cli

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: files have no owner on this system.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// linksOf knows only the link by which a file was found.
func linksOf(fs.FileInfo) (links, inode uint64) { return 1, 0 }
