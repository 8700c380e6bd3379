//go:build unix

package external

import (
	"os"
	"os/exec"
	"syscall"
)

// asGroup makes cmd the leader of a process group, which is killed as a whole.
func asGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd) }
}

// killGroup kills the process of cmd and its descendants in the group.
func killGroup(cmd *exec.Cmd) error {
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
		return os.ErrProcessDone
	}
	return nil
}

// isExecutable reports whether a file can be started.
func isExecutable(info os.FileInfo) bool { return info.Mode().Perm()&0o111 != 0 }
