package root

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
)

// Neither a core file, nor a program that collects them, gets the memory of pcatd.
func TestNoCore(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	s := start(t, "serve", "--state", state, "--http", "", "--max-store", "1GB")
	run(t, "status", "--state", state, "--wait")
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", s.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^Max core file size +0 +0 `).Match(limits) {
		t.Errorf("core files are allowed:\n%s", limits)
	}
	if os.Geteuid() != 0 { // root owns the files of a process that is not dumpable
		info, err := os.Stat(fmt.Sprintf("/proc/%d/environ", s.Process.Pid))
		if err != nil || info.Sys().(*syscall.Stat_t).Uid != 0 { //nolint:forcetypeassert // on Linux
			t.Errorf("the memory can be dumped: %+v, %v", info, err)
		}
	}
	_ = s.Process.Signal(syscall.SIGSEGV)
	err = s.Wait()
	if exit := new(exec.ExitError); err == nil || !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).CoreDump() { //nolint:forcetypeassert // on Linux
		t.Errorf("it ends with %v, and its memory", err)
	}
}
