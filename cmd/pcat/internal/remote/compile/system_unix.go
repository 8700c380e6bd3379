//go:build unix

package compile

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// supported reports whether catalogs can be compiled on this system.
const supported = true

// lockFile opens a file and locks it, shared or exclusively. It fails if it is locked.
func lockFile(name string, exclusive bool) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	how := syscall.LOCK_SH
	if exclusive {
		how = syscall.LOCK_EX
	}
	if err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// unlockFile releases a lock and closes its file. Closing alone is not enough: until a process that is being started
// runs its program, it has a copy of each open file, which keeps the lock.
func unlockFile(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}

// isMine reports whether the file belongs to this user.
func isMine(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// asGroup makes cmd the leader of a process group, which is killed as a whole.
func asGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
}

// killGroup kills a process and its descendants in its group.
func killGroup(pid int) error {
	if err := syscall.Kill(-pid, syscall.SIGKILL); err != nil {
		return os.ErrProcessDone
	}
	return nil
}

// kill kills one process.
func kill(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }
