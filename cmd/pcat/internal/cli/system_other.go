//go:build !windows

package cli

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// showsEscapes always returns true: a terminal that cannot show escape sequences says so
// with TERM=dumb.
func showsEscapes(*os.File) bool { return true }

// isClosedPipe reports whether writing failed because a pipe has no reader.
func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// isMissing reports whether a file was not found.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
