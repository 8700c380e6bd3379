//go:build !windows

package cli

import (
	"errors"
	"os"
	"syscall"
)

// showsEscapes always returns true: a terminal that cannot show escape sequences says so with TERM=dumb.
func showsEscapes(*os.File) bool { return true }

// isClosedPipe reports whether writing failed because a pipe has no reader.
func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
