//go:build !unix

package external

import (
	"os"
	"os/exec"
)

// asGroup leaves cmd as it is: there are no process groups here.
func asGroup(cmd *exec.Cmd) { cmd.Cancel = func() error { return cmd.Process.Kill() } }

// killGroup kills what cmd has started.
func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

// isExecutable reports whether a file can be started; only trying tells here.
func isExecutable(os.FileInfo) bool { return true }
