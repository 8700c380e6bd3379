//go:build !unix

package compile

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
)

// supported reports whether catalogs can be compiled on this system.
const supported = false

func lockFile(string, bool) (*os.File, error) { return nil, errors.ErrUnsupported }

func unlockFile(f *os.File) error { return f.Close() }

func isMine(fs.FileInfo) bool { return true }

func asGroup(*exec.Cmd) {}

func killGroup(int) error { return os.ErrProcessDone }

func kill(int) error { return os.ErrProcessDone }
