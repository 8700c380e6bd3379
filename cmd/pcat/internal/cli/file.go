package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CreateFile writes a new file. The error is [fs.ErrExist] if it exists.
func CreateFile(name, content string, mode fs.FileMode) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fs.ErrExist
	case err != nil:
		return unwritten(name, err)
	}
	_, err = f.WriteString(content)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(unwritten(name, err), os.Remove(name))
	}
	return nil
}

func unwritten(name string, err error) error {
	return &Error{Code: ExitInternal, File: name, Err: fmt.Errorf("cannot write: %w", WithoutPath(err))}
}

// Checkout returns the root of the git checkout that contains a directory, which must be
// absolute, or "" if none does.
func Checkout(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}
