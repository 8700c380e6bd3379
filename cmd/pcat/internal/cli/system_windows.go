package cli

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// showsEscapes makes a console interpret escape sequences, and reports whether it does. A
// console may not do so on its own, and some cannot: those of Windows before version 10,
// and those with the legacy mode.
func showsEscapes(f *os.File) bool {
	console := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	const escapes = windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING
	return mode&escapes != 0 || windows.SetConsoleMode(console, mode|escapes) == nil
}

// isClosedPipe reports whether writing failed because a pipe has no reader.
func isClosedPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) ||
		errors.Is(err, windows.ERROR_PIPE_NOT_CONNECTED) || errors.Is(err, syscall.EPIPE)
}

// isMissing reports whether a file was not found. A pattern is not even a name of a file.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, windows.ERROR_INVALID_NAME)
}
