//go:build !unix

package external

import (
	"os"
	"os/exec"
)

// asGroup only sets the kill function: this system has no process groups.
func asGroup(cmd *exec.Cmd) { cmd.Cancel = func() error { return cmd.Process.Kill() } }

// killGroup kills the process of cmd.
func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

// isExecutable always returns true: only starting a file shows whether it works.
func isExecutable(os.FileInfo) bool { return true }
