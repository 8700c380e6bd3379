// Package secretfile reads files with keys, tokens and passwords.
//
// Who may be able to read such a file belongs here; the formats of keys and tokens belong to their users.
package secretfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Read returns at most limit bytes of a file that only its owner can read. The error does not quote them.
func Read(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if Exposed(path, info) {
		return nil, fmt.Errorf("others can read %s (mode %04o): chmod 600 it", path, info.Mode().Perm())
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

// Exposed reports whether others than its owner can read a file, according to its mode.
func Exposed(path string, info fs.FileInfo) bool {
	mode := info.Mode().Perm()
	return runtime.GOOS != "windows" && mode&0o077 != 0 && !isCredential(path, mode)
}

// isCredential reports whether systemd passed a file to this service by LoadCredential=. Such a file belongs to
// root, and an ACL lets the user of the service read it. The mode is then 0440, because its group bits are the
// mask of the ACL.
func isCredential(path string, mode fs.FileMode) bool {
	dir := os.Getenv("CREDENTIALS_DIRECTORY")
	absolute, err := filepath.Abs(path)
	return err == nil && dir != "" && filepath.Dir(absolute) == filepath.Clean(dir) && mode&^0o440 == 0
}
