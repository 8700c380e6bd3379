//go:build !unix

package cli

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: files have no owner to keep here.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
